#include "numerics/tensors/case.hpp"

#include <algorithm>
#include <iterator>

#include "numerics/tensors/block_scaled.hpp"
#include "numerics/tensors/case_positions.hpp"
#include "numerics/tensors/engine_forms.hpp"
#include "numerics/tensors/fit_tensor.hpp"
#include "numerics/tensors/leading_dimensions.hpp"
#include "numerics/tensors/position_unit.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Those of vectors stand among them.
const std::vector<std::string_view>& roles() {
  static const auto names = [] {
    std::vector<std::string_view> result{"encoding",  "cos",         "sin",      "cos_k",
                                         "sin_k",     "scale",       "index",    "position_ids",
                                         "resampled", "coordinates", "positions"};
    for (const auto& vectors : vector_roles()) {
      result.insert(result.end(), {vectors.input, vectors.role});
    }
    result.insert(result.end(),
                  {"bias", "slopes", "relative_positions", "buckets", frequencies_role, block_scales_role});
    const auto packed = packed_roles();
    result.insert(result.end(), packed.begin(), packed.end());
    return result;
  }();
  return names;
}

/// \throws InputError naming the case, for a position at which the table has no row
template <class Table>
void check_defined(const CaseInput& parts, const Table& table, std::span<const std::int64_t> positions) {
  for (const auto position : positions) {
    try {
      table.require(position);
    } catch (const InputError& error) {
      throw InputError("{}: {}: {}", parts.source, table.role, error.what());
    }
  }
}

/// A tensor of rows, as it came.
struct Rows {
  std::string role;
  std::string source;
  Shape leading;
  std::size_t count = 0;  ///< of each copy

  Shape shape() const {
    auto result = leading;
    result.push_back(count);
    return result;
  }
};

Rows rows_of(const CaseInput& parts, std::string_view role) {
  const auto& [name, named] = *parts.tensors.find(role);
  const auto& shape = named.tensor.shape();
  return {name, named.source, leading_dimensions(named.tensor), shape[shape.size() - 2]};
}

/// Rows of a table. Sizes of 1 after them, as in [1, T, 1, W] and [T, 1, 1, W], are there for heads and
/// batches to share the table: they are no copies of one row, unless positions are given that say so.
Rows rows_of_table(const CaseInput& parts, std::string_view role,
                   const std::optional<ShapedPositions>& given) {
  auto rows = rows_of(parts, role);
  const auto are_copies = [&] {
    return given && positions_of_rows(given->values, given->shape, rows.leading, rows.count);
  };
  if (rows.count == 1 && !are_copies()) {
    while (rows.count == 1 && !rows.leading.empty()) {
      rows.count = rows.leading.back();
      rows.leading.pop_back();
    }
  }
  return rows;
}

/// All tensors of tables with rows, in the order of their kinds.
std::vector<Rows> all_rows(const CaseInput& parts, const Case& made,
                           const std::optional<ShapedPositions>& given) {
  std::vector<Rows> result;
  made.tensors.for_each([&](const auto& tensor) {
    if constexpr (requires { columns_of(tensor.table); }) {
      result.push_back(rows_of_table(parts, tensor.role(), given));
    }
  });
  return result;
}

/// The position of every row. \throws InputError if the positions are not theirs
std::vector<std::int64_t> positions_for(const Rows& rows, const ShapedPositions& positions) {
  if (auto result = positions_of_rows(positions.values, positions.shape, rows.leading, rows.count)) {
    return *std::move(result);
  }
  if (rows.leading.empty() && positions.shape.size() == 1) {
    throw InputError("{}: {}: found {} rows, expected {}, as many as positions", rows.source, rows.role,
                     rows.count, positions.shape.back());
  }
  throw InputError(
      "{}: {}: found rows of the shape {}, expected that of the positions, {}, or it with further dimensions "
      "before the last",
      rows.source, rows.role, to_string(rows.shape()), to_string(positions.shape));
}

/// \throws InputError unless all tensors have as many rows as the first, in as many copies
void check_same_rows(const std::vector<Rows>& tensors) {
  for (const auto& rows : tensors) {
    const auto& first = tensors.front();
    refuse_if(rows.leading != first.leading,
              "{}: {}: found rows of the shape {}, expected {}, the shape of those of {}", rows.source,
              rows.role, to_string(rows.shape()), to_string(first.shape()), first.role);
    refuse_if(rows.count != first.count, "{}: {}: found {} rows, expected {}, as many as the first tensor",
              rows.source, rows.role, rows.count, first.count);
  }
}

/// The biases of keys that have positions.
std::vector<const BiasTensor*> biases_of_keys(const Case& made) {
  return pointers_to(made.tensors.all<BiasTensor>(),
                     [](const BiasTensor& bias) { return bias.table.factor != BiasTable::Factor::one; });
}

/// \throws InputError unless every bias has as many keys as there are positions
void check_keys(const CaseInput& parts, const Case& made) {
  for (const auto* bias : biases_of_keys(made)) {
    refuse_if(bias->keys() != made.positions.size(), "{}: {}: found {} keys, expected {}, as many as {}",
              parts.tensors.find(bias->table.role)->second.source, bias->table.role, bias->keys(),
              made.positions.size(),
              parts.tensors.contains(positions_role) ? "positions" : "the first tensor");
  }
}

/// The positions of keys: one dimension.
std::vector<std::int64_t> positions_of_keys(const ShapedPositions& positions) {
  refuse_if(positions.shape.size() != 1, "{}: positions: found the shape {}, expected one dimension",
            positions.source, to_string(positions.shape));
  return positions.values;
}

/// Puts positions to rotated vectors.
void place_vectors(RotatedTensor& vectors, const CaseInput& parts, const Encoding& encoding,
                   const std::optional<PositionAxes>& axes, const std::optional<ShapedPositions>& given) {
  const auto rows = rows_of(parts, vectors.role());
  if (axes && given && given->shape.size() >= 2) {
    for (const auto& of_axis : by_axis(*given, axes->count)) {
      vectors.positions_by_axis.push_back(positions_for(rows, of_axis));
    }
    vectors.positions = vectors.positions_by_axis.front();
    return;
  }
  vectors.positions = positions_for(rows, given ? *given : default_positions(parts, encoding, rows.count));
  if (axes) {
    vectors.positions_by_axis = spread_over_axes(parts, *axes, vectors.positions);
  } else {
    vectors.rotation.axes.clear();  // the positions along all of them are equal
  }
}

/// Makes places of positions, as the tables of an encoding take them.
void make_places(const CaseInput& parts, const PositionMap& map, std::vector<std::int64_t>& positions) {
  for (auto& position : map.is_plain() ? std::span<std::int64_t>() : std::span(positions)) {
    try {
      position = map.place(position);
    } catch (const InputError& error) {
      throw InputError("{}: positions: {}", parts.source, error.what());
    }
  }
}

/// Puts places of positions to the rows, keys and vectors of a case. \param axes nothing where rows have one
/// position
void place(Case& made, const CaseInput& parts, const std::optional<PositionAxes>& axes, int places) {
  const auto given = given_positions(parts, places);
  const auto rows = all_rows(parts, made, given);
  const auto positions_or_default = [&](std::size_t count) {
    return given ? *given : default_positions(parts, *made.encoding, count);
  };
  if (axes && given && gives_axes(parts)) {
    for (const auto& of_axis : by_axis(*given, axes->count)) {
      made.positions_by_axis.push_back(rows.empty() ? of_axis.values : positions_for(rows.front(), of_axis));
    }
    made.positions = made.positions_by_axis.front();
  } else if (!rows.empty()) {
    made.positions = positions_for(rows.front(), positions_or_default(rows.front().count));
  } else if (const auto biases = biases_of_keys(made); !biases.empty()) {
    made.positions = positions_of_keys(positions_or_default(biases.front()->keys()));
  } else if (given) {
    made.positions = given->values;
  }
  if (!rows.empty()) {
    check_same_rows(rows);
    made.leading = rows.front().leading;
  }
  if (axes && made.positions_by_axis.empty()) {
    made.positions_by_axis = spread_over_axes(parts, *axes, made.positions);
  }
  if (axes) {
    made.zero_rows = axes->zero_rows(made.positions_by_axis);
  }
  const auto& map = made.encoding->positions();
  const auto make_all = [&](std::vector<std::int64_t>& positions,
                            std::vector<std::vector<std::int64_t>>& by_axis) {
    make_places(parts, map, positions);
    for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
      make_places(parts, axes->maps.empty() ? map : axes->maps[axis], by_axis[axis]);
    }
  };
  for (auto& vectors : made.tensors.all<RotatedTensor>()) {
    const auto own = own_positions_of_vectors(parts, vectors.role(), places);
    place_vectors(vectors, parts, *made.encoding, axes, own ? own : given);
    made.positions = rows.empty() ? vectors.positions : made.positions;
    make_all(vectors.positions, vectors.positions_by_axis);
  }
  make_all(made.positions, made.positions_by_axis);
}

/// The definitions for rows with one position, or for those with several.
std::vector<TensorDefinition> definitions_of(const Encoding& encoding, bool has_axes) {
  auto result = encoding.tensors();
  std::erase_if(result, [&](const TensorDefinition& definition) {
    const auto form = tensor_form(definition);
    return form.sines != nullptr && (has_axes ? form.is_plain() : !form.axes.empty());
  });
  return result;
}

/// \throws InputError for a role that there is not, and for a tensor without elements
void check_parts(const CaseInput& parts) {
  for (const auto& [role, named] : parts.tensors) {
    refuse_if(std::ranges::find(roles(), role) == roles().end(),
              "{}: found a tensor for \"{}\", expected one for {}", named.source, role,
              joined({roles().begin(), roles().end()}, " or "));
    refuse_if(named.tensor.elements() == 0, "{}: {}: found the shape {}, expected at least one element",
              named.source, role, to_string(named.tensor.shape()));
  }
}

}  // namespace

std::span<const std::string_view> tensor_roles() {
  return roles();
}

Case assemble_case(const CaseInput& given, std::unique_ptr<Encoding> encoding) {
  require_known_contract(given);
  check_parts(given);
  const auto parts = in_defined_forms(with_block_scales(given), *encoding);
  const auto places = binary_places(parts);
  if (places) {
    encoding = with_binary_places(parts, std::move(encoding), *places);
  }
  Case result{
      .name = parts.name, .producer = parts.producer, .encoding = std::move(encoding), .positions = {}};
  const auto axes = axes_of_rows(parts, *result.encoding);
  auto definitions = definitions_of(*result.encoding, axes.has_value());
  if (parts.tensors.contains(frequencies_role)) {
    std::ranges::move(frequency_definitions(*result.encoding), std::back_inserter(definitions));
  }
  if (parts.quantization) {
    definitions = scaled(std::move(definitions), parts.quantization->factor);
    result.quantization = parts.quantization;
  }
  for (const auto role : roles()) {
    const auto found = parts.tensors.find(role);
    if (found != parts.tensors.end() && !is_accompanying(parts, role)) {
      add_fitted(result.tensors, parts, *result.encoding, definitions, found->first, found->second);
    }
  }
  refuse_if(result.tensors.empty(),
            "{}: tensors: found none that an implementation computes, expected at least one", parts.source);
  place(result, parts, axes, places.value_or(0));
  check_keys(parts, result);
  result.tensors.for_each([&](const auto& tensor) {
    if constexpr (requires { tensor.table.require(std::int64_t{}); }) {
      check_defined(parts, tensor.table, result.positions);
    }
  });
  return result;
}

}  // namespace vernier
