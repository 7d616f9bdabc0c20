#include "numerics/arithmetic/rotation_space.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/table_space.hpp"

namespace vernier {
namespace {

constexpr bool has_16_bits(Format format) {
  return traits(format).bits == 16;
}

Format format_of(TableNarrowing narrowing, Format kept) {
  constexpr std::array<std::optional<Format>, 4> formats{
      {std::nullopt, Format::bfloat16, Format::binary16, Format::binary32}};
  return formats[static_cast<std::size_t>(narrowing)].value_or(kept);
}

/// What a table may be rounded to before it meets vectors.
std::vector<TableNarrowing> narrowings(Format table, Format input) {
  std::vector<TableNarrowing> result{TableNarrowing::kept};
  if (table == Format::binary64) {
    result.push_back(TableNarrowing::float32);
  }
  if (!has_16_bits(table) && has_16_bits(input)) {
    result.push_back(input == Format::bfloat16 ? TableNarrowing::bfloat16 : TableNarrowing::float16);
  }
  return result;
}

}  // namespace

RotationSpace::RotationSpace(Format table, Format input, Format output)
    : table_(table), input_(input), output_(output) {
  using enum ProductOrder;
  for (const auto narrowing : narrowings(table, input)) {
    const auto used = format_of(narrowing, table);
    const bool is_wide = used == Format::binary64 || input == Format::binary64;
    for (const auto order : {each, fused_on_x0, fused_on_x1, three_products}) {
      if (!is_wide) {
        for (const auto mode : store_modes(Format::binary32, output)) {
          rotations_.push_back({narrowing, Format::binary32, order, mode});
        }
      }
      if (is_wide || order == each) {
        for (const auto mode : store_modes(Format::binary64, output)) {
          rotations_.push_back({narrowing, Format::binary64, order, mode});
        }
      }
      if (has_16_bits(input) && used == input) {
        rotations_.push_back({narrowing, input, order, StoreMode::nearest});
      }
    }
  }
  assert(rotations_.size() <= RotationSet().size());
}

ArithmeticWays RotationSpace::ways(std::size_t rotation, std::size_t component) const {
  const auto& one = rotations_[rotation];
  const bool is_first = component == 0;
  auto result = no_arithmetic;
  at(result, ArithmeticStage::narrowing) = index_of(one.narrowing);
  at(result, is_first ? ArithmeticStage::products_0 : ArithmeticStage::products_1) =
      index_of(static_cast<std::size_t>(one.format) * product_orders + static_cast<std::size_t>(one.order));
  at(result, is_first ? ArithmeticStage::store_0 : ArithmeticStage::store_1) = index_of(one.mode);
  return result;
}

std::vector<ArithmeticWays> RotationSpace::ways(const RotationSet& set, std::size_t component) const {
  std::vector<ArithmeticWays> result;
  for_each_in(set, [&](std::size_t rotation) { result.push_back(ways(rotation, component)); });
  return result;
}

RotationSets RotationSpace::taking(const ArithmeticWays& pinned) const {
  RotationSets result;
  for (std::size_t component = 0; component < 2; ++component) {
    for (std::size_t i = 0; i < size(); ++i) {
      result[component].set(i, takes(ways(i, component), pinned));
    }
  }
  return result;
}

bool RotationSpace::has_exact_products(const Rotation& one) const {
  return has_16_bits(input_) && format_of(one.narrowing, table_) == input_;
}

double RotationSpace::unrounded(const Rotation& one, std::size_t component, const TurnedPair& pair,
                                double sign, const StoredSine& by) const {
  const auto in = one.format;
  const auto used = format_of(one.narrowing, table_);
  const double cosine = round_to(used, by.cosine);
  const double sine = round_to(used, by.sine) * (component == 0 ? sign : -sign);
  const double x0 = pair.x0;
  const double x1 = pair.x1;
  // y0 = x0 c + x1 s, y1 = x1 c + x0 s, with the sign of each in s.
  const double by_x0 = component == 0 ? cosine : sine;
  const double by_x1 = component == 0 ? sine : cosine;
  switch (one.order) {
    case ProductOrder::each:
      return add(in, multiply(in, x0, by_x0), multiply(in, x1, by_x1));
    case ProductOrder::fused_on_x0:
      return fused_in(in, x0, by_x0, multiply(in, x1, by_x1));
    case ProductOrder::fused_on_x1:
      return fused_in(in, x1, by_x1, multiply(in, x0, by_x0));
    case ProductOrder::three_products:
      break;
  }
  // Gauss, with s the sine of the turn from x0 to x1: k1 = c (x0 + x1), k2 = x0 (s - c), k3 = x1 (c + s).
  const double turn = component == 0 ? -sine : sine;
  const double first = multiply(in, cosine, add(in, x0, x1));
  return component == 0 ? add(in, first, -multiply(in, x1, add(in, cosine, turn)))
                        : add(in, first, multiply(in, x0, add(in, turn, -cosine)));
}

double RotationSpace::predicted(std::size_t rotation, std::size_t component, const TurnedPair& pair,
                                double sign, const StoredSine& by) const {
  const auto& one = rotations_[rotation];
  return stored_as(one.mode, output_, unrounded(one, component, pair, sign, by));
}

RotationSet RotationSpace::predicting(std::size_t component, const TurnedPair& pair, double sign,
                                      const StoredSine& by, const RotationSet& asked) const {
  RotationSet result;
  const double wanted = component == 0 ? pair.y0 : pair.y1;
  const Rotation* before = nullptr;
  double value = 0;
  for_each_in(asked, [&](std::size_t i) {
    const auto& one = rotations_[i];
    if (before == nullptr || before->narrowing != one.narrowing || before->format != one.format ||
        before->order != one.order) {
      value = unrounded(one, component, pair, sign, by);
    }
    before = &one;
    result.set(i, same_bits(stored_as(one.mode, output_, value), wanted));
  });
  return result;
}

std::size_t RotationSpace::proven_equal(std::size_t rotation) const {
  const auto& one = rotations_[rotation];
  const auto is_one_arithmetic = [&](const Rotation& other) {
    auto in_its_order = other;
    in_its_order.order = one.order;
    return in_its_order == one &&
           (other.order == one.order ||
            (one.format == Format::binary32 && has_exact_products(one) &&
             one.order != ProductOrder::three_products && other.order != ProductOrder::three_products));
  };
  return static_cast<std::size_t>(std::ranges::find_if(rotations_, is_one_arithmetic) - rotations_.begin());
}

}  // namespace vernier
