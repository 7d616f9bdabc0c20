#include "numerics/tensors/case_positions.hpp"

#include <algorithm>

#include "numerics/tensors/fit_tensor.hpp"
#include "numerics/tensors/position_unit.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

namespace {

/// Positions and buckets are held, 8 bytes each: of so many half a GiB.
constexpr std::size_t most_integers = std::size_t{1} << 26;

void require_few(const std::string& source, std::size_t count, std::string_view counted) {
  refuse_if(count > most_integers, "{}: found {} {}, expected at most {} at once", source, count, counted,
            most_integers);
}

}  // namespace

std::vector<std::int64_t> integers(const NamedTensor& named, std::string_view role,
                                   const IntegerRange& range) {
  require_few(named.source, named.tensor.elements(), "integers");
  std::vector<std::int64_t> result;
  result.reserve(named.tensor.elements());
  for (std::size_t i = 0; i < named.tensor.elements(); ++i) {
    const auto value = named.tensor.integer(i);
    if (!value || *value < range.least || *value > range.greatest) {
      throw InputError("{}: {}: found element {}{}, expected {}", named.source, role, i,
                       value ? " to be " + std::to_string(*value) : " not to be an integer of 64 bits",
                       range.in_words);
    }
    result.push_back(*value);
  }
  return result;
}

namespace {

ShapedPositions shaped(const NamedTensor& named, int places) {
  auto shape = Tensor(named.tensor).without_leading_ones(1).shape();
  refuse_if(shape.empty(), "{}: positions: found a single number, expected one dimension or more",
            named.source);
  return {named.source, std::move(shape), position_numbers(named, places)};
}

}  // namespace

std::optional<ShapedPositions> given_positions(const CaseInput& parts, int places) {
  const auto found = parts.tensors.find(positions_role);
  return found == parts.tensors.end() ? std::nullopt : std::optional(shaped(found->second, places));
}

std::optional<ShapedPositions> own_positions_of_vectors(const CaseInput& parts, std::string_view role,
                                                        int places) {
  const auto found = parts.positions_of_vectors.find(role);
  return found == parts.positions_of_vectors.end() ? std::nullopt
                                                   : std::optional(shaped(found->second, places));
}

bool gives_axes(const CaseInput& parts) {
  const auto has_several = [](const NamedTensor& named) {
    return Tensor(named.tensor).without_leading_ones(1).shape().size() >= 2;
  };
  const auto found = parts.tensors.find(positions_role);
  return (found != parts.tensors.end() && has_several(found->second)) ||
         std::ranges::any_of(parts.positions_of_vectors,
                             [&](const auto& of_role) { return has_several(of_role.second); });
}

std::vector<ShapedPositions> by_axis(const ShapedPositions& positions, std::size_t axes) {
  const auto& [source, shape, values] = positions;
  refuse_if(shape.front() != axes, "{}: positions: found the shape {}, expected [T] or [{}, T]", source,
            to_string(shape), axes);
  const auto each = static_cast<std::ptrdiff_t>(values.size() / axes);
  std::vector<ShapedPositions> result;
  for (auto from = values.begin(); from != values.end(); from += each) {
    result.push_back({source, {shape.begin() + 1, shape.end()}, {from, from + each}});
  }
  return result;
}

std::vector<std::vector<std::int64_t>> spread_over_axes(const CaseInput& parts, const PositionAxes& axes,
                                                        std::span<const std::int64_t> positions) {
  try {
    return axes.of_positions(positions);
  } catch (const InputError& error) {
    throw InputError("{}: positions: {}", parts.source, error.what());
  }
}

ShapedPositions default_positions(const CaseInput& parts, const Encoding& encoding, std::size_t rows) {
  const auto range = encoding.default_positions(static_cast<std::int64_t>(rows));
  const auto last = rows == 0 ? range.first : range.at(range.count - 1);
  refuse_if(std::max(range.first, last) > largest_position,
            "{}: found {} rows from position {} on, expected positions up to 2^31", parts.source, rows,
            range.first);
  require_few(parts.source, rows, "rows");
  ShapedPositions result{parts.source, {rows}, {}};
  result.values.reserve(rows);
  for (std::int64_t row = 0; row < range.count; ++row) {
    result.values.push_back(range.at(row));
  }
  return result;
}

std::optional<PositionAxes> axes_of_rows(const CaseInput& parts, const Encoding& encoding) {
  const auto* axes = encoding.axes();
  if (axes == nullptr || (encoding.turns_by_one_position() && !gives_axes(parts))) {
    return std::nullopt;
  }
  return *axes;
}

}  // namespace vernier
