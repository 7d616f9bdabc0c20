#include "numerics/arithmetic/smallest_parting.hpp"

#include <algorithm>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/rounding.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_compared = std::int64_t{1} << 20;
constexpr std::uint64_t vectors_of_pair = 48;

/// One computation of a table, to be run at any position.
class OneTable {
 public:
  OneTable(const StoredBits& bits, const ArithmeticWays& ways)
      : format_(bits.tables.empty() ? static_cast<Format>(at(ways, ArithmeticStage::format))
                                    : bits.tables.front().format),
        space_(bits.frequencies, {bits.amplitude, {format_}, true, true}) {
    std::vector<PinnedWay> pinned;
    for (std::size_t i = 0; i < arithmetic_stages; ++i) {
      const auto stage = static_cast<ArithmeticStage>(i);
      if (stage < ArithmeticStage::narrowing && at(ways, stage) != not_there) {
        pinned.push_back({stage, at(ways, stage)});
      }
    }
    space_.keep_pinned(pinned);
  }

  Format format() const { return format_; }
  bool is_there() const { return !space_.branches().empty(); }
  std::size_t pairs() const { return space_.pairs(); }
  void go_to(std::int64_t position) { space_.go_to(position); }
  StoredSine element(std::size_t pair) const {
    const auto& branch = space_.branches().front();
    const auto& sines = branch.sines.front();
    return space_.stored(sines.leaves.front(), sines.function,
                         space_.sine(branch, sines.function, pair, space_.phase(branch, pair)));
  }

 private:
  Format format_;
  TableSpace space_;
};

/// One rotation of both components.
class OneRotation {
 public:
  OneRotation(Format table, const StoredVectors& vectors, const ArithmeticWays& ways)
      : space_(table, vectors.input, vectors.output), sign_(vectors.sign) {
    for (std::size_t i = 0; i < space_.rotations().size(); ++i) {
      for (int component = 0; component < 2; ++component) {
        const auto with = with_rotation(ways, component, space_.rotations()[i]);
        rotation_[static_cast<std::size_t>(component)] =
            with == ways ? i : rotation_[static_cast<std::size_t>(component)];
      }
    }
  }
  double predicted(int component, const TurnedPair& pair, const StoredSine& by) const {
    return space_.predicted(rotation_[static_cast<std::size_t>(component)], component, pair, sign_, by);
  }

 private:
  RotationSpace space_;
  double sign_;
  std::array<std::size_t, 2> rotation_{};
};

std::optional<PartingInput> parting_tables(OneTable& one, OneTable& other, std::int64_t context) {
  const auto pairs = std::min(one.pairs(), other.pairs());
  const auto last = std::min(context, most_compared / static_cast<std::int64_t>(pairs));
  for (std::int64_t position = 0; position < last; ++position) {
    one.go_to(position);
    other.go_to(position);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto a = one.element(pair);
      const auto b = other.element(pair);
      if (!same_bits(a.cosine, b.cosine)) {
        return PartingInput{{position, pair}, "cos", a.cosine, b.cosine};
      }
      if (!same_bits(a.sine, b.sine)) {
        return PartingInput{{position, pair}, "sin", a.sine, b.sine};
      }
    }
  }
  return std::nullopt;
}

std::optional<PartingInput> parting_vectors(OneTable& table, const StoredVectors& vectors,
                                            const OneRotation& one, const OneRotation& other,
                                            std::int64_t context) {
  const auto last =
      std::min(context, most_compared / static_cast<std::int64_t>(2 * vectors_of_pair * table.pairs()));
  for (std::int64_t position = 0; position < last; ++position) {
    table.go_to(position);
    for (std::size_t pair = 0; pair < table.pairs(); ++pair) {
      const auto by = table.element(pair);
      for (std::uint64_t number = 0; number < vectors_of_pair; ++number) {
        auto of = designed_input(number, vectors.input, vectors.output, by, vectors.sign);
        for (int component = 0; component < 2; ++component) {
          const double a = one.predicted(component, of, by);
          const double b = other.predicted(component, of, by);
          if (!same_bits(a, b)) {
            return PartingInput{{position, pair, of.x0, of.x1}, component == 0 ? "y0" : "y1", a, b};
          }
          std::swap(of.x0, of.x1);  // made for y0: y1 = x1 cos - sign x0 sin
          of.x0 = -of.x0;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<PartingInput> smallest_parting(const StoredBits& first, const ArithmeticWays& of_first,
                                             const StoredBits& second, const ArithmeticWays& of_second,
                                             bool is_of_vectors) {
  OneTable one(first, of_first);
  OneTable other(second, of_second);
  if (!one.is_there() || !other.is_there()) {
    return std::nullopt;
  }
  const auto context = std::min(first.context, second.context);
  if (!is_of_vectors) {
    return parting_tables(one, other, context);
  }
  const auto& vectors = first.vectors.front();
  return parting_vectors(one, vectors, OneRotation(one.format(), vectors, of_first),
                         OneRotation(other.format(), second.vectors.front(), of_second), context);
}

}  // namespace vernier
