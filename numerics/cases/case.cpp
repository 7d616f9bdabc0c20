#include "numerics/cases/case.hpp"

#include <algorithm>
#include <array>

#include "numerics/cases/case_positions.hpp"
#include "numerics/cases/case_tensors.hpp"
#include "numerics/cases/leading_dimensions.hpp"
#include "reference/input_error.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 15> roles{
    "encoding", "cos",     "sin",     "cos_k",     "sin_k", "scale",  "positions",
    "input",    "rotated", "input_k", "rotated_k", "bias",  "slopes", "relative_positions",
    "buckets"};

/// \throws InputError naming the case, for a position at which the table has no row
void check_defined(const CaseInput& parts, const ValueTable& table, std::span<const std::int64_t> positions) {
  for (const auto position : positions) {
    try {
      table.require(position);
    } catch (const InputError& error) {
      throw InputError(parts.source + ": " + table.role + ": " + error.what());
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

/// All tensors of rows of the encoding, in the order of their roles.
std::vector<Rows> all_rows(const CaseInput& parts, const Case& made) {
  std::vector<Rows> result;
  for (const auto& table : made.tables) {
    result.push_back(rows_of(parts, table.role()));
  }
  for (const auto& tensor : made.streamed) {
    result.push_back(rows_of(parts, tensor.role()));
  }
  for (const auto& values : made.values) {
    result.push_back(rows_of(parts, values.role()));
  }
  for (const auto& scaled : made.scaled) {
    result.push_back(rows_of(parts, scaled.role()));
  }
  return result;
}

/// The position of every row. \throws InputError if the positions are not theirs
std::vector<std::int64_t> positions_for(const Rows& rows, const ShapedPositions& positions) {
  if (auto result = positions_of_rows(positions.values, positions.shape, rows.leading, rows.count)) {
    return *std::move(result);
  }
  if (rows.leading.empty() && positions.shape.size() == 1) {
    throw InputError(rows.source + ": " + rows.role + ": found " + std::to_string(rows.count) +
                     " rows, expected " + std::to_string(positions.shape.back()) + ", as many as positions");
  }
  throw InputError(rows.source + ": " + rows.role + ": found rows of the shape " + to_string(rows.shape()) +
                   ", expected that of the positions, " + to_string(positions.shape) +
                   ", with no other dimensions than further ones before the last");
}

/// \throws InputError unless all tensors have as many rows as the first, in as many copies
void check_same_rows(const std::vector<Rows>& all) {
  for (const auto& rows : all) {
    const auto& first = all.front();
    if (rows.leading != first.leading) {
      throw InputError(rows.source + ": " + rows.role + ": found rows of the shape " +
                       to_string(rows.shape()) + ", expected " + to_string(first.shape()) +
                       ", the shape of those of " + first.role);
    }
    if (rows.count != first.count) {
      throw InputError(rows.source + ": " + rows.role + ": found " + std::to_string(rows.count) +
                       " rows, expected " + std::to_string(first.count) + ", as many as the first tensor");
    }
  }
}

/// \throws InputError unless every bias has as many keys as there are positions
void check_keys(const CaseInput& parts, const Case& made) {
  for (const auto& bias : made.biases) {
    if (bias.table.factor != BiasTable::Factor::one && bias.keys() != made.positions.size()) {
      throw InputError(parts.tensors.find(bias.table.role)->second.source + ": " + bias.table.role +
                       ": found " + std::to_string(bias.keys()) + " keys, expected " +
                       std::to_string(made.positions.size()) + ", as many as " +
                       (parts.tensors.contains(positions_role) ? "positions" : "the first tensor"));
    }
  }
}

/// The number of keys that have positions, if there are any.
std::optional<std::size_t> keys_of(const Case& made) {
  const auto has_keys = [](const BiasTensor& bias) { return bias.table.factor != BiasTable::Factor::one; };
  const auto found = std::ranges::find_if(made.biases, has_keys);
  return found == made.biases.end() ? std::nullopt : std::optional(found->keys());
}

/// The positions of keys: one dimension.
std::vector<std::int64_t> positions_of_keys(const ShapedPositions& positions) {
  if (positions.shape.size() != 1) {
    throw InputError(positions.source + ": positions: found the shape " + to_string(positions.shape) +
                     ", expected one dimension");
  }
  return positions.values;
}

/// Puts positions to rotated vectors.
void place_vectors(RotatedTensor& vectors, const CaseInput& parts, const Encoding& encoding,
                   const StreamedTables* streamed, const std::optional<ShapedPositions>& given) {
  const auto rows = rows_of(parts, vectors.rotation.role());
  if (streamed != nullptr && given && given->shape.size() >= 2) {
    for (const auto& stream : by_stream(*given, streamed->streams)) {
      vectors.streams.push_back(positions_for(rows, stream));
    }
    vectors.positions = vectors.streams.front();
    return;
  }
  vectors.positions = positions_for(rows, given ? *given : default_positions(parts, encoding, rows.count));
  if (streamed != nullptr) {
    vectors.streams = spread_over_streams(parts, *streamed, vectors.positions);
  } else {
    vectors.rotation.streams.clear();  // the positions of all streams are equal
  }
}

/// Puts positions to the rows, keys and vectors of a case. \param streamed null where rows have one position
void place(Case& made, const CaseInput& parts, const StreamedTables* streamed) {
  const auto given = given_positions(parts);
  const auto rows = all_rows(parts, made);
  const auto positions_or_default = [&](std::size_t count) {
    return given ? *given : default_positions(parts, *made.encoding, count);
  };
  if (streamed != nullptr && given && gives_streams(parts)) {
    for (const auto& stream : by_stream(*given, streamed->streams)) {
      made.streams.push_back(rows.empty() ? stream.values : positions_for(rows.front(), stream));
    }
    made.positions = made.streams.front();
  } else if (!rows.empty()) {
    made.positions = positions_for(rows.front(), positions_or_default(rows.front().count));
  } else if (const auto keys = keys_of(made)) {
    made.positions = positions_of_keys(positions_or_default(*keys));
  } else if (given) {
    made.positions = given->values;
  }
  if (!rows.empty()) {
    check_same_rows(rows);
    made.leading = rows.front().leading;
  }
  if (streamed != nullptr && made.streams.empty()) {
    made.streams = spread_over_streams(parts, *streamed, made.positions);
  }
  const auto own = own_positions_of_vectors(parts);
  for (auto& vectors : made.rotated) {
    place_vectors(vectors, parts, *made.encoding, streamed, own ? own : given);
    made.positions = rows.empty() ? vectors.positions : made.positions;
  }
}

/// Puts the tensor of a role into its place in the case. \param streamed null where rows have one position
void put_into(Case& result, const CaseInput& parts, const StreamedTables* streamed, const std::string& role,
              const NamedTensor& named) {
  if (role == buckets_role) {
    result.buckets = fit_buckets(parts, *result.encoding);
    return;
  }
  if (role == positions_role) {
    return;  // they take their place when the rows are known
  }
  if (role == input_role || role == keys_input_role) {
    require_rotated(parts, role);
    return;
  }
  if (role == rotated_role || role == rotated_keys_role) {
    result.rotated.push_back(fit_rotated(parts, *result.encoding, named, role));
    return;
  }
  if (role == relative_positions_role) {
    if (!parts.tensors.contains(buckets_role)) {
      throw InputError(parts.source +
                       ": tensors.buckets: missing, expected the bucket of every relative position");
    }
    return;
  }
  auto biases = result.encoding->biases();
  const auto bias = std::ranges::find(biases, role, &BiasTable::role);
  auto values = result.encoding->values();
  const auto value = std::ranges::find(values, role, &ValueTable::role);
  const auto scaled = result.encoding->scaled_tables();
  if (streamed != nullptr) {
    result.streamed.push_back(fit_streamed(parts, *result.encoding, *streamed, role, named));
  } else if (!scaled.empty()) {
    result.scaled.push_back(fit_scaled(parts, *result.encoding, role, named));
  } else if (value != values.end()) {
    result.values.push_back(fit_values(parts, *result.encoding, std::move(*value), named));
  } else if (bias != biases.end()) {
    result.biases.push_back(fit_bias(parts, std::move(*bias), named));
  } else {
    result.tables.push_back(fit_table(parts, *result.encoding, role, named));
  }
}

/// \throws InputError for a role that there is not, and for a tensor without elements
void check_parts(const CaseInput& parts) {
  for (const auto& [role, named] : parts.tensors) {
    if (std::ranges::find(roles, role) == roles.end()) {
      throw InputError(named.source + ": found a tensor for \"" + role + "\", expected one for " +
                       joined({roles.begin(), roles.end()}, " or "));
    }
    if (named.tensor.elements() == 0) {
      throw InputError(named.source + ": " + role + ": found the shape " + to_string(named.tensor.shape()) +
                       ", expected at least one element");
    }
  }
}

bool has_tensors_of_an_implementation(const Case& made) {
  return !made.tables.empty() || !made.streamed.empty() || !made.values.empty() || !made.biases.empty() ||
         made.buckets || !made.rotated.empty() || !made.scaled.empty();
}

}  // namespace

std::span<const std::string_view> tensor_roles() {
  return roles;
}

Case assemble_case(const CaseInput& parts, std::unique_ptr<Encoding> encoding) {
  require_known_contract(parts);
  check_parts(parts);
  Case result{parts.name, parts.producer, std::move(encoding), {}, {}};
  const auto streamed = streamed_tables_for(parts, *result.encoding);
  for (const auto role : roles) {
    if (const auto found = parts.tensors.find(role); found != parts.tensors.end()) {
      put_into(result, parts, streamed ? &*streamed : nullptr, found->first, found->second);
    }
  }
  if (!has_tensors_of_an_implementation(result)) {
    throw InputError(parts.source +
                     ": tensors: found none that an implementation computes, expected at least one");
  }
  place(result, parts, streamed ? &*streamed : nullptr);
  check_keys(parts, result);
  for (const auto& values : result.values) {
    check_defined(parts, values.table, result.positions);
  }
  return result;
}

}  // namespace vernier
