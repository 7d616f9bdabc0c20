#include "numerics/case.hpp"

#include <algorithm>
#include <array>

#include "numerics/case_positions.hpp"
#include "numerics/case_tensors.hpp"
#include "numerics/word_list.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 10> roles{
    "encoding", "cos",  "sin",    "positions",          "input",
    "rotated",  "bias", "slopes", "relative_positions", "buckets"};
/// Known words whose laws this version does not judge.
constexpr std::array<std::string_view, 2> unjudged_roles{"input", "rotated"};

[[noreturn]] void refuse_count(const CaseParts& parts, const std::string& role, std::size_t found,
                               std::string_view things, std::size_t expected) {
  throw InputError(parts.tensors.find(role)->second.source + ": " + role + ": found " +
                   std::to_string(found) + " " + std::string(things) + ", expected " +
                   std::to_string(expected) + ", as many as " +
                   (parts.tensors.contains(positions_role) ? "positions" : "the first tensor"));
}

/// \throws InputError naming the case, for a position at which the table has no row
void check_defined(const CaseParts& parts, const ValueTable& table, std::span<const std::int64_t> positions) {
  for (const auto position : positions) {
    try {
      table.require(position);
    } catch (const InputError& error) {
      throw InputError(parts.source + ": " + table.role + ": " + error.what());
    }
  }
}

/// Every table has one row a position, every bias one key.
void check_rows(const CaseParts& parts, const Case& read) {
  for (const auto& table : read.tables) {
    if (table.rows() != read.positions.size()) {
      refuse_count(parts, table.role(), table.rows(), "rows", read.positions.size());
    }
  }
  for (const auto& tensor : read.streamed) {
    if (tensor.rows() != read.positions.size()) {
      refuse_count(parts, tensor.role(), tensor.rows(), "rows", read.positions.size());
    }
  }
  for (const auto& values : read.values) {
    if (values.rows() != read.positions.size()) {
      refuse_count(parts, values.role(), values.rows(), "rows", read.positions.size());
    }
    check_defined(parts, values.table, read.positions);
  }
  for (const auto& bias : read.biases) {
    if (bias.table.factor != BiasTable::Factor::one && bias.keys() != read.positions.size()) {
      refuse_count(parts, bias.table.role, bias.keys(), "keys", read.positions.size());
    }
  }
}

/// The number of positions that the tensors need, if any do.
std::optional<std::size_t> positions_needed(const Case& read) {
  if (!read.tables.empty()) {
    return read.tables.front().rows();
  }
  if (!read.streamed.empty()) {
    return read.streamed.front().rows();
  }
  if (!read.values.empty()) {
    return read.values.front().rows();
  }
  const auto has_keys = [](const BiasTensor& bias) { return bias.table.factor != BiasTable::Factor::one; };
  const auto found = std::ranges::find_if(read.biases, has_keys);
  return found == read.biases.end() ? std::nullopt : std::optional(found->keys());
}

/// Puts the tensor of a role into its place in the case. \param streamed null where rows have one position
void put_into(Case& result, const CaseParts& parts, const StreamedTables* streamed, const std::string& role,
              const NamedTensor& named) {
  if (role == buckets_role) {
    result.buckets = fit_buckets(parts, *result.encoding);
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
  const auto reals = result.encoding->real_tables();
  if (role == positions_role && streamed != nullptr && gives_streams(parts)) {
    result.streams = given_streams(named, streamed->streams);
    result.positions = result.streams.front();
  } else if (role == positions_role) {
    result.positions = given_positions(named);
  } else if (std::ranges::find(unjudged_roles, role) != unjudged_roles.end()) {
    result.not_judged.push_back(role);
  } else if (streamed != nullptr) {
    result.streamed.push_back(fit_streamed(parts, *result.encoding, *streamed, role, named));
  } else if (std::ranges::find(reals, role, &RealTable::role) != reals.end()) {
    result.not_judged.push_back(role);
  } else if (value != values.end()) {
    result.values.push_back(fit_values(parts, *result.encoding, std::move(*value), named));
  } else if (bias != biases.end()) {
    result.biases.push_back(fit_bias(parts, std::move(*bias), named));
  } else {
    result.tables.push_back(fit_table(parts, *result.encoding, role, named));
  }
}

/// \throws InputError for a role that there is not, and for a tensor without elements
void check_parts(const CaseParts& parts) {
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
         made.buckets || !made.not_judged.empty();
}

}  // namespace

std::span<const std::string_view> tensor_roles() {
  return roles;
}

Case assemble_case(const CaseParts& parts, std::unique_ptr<Encoding> encoding) {
  require_known_contract(parts);
  check_parts(parts);
  Case result{parts.name, parts.producer, std::move(encoding), {}, {}, {}};
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
  if (const auto count = positions_needed(result); count && !parts.tensors.contains(positions_role)) {
    result.positions = default_positions(parts, *result.encoding, *count);
  }
  if (streamed && result.streams.empty()) {
    result.streams = spread_over_streams(parts, *streamed, result.positions);
  }
  check_rows(parts, result);
  return result;
}

}  // namespace vernier
