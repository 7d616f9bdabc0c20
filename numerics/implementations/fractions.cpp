#include "numerics/implementations/fractions.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "numerics/cases/position_unit.hpp"
#include "numerics/implementations/questions.hpp"

namespace vernier {
namespace {

constexpr int bits_of_numbers = 14;
constexpr int fewest_places = 1;
constexpr int most_places = 12;

/// How many bits a count of numbers, each greater than the one before, takes.
int bits_of(std::int64_t count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1) - 1)));
}

int places_for(const PositionRange& range, ElementType type) {
  const auto greatest = std::max(std::abs(range.first), std::abs(range.at(range.count - 1)));
  const int held = traits(*traits(type).format).precision - bits_of(greatest + 2);
  return std::clamp(std::clamp(bits_of_numbers - bits_of(range.count), fewest_places, most_places), 0,
                    std::max(held, 0));
}

bool has_padding(const OrderedJson& spec) {
  const auto padding = spec.find("padding_idx");
  return padding != spec.end() && !padding->is_null();
}

}  // namespace

std::unique_ptr<Encoding> in_fractions(const Encoding& encoding, ElementType type,
                                       const std::optional<PositionRange>& given, const std::string& source) {
  const auto spec = encoding.spec();
  if (encoding.sequence_length() || has_padding(spec)) {
    return nullptr;
  }
  const auto& unit = encoding.positions().unit();
  if (unit != 1) {
    return counting_in(unit, encoding, source);
  }
  const int places = places_for(asked_range(encoding, given), type);
  return counting_in(Rational(1, std::int64_t{1} << places), encoding, source);
}

std::int64_t numbers_of_one(const Encoding& encoding) {
  return as_integer(Rational(1 / encoding.positions().unit())).value_or(1);
}

}  // namespace vernier
