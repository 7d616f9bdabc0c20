#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "numerics/program/bits.hpp"
#include "numerics/program/declared.hpp"
#include "numerics/program/exact.hpp"
#include "numerics/program/narrowing.hpp"
#include "numerics/program/reach.hpp"

namespace vernier::program {

/// A place at which programs part, in the order in which a program comes to them.
enum class Stage : std::uint8_t {
  position,   ///< the number that a pair turns by
  exponent,   ///< i n/m, where the order of operations has one
  order,      ///< of the operations that give the unscaled frequency
  scaling,    ///< what is made of it
  narrowing,  ///< what it is rounded to before use
  divisor,    ///< of the phase, where that is scaled in place of the frequency
  phase,      ///< of position and frequency
  argument    ///< what the sine is taken of
};
/// What is computed there.
inline constexpr std::array<std::string_view, 8> stage_words{
    "position", "exponent", "frequency", "frequency", "frequency", "divisor", "phase", "phase"};
constexpr Stage next(Stage stage) {
  return static_cast<Stage>(static_cast<std::size_t>(stage) + 1);
}

/// The numbers of one pair so far, in the arithmetic A. Pairs of a row lie one behind the other.
template <class A>
struct Element {
  using Number = typename A::Number;
  const Declared* declared = nullptr;
  std::int64_t row = 0;
  int pair = 0;
  Number position{};
  Number exponent{};
  Number unscaled{};
  Number frequency{};
  Number divisor{};
  Number phase{};
  Number angle{};

  const Element& before() const { return this[-1]; }
  /// What a stage computes.
  Number& at(Stage stage) {
    switch (stage) {
      case Stage::position:
        return position;
      case Stage::exponent:
        return exponent;
      case Stage::order:
        return unscaled;
      case Stage::scaling:
      case Stage::narrowing:
        return frequency;
      case Stage::divisor:
        return divisor;
      case Stage::phase:
        return phase;
      case Stage::argument:
        break;
    }
    return angle;
  }
};

struct Way;

/// A way with its parameters.
struct Use {
  const Way* way = nullptr;
  std::optional<In> in = std::nullopt;         ///< the arithmetic, where it is not the program's
  std::optional<Narrowing> to = std::nullopt;  ///< of a way that rounds

  /// "rounded to bfloat16"
  std::string words() const;
};

/// How a stage's number comes from those before: one generic lambda, read in every arithmetic.
class Formula {
 public:
  /// \tparam F captureless, (const A& in, const Element<A>& x, const Use& by) -> A::Number
  template <class F>
  requires(!std::is_same_v<F, Formula>) constexpr Formula(F)  // NOLINT: a lambda is one
      : readings_{&read<F, Bits>, &read<F, Reach>, &read<F, Exact>} {}
  template <class A>
  typename A::Number operator()(const A& in, const Element<A>& x, const Use& by) const {
    return std::get<Reading<A>>(readings_)(in, x, by);
  }

 private:
  template <class A>
  using Reading = typename A::Number (*)(const A&, const Element<A>&, const Use&);
  template <class F, class A>
  static typename A::Number read(const A& in, const Element<A>& x, const Use& by) {
    return F{}(in, x, by);
  }
  std::tuple<Reading<Bits>, Reading<Reach>, Reading<Exact>> readings_;
};

/// One row: how a program may do one stage, or several at once.
struct Way {
  Stage first;
  Stage last;
  std::string_view id;     ///< "1/pow"
  std::string_view words;  ///< "1/pow(b, e)", with {format}; empty of what needs none
  Formula formula;         ///< of the number of `last`
  /// The kind of fault (fault_kinds.json) of a program that does so where its contract allows none of it;
  /// empty of what every contract allows.
  std::string_view fault = {};

  bool rounds() const;
};

/// Every way: ways.cpp lists them. The first of a stage is what a program does that says nothing.
std::span<const Way> ways();
const Way& way_named(std::string_view id);
const Way& plain_way(Stage stage);

inline Use use(std::string_view id) {
  return {.way = &way_named(id)};
}
/// Of a way that rounds: to the nearest number of a format.
inline Use use(std::string_view id, Format format) {
  return {.way = &way_named(id), .to = Narrowing::to_nearest(format)};
}
inline Use use_in(std::string_view id, In in) {
  return {.way = &way_named(id), .in = in};
}

/// A use of each way whose last stage this is; of one that rounds, to each format of 16 bits.
std::vector<Use> ways_that_end(Stage stage);

}  // namespace vernier::program
