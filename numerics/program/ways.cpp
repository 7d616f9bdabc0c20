// Every way to compute: a row each. Recipes, tolerances and the search for an arithmetic know what is here.

#include <algorithm>
#include <array>
#include <cassert>

#include "numerics/program/scaling.hpp"
#include "numerics/program/way.hpp"
#include "reference/support/mapped.hpp"

namespace vernier::program {
namespace {

constexpr std::string_view narrowing_placeholder = "{narrowed}";

/// \name What several rows say
/// @{
template <class A>
auto base(const A& in, const Element<A>& x) {
  return in.own(wide_base(in, *x.declared));
}
template <class A>
auto index(const A& in, const Element<A>& x) {
  return in.multiple(x.pair, x.declared->numerator);
}
/// A number of the script, which is not rounded.
template <class A>
auto count(const A& in, const Element<A>& x) {
  return in.unrounded(x.declared->denominator);
}
template <class A>
auto reciprocal(const A& in, const typename A::Number& x) {
  return in.div(in.integer(1), x);
}
/// b^(-n/m), of which n/m is a number of the script.
template <class A>
auto ratio(const A& in, const Element<A>& x) {
  const auto wide = in.scalars();
  const auto step = wide.div(wide.number(x.declared->numerator), count(wide, x));
  return in.pow(base(in, x), in.negated(in.own(step)));
}
template <class A>
auto wide_log(const A& wide, const Element<A>& x) {
  return wide.log(wide_base(wide, *x.declared));
}
/// From pair to pair. \param before the number of the pair before
template <class A, class Before>
typename A::Number carried(const A& in, const Element<A>& x, const typename A::Number& first,
                           const typename A::Number& factor, const Before& before) {
  return x.pair == 0 ? first : in.mul(before(x.before()), factor);
}
/// Between the logarithms of the greatest and the least frequency, one number that is used twice.
template <class A>
typename A::Number interpolated(const A& in, const Element<A>& x) {
  const int last = x.declared->pairs() - 1;
  const auto wide = in.scalars();
  const auto step = wide.div(wide.number(x.declared->numerator), count(wide, x));
  const auto length = in.own(wide.mul(wide.mul(wide_log(wide, x), wide.integer(last)), step));
  const auto rest =
      last == 0 ? in.integer(1) : in.sub(in.integer(1), in.div(in.integer(x.pair), in.integer(last)));
  return in.each(length, [&](const auto& l) { return in.exp(in.sub(in.mul(rest, l), l)); });
}
/// What llama.cpp stores as rope_freqs: the frequency over what the scaling makes of it. A frequency of zero
/// has an infinite one, which makes the phase zero.
template <class A>
typename A::Number scaling_divisor(const A& in, const Element<A>& x) {
  const auto exponent = in.div(index(in, x), count(in, x));
  const auto plain = reciprocal(in, in.pow(base(in, x), exponent));
  return in.each(plain, [&](const auto& w) { return in.div(w, scaled(in, *x.declared, x.pair, w)); });
}
/// @}

/// Stages that a way does at once.
struct Span {
  Stage first;
  Stage last;
  Span(Stage stage) : Span(stage, stage) {}  // NOLINT: a stage is a span
  Span(Stage from, Stage to) : first(from), last(to) {}
};

template <class F>
Way row(Span of, std::string_view id, std::string_view words, F formula, std::string_view fault = {}) {
  return {of.first, of.last, id, words, Formula(formula), fault};
}

std::vector<Way> make_ways() {
  using enum Stage;
  return {
      row(position, "kept", "as they are", [](auto& in, auto& x, auto&) { return in.integer(x.row); }),
      row(
          position, "rounded-position", "{narrowed}",
          [](auto& in, auto& x, auto& by) { return in.own(in.to(*by.to, in.scalars().integer(x.row))); },
          "position/format"),

      row(exponent, "quotient", "e = 2i/d",
          [](auto& in, auto& x, auto&) { return in.div(index(in, x), count(in, x)); }),
      row(exponent, "product", "e = 2i (1/d)",
          [](auto& in, auto& x, auto&) { return in.mul(index(in, x), reciprocal(in, count(in, x))); }),

      row(order, "1/pow", "1/pow(b, e)",
          [](auto& in, auto& x, auto&) { return reciprocal(in, in.pow(base(in, x), x.exponent)); }),
      row(order, "pow-negative", "pow(b, -e)",
          [](auto& in, auto& x, auto&) { return in.pow(base(in, x), in.negated(x.exponent)); }),
      row(order, "pow-reciprocal", "pow(1/b, e)",
          [](auto& in, auto& x, auto&) { return in.pow(reciprocal(in, base(in, x)), x.exponent); }),
      // The pair's period, of which a phase is the quotient: no format rounds its reciprocal.
      row(order, "period", "1 over the period pow(b, e)",
          [](auto& in, auto& x, auto&) {
            const auto wide = in.scalars();
            return reciprocal(wide, in.pow(base(in, x), x.exponent));
          }),
      row(order, "exp", "exp(-e ln b)",
          [](auto& in, auto& x, auto&) {
            return in.exp(in.mul(in.negated(x.exponent), in.log(base(in, x))));
          }),
      row(order, "1/exp", "1/exp(e ln b)",
          [](auto& in, auto& x, auto&) {
            return reciprocal(in, in.exp(in.mul(x.exponent, in.log(base(in, x)))));
          }),
      row(order, "exp2", "exp2(-e log2 b)",
          [](auto& in, auto& x, auto&) {
            return in.exp2(in.mul(in.negated(x.exponent), in.log2(base(in, x))));
          }),
      row(order, "pow-half-squared", "pow(b, -e/2)^2",
          [](auto& in, auto& x, auto&) {
            const auto half = in.pow(base(in, x), in.negated(in.div(x.exponent, in.integer(2))));
            return in.each(half, [&](const auto& root) { return in.mul(root, root); });
          }),
      // An order that has no such exponent begins here.
      row({exponent, order}, "exp-step", "exp(2i c), c = -ln(b)/d made in float64",
          [](auto& in, auto& x, auto&) {
            const auto wide = in.scalars();
            const auto step = in.own(wide.div(wide_log(wide, x), count(wide, x)));
            return in.exp(in.mul(index(in, x), in.negated(step)));
          }),
      row({exponent, order}, "exp-own-step", "exp(2i c), c = -ln(b)/d made in its own format",
          [](auto& in, auto& x, auto&) {
            return in.exp(in.mul(index(in, x), in.negated(in.div(in.log(base(in, x)), count(in, x)))));
          }),
      row({exponent, order}, "pow-ratio", "pow(q, i), q = pow(b, -2/d)",
          [](auto& in, auto& x, auto&) { return in.pow(ratio(in, x), in.integer(x.pair)); }),
      row({exponent, order}, "times-ratio", "w *= q from pair to pair, q = pow(b, -2/d)",
          [](auto& in, auto& x, auto&) {
            return carried(in, x, in.integer(1), ratio(in, x), [](auto& before) { return before.unscaled; });
          }),
      row({exponent, order}, "over-ratio", "w /= q from pair to pair, q = pow(b, 2/d)",
          [](auto& in, auto& x, auto&) {
            const auto wide = in.scalars();
            const auto step = in.own(wide.div(wide.number(x.declared->numerator), count(wide, x)));
            return x.pair == 0 ? in.integer(1) : in.div(x.before().unscaled, in.pow(base(in, x), step));
          }),
      row({exponent, order}, "exp2-step", "exp2(2i c), c = -log2(b)/d made in float64",
          [](auto& in, auto& x, auto&) {
            const auto wide = in.scalars();
            const auto step = in.own(wide.div(wide.log2(wide_base(wide, *x.declared)), count(wide, x)));
            return in.exp2(in.mul(index(in, x), in.negated(step)));
          }),
      row({exponent, order}, "interpolated", "exp((1 - i/(n-1)) l - l), l = ln b (n-1) 2/d",
          [](auto& in, auto& x, auto&) { return interpolated(in, x); }),

      row({exponent, scaling}, "exact", "exact, rounded once",
          [](auto& in, auto& x, auto&) { return in.once([&x] { return x.declared->exact.at(x.pair); }); }),
      row({exponent, scaling}, "ratio", "q = pow(b, -2/d)",
          [](auto& in, auto& x, auto&) { return ratio(in, x); }),

      row(scaling, "of-frequency", "",
          [](auto& in, auto& x, auto&) { return scaled(in, *x.declared, x.pair, x.unscaled); }),
      row(scaling, "left", "as it is before the scaling", [](auto&, auto& x, auto&) { return x.unscaled; }),

      row(narrowing, "kept", "used as computed", [](auto&, auto& x, auto&) { return x.frequency; }),
      row(
          narrowing, "rounded-frequency", "{narrowed}",
          [](auto& in, auto& x, auto& by) { return in.to(*by.to, x.frequency); }, "frequency/format"),

      row(divisor, "undivided", "", [](auto& in, auto&, auto&) { return in.integer(1); }),
      row(divisor, "scaling-divisor", "the ratio of a frequency to its scaled one",
          [](auto& in, auto& x, auto&) { return scaling_divisor(in, x); }),

      row(phase, "product", "", [](auto& in, auto& x, auto&) { return in.mul(x.position, x.frequency); }),
      row(phase, "carried", "q times that of the pair before",
          [](auto& in, auto& x, auto&) {
            return carried(in, x, x.position, x.frequency, [](auto& before) { return before.phase; });
          }),
      row(
          phase, "rounded-phase", "{narrowed}",
          [](auto& in, auto& x, auto& by) { return in.to(*by.to, in.mul(x.position, x.frequency)); },
          "phase/format"),

      row(argument, "phase-itself", "", [](auto&, auto& x, auto&) { return x.phase; }),
      row(argument, "divided-phase", "divided by its divisor",
          [](auto& in, auto& x, auto&) { return in.div(x.phase, x.divisor); })};
}

}  // namespace

std::span<const Way> ways() {
  static const std::vector<Way> rows = make_ways();
  return rows;
}

const Way& way_named(std::string_view id) {
  const auto found = std::ranges::find(ways(), id, &Way::id);
  assert(found != ways().end());
  return *found;
}

const Way& plain_way(Stage stage) {
  return *std::ranges::find(ways(), stage, &Way::first);
}

std::vector<Use> ways_that_end(Stage stage) {
  std::vector<Use> result;
  for (const auto* way : pointers_to(ways(), [&](const Way& way) { return way.last == stage; })) {
    if (!way->rounds()) {
      result.push_back({.way = way});
      continue;
    }
    for (const auto format : {Format::bfloat16, Format::binary16}) {
      result.push_back(use(way->id, format));
    }
  }
  return result;
}

bool Way::rounds() const {
  return words.find(narrowing_placeholder) != std::string_view::npos;
}

std::string Use::words() const {
  std::string result(way->words);
  if (to) {
    result.replace(result.find(narrowing_placeholder), narrowing_placeholder.size(), to->words());
  }
  return result;
}

}  // namespace vernier::program
