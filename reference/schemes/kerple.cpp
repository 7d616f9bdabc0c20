#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/rational_power.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// KERPLE (T.-C. Chi et al., 2022): biases that a head learns the shape of, with d the distance of query and
/// key and b, a, p the head's numbers.
/// log: -b ln(1 + a d^p); the paper has p = 1, NeMo learns it. power: -b d^p.
struct KerpleSpec {
  enum class Kind { log, power };
  struct Head {
    Rational scale;
    Rational a;
    Rational p;
  };

  static constexpr std::string_view scheme = "kerple";

  Kind kind = Kind::log;
  std::vector<Rational> scale;  ///< b of each head
  std::vector<Rational> a;      ///< as many, of log
  std::vector<Rational> p;      ///< as many

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
};

using Head = KerpleSpec::Head;

constexpr std::array<std::string_view, 2> kind_names{"log", "power"};

void KerpleSpec::keys(KeyVisitor& visit) {
  constexpr std::string_view words = "an array of numbers, one a head";
  static const NumberRange exponents{0, 2, "a number greater than 0 and at most 2", true};
  const auto require_all_heads = [&](std::string_view key, const std::vector<Rational>& numbers) {
    visit.require(!numbers.empty(), key, "an array of numbers, one a head, at least one");
    visit.require_all(numbers.size() == scale.size(),
                      fmt::format("{}: found {} numbers, expected {}, as many as scale has", key,
                                  numbers.size(), scale.size()));
  };
  visit.defaulted({"kind", "the bias: -b ln(1 + a d^p), or -b d^p, of the distance d"}, kind,
                  one_of(kind_names));
  visit.required({"scale", "b of each head", "heads"}, scale,
                 list_of(positive_range(), {.fewest = 1, .has_own_words = true}, std::string(words)));
  require_all_heads("scale", scale);
  const ListCount as_many{scale.size(), scale.size(), true};
  if (kind == KerpleSpec::Kind::log) {
    visit.fallback(a, std::vector<Rational>(scale.size(), 1));
    visit.defaulted({"a", "a of each head, 1 where it is not given", "heads"}, a,
                    list_of(positive_range(), as_many, std::string(words)));
    require_all_heads("a", a);
  }
  visit.fallback(p, std::vector<Rational>(scale.size(), 1));
  visit.defaulted({"p", "p of each head, 1 where it is not given", "heads"}, p,
                  list_of(exponents, as_many, std::string(words)));
  require_all_heads("p", p);
}

/// What d^p is off by, in roundings: d, which counts p times; p, which moves the power by p ln d, twice, as
/// its product with a logarithm is rounded too; and the power itself, two. Nothing where p is 1.
double power_roundings(double distance, double p) {
  return p == 1 ? 1 : 2 + p + 2 * p * std::log(distance);
}

/// Beside d^p: b and the product. Of log: a and its product move the argument of the logarithm too, and so
/// does the sum with 1, all of which moves it absolutely; the logarithm is good to 2u of itself.
ComputedReal bias_of(KerpleSpec::Kind kind, const KerpleSpec::Head& head, std::int64_t distance) {
  if (distance == 0) {
    return {[] { return enclose(std::int64_t{0}); }};
  }
  const double d = static_cast<double>(distance);
  const double scale = approximately(head.scale);
  const double p = approximately(head.p);
  const double roundings = power_roundings(d, p);
  if (kind == KerpleSpec::Kind::power) {
    const double value = scale * std::pow(d, p);
    return {rational_power(Rational(distance), head.p, -head.scale), -value,
            [value, roundings](double u) { return value * growth_by(roundings + 2, u); }};
  }
  const double value = scale * std::log1p(approximately(head.a) * std::pow(d, p));
  return {[head, power = rational_power(Rational(distance), head.p, head.a)] {
            return Interval(-enclose(head.scale) * log(1 + power()));
          },
          -value,
          [value, scale, roundings](double u) {
            // What moves the argument by a share moves the logarithm by -ln(1 - share), twice it at most.
            const double of_argument = 2 * growth_by(roundings + 3, u);
            return value * growth_by(4, u) + scale * of_argument * (1 + growth_by(4, u));
          }};
}

std::vector<TensorDefinition> KerpleSpec::tensors() const {
  BiasTable table{"bias", {}, BiasTable::Factor::distance};
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const KerpleSpec::Head head{scale[i], kind == KerpleSpec::Kind::log ? a[i] : Rational(1), p[i]};
    table.curves.emplace_back(
        [of = kind, head](std::int64_t multiplier) { return bias_of(of, head, std::abs(multiplier)); });
  }
  return {std::move(table)};
}

std::string KerpleSpec::summary() const {
  return fmt::format("KERPLE, {} of the distance, {} heads",
                     kind == KerpleSpec::Kind::log ? "logarithm" : "power", scale.size());
}

}  // namespace

Scheme kerple_scheme() {
  return {"kerple",
          "a penalty on attention scores, a logarithm or a power of the distance (Chi et al. 2022)",
          {R"({"scheme":"kerple","scale":[0.5,1,"4/3"]})",
           R"({"scheme":"kerple","scale":[0.5,2],"a":[1.5,0.1],"p":[0.75,1]})",
           R"({"scheme":"kerple","kind":"power","scale":[0.5,2],"p":[0.5,1.25]})"},
          {form_of<KerpleSpec>()}};
}

}  // namespace vernier
