#include "numerics/arithmetic/smallest_parting.hpp"

#include <algorithm>
#include <functional>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/rounding.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_compared = std::int64_t{1} << 20;
constexpr std::uint64_t vectors_of_pair = 48;

Format format_of_tables(const StoredBits& bits, const ArithmeticWays& ways) {
  return bits.tables.empty() ? static_cast<Format>(at(ways, ArithmeticStage::format))
                             : bits.tables.front().format;
}

/// One computation of a table, to be run at any position: a space of nothing else, or of nothing.
TableSpace space_of_one(const StoredBits& bits, const ArithmeticWays& ways) {
  std::vector<PinnedWay> pinned;
  for (const auto stage : all_arithmetic_stages) {
    if (stage < ArithmeticStage::narrowing && at(ways, stage) != not_there) {
      pinned.push_back({stage, at(ways, stage)});
    }
  }
  TableSpace result(bits.frequencies, {bits.amplitude, {format_of_tables(bits, ways)}, true, true});
  result.keep_pinned(pinned);
  return result;
}

/// What one computation makes of a component of a pair.
using OneRotation =
    std::function<double(std::size_t component, const TurnedPair& pair, const StoredSine& by)>;

OneRotation rotation_of(Format table, const StoredVectors& vectors, const ArithmeticWays& ways) {
  const RotationSpace space(table, vectors.input, vectors.output);
  std::array<std::size_t, 2> which{};
  for (std::size_t component = 0; component < 2; ++component) {
    const auto found = std::ranges::find_if(space.rotations(), [&](const ComponentRotation& rotation) {
      return with_rotation(ways, component, rotation) == ways;
    });
    which[component] = static_cast<std::size_t>(found - space.rotations().begin());
  }
  return [=, sign = vectors.sign](std::size_t component, const TurnedPair& pair, const StoredSine& by) {
    return space.predicted(which[component], component, pair, sign, by);
  };
}

std::optional<PartingInput> parting_tables(TableSpace& one, TableSpace& other, std::int64_t context) {
  const auto pairs = std::min(one.pairs(), other.pairs());
  const auto last = std::min(context, most_compared / static_cast<std::int64_t>(pairs));
  for (std::int64_t position = 0; position < last; ++position) {
    one.go_to(position);
    other.go_to(position);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto a = one.element(one.left().front(), pair);
      const auto b = other.element(other.left().front(), pair);
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

std::optional<PartingInput> parting_vectors(TableSpace& table, const StoredVectors& vectors,
                                            const OneRotation& one, const OneRotation& other,
                                            std::int64_t context) {
  const auto last =
      std::min(context, most_compared / static_cast<std::int64_t>(2 * vectors_of_pair * table.pairs()));
  for (std::int64_t position = 0; position < last; ++position) {
    table.go_to(position);
    for (std::size_t pair = 0; pair < table.pairs(); ++pair) {
      const auto by = table.element(table.left().front(), pair);
      for (std::uint64_t number = 0; number < vectors_of_pair; ++number) {
        auto of = designed_input(number, vectors.input, vectors.output, by, vectors.sign);
        for (std::size_t component = 0; component < 2; ++component) {
          const double a = one(component, of, by);
          const double b = other(component, of, by);
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
  auto one = space_of_one(first, of_first);
  auto other = space_of_one(second, of_second);
  if (one.left().empty() || other.left().empty()) {
    return std::nullopt;
  }
  const auto context = std::min(first.context, second.context);
  if (!is_of_vectors) {
    return parting_tables(one, other, context);
  }
  const auto& vectors = first.vectors.front();
  return parting_vectors(one, vectors, rotation_of(format_of_tables(first, of_first), vectors, of_first),
                         rotation_of(format_of_tables(second, of_second), second.vectors.front(), of_second),
                         context);
}

}  // namespace vernier
