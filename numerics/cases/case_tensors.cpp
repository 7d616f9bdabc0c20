#include "numerics/cases/case_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/cases/case_positions.hpp"
#include "numerics/cases/leading_dimensions.hpp"
#include "reference/input_error.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

bool judges_tables(const Contract& contract) {
  return contract.bind != nullptr;
}
bool judges_biases(const Contract& contract) {
  return contract.bind_bias != nullptr;
}
bool judges_values(const Contract& contract) {
  return contract.bind_value != nullptr;
}
bool judges_buckets(const Contract& contract) {
  return contract.buckets != BucketTolerance::undefined;
}

[[noreturn]] void refuse_contract(const CaseInput& parts, const std::string& for_what,
                                  ContractApplies applies) {
  std::vector<std::string> known;
  for (const auto& one : contracts()) {
    if (applies(one)) {
      known.emplace_back(one.id);
    }
  }
  throw InputError(parts.source + ": contract: found " + OrderedJson(*parts.contract).dump() + ", expected" +
                   for_what + " " + joined(known, " or "));
}

/// The contract of a tensor: the one that the case names, if it names one.
const Contract& contract_of(const CaseInput& parts, std::string_view role, const Contract& fallback,
                            ContractApplies applies) {
  if (!parts.contract) {
    return fallback;
  }
  const auto* contract = contract_named(*parts.contract);
  if (contract != nullptr && applies(*contract)) {
    return *contract;
  }
  refuse_contract(parts, " for " + std::string(role), applies);
}

/// The roles of the tensors that an encoding defines.
std::vector<std::string> roles_of(const Encoding& encoding) {
  std::vector<std::string> known;
  for (const auto& table : encoding.tables()) {
    if (std::ranges::find(known, table.role) == known.end()) {
      known.push_back(table.role);
    }
  }
  for (const auto& values : encoding.values()) {
    known.push_back(values.role);
  }
  for (const auto& table : encoding.real_tables()) {
    if (std::ranges::find(known, table.role) == known.end()) {
      known.push_back(table.role);
    }
  }
  for (const auto& bias : encoding.biases()) {
    known.push_back(bias.role);
  }
  if (encoding.buckets()) {
    known.emplace_back(buckets_role);
  }
  return known;
}

}  // namespace

void require_known_contract(const CaseInput& parts) {
  if (parts.contract && contract_named(*parts.contract) == nullptr) {
    refuse_contract(parts, "", [](const Contract&) { return true; });
  }
}

void refuse_role(const Encoding& encoding, std::string_view role, const std::string& source) {
  throw InputError(source + ": found a tensor for \"" + std::string(role) + "\", expected one for " +
                   joined(roles_of(encoding), " or ") + " of the encoding: " + encoding.summary());
}

namespace {

void require_floating_point(const NamedTensor& named, std::string_view role) {
  if (!named.tensor.format()) {
    throw InputError(named.source + ": " + std::string(role) + ": found " +
                     std::string(traits(named.tensor.type()).name) +
                     ", expected a floating-point type (bfloat16 bits need \"dtype\")");
  }
}

/// \pre a floating-point tensor
void require_finite(const NamedTensor& input) {
  std::vector<double> row(input.tensor.shape().back());
  for (std::size_t first = 0; first < input.tensor.elements(); first += row.size()) {
    input.tensor.numbers(first, row);
    const auto bad = std::ranges::find_if(row, [](double x) { return !std::isfinite(x); });
    if (bad != row.end()) {
      throw InputError(input.source + ": input: found element " +
                       std::to_string(first + static_cast<std::size_t>(bad - row.begin())) +
                       " to be infinite or not a number, expected numbers to rotate");
    }
  }
}

/// Which of the tables a tensor of sines fits, by its role and width.
std::size_t fitting_table(const Encoding& encoding, std::span<const TrigTable> tables,
                          const std::string& role, const NamedTensor& named) {
  std::vector<std::string> expected;
  const auto& tensor = named.tensor;
  for (const auto& table : tables) {
    const auto width = table.columns.size();
    if (table.role == role && tensor.shape().size() >= 2 && tensor.shape().back() == width) {
      require_floating_point(named, role);
      return static_cast<std::size_t>(&table - tables.data());
    }
    if (table.role == role) {
      expected.push_back("[..., T, " + std::to_string(width) + "]");
    }
  }
  if (expected.empty()) {
    refuse_role(encoding, role, named.source);
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  throw InputError(named.source + ": " + role + ": found the shape " + to_string(tensor.shape()) +
                   ", expected " + joined(expected, " or ") + " of the encoding: " + encoding.summary());
}

const Contract& contract_of_sines(const CaseInput& parts, const std::string& role, const Tensor& tensor) {
  return contract_of(parts, role, default_contract(*tensor.format()), judges_tables);
}

/// What a tensor of values is held to where the case does not say.
const Contract& default_value_contract(const Tensor& tensor) {
  return tensor.format() ? default_contract(*tensor.format()) : *contract_named("exact");
}

NamedTensor without_leading_ones(const NamedTensor& named, std::size_t rank) {
  return {named.source, Tensor(named.tensor).without_leading_ones(rank)};
}

}  // namespace

TableTensor fit_table(const CaseInput& parts, const Encoding& encoding, const std::string& role,
                      const NamedTensor& named) {
  auto tables = encoding.tables();
  const auto index = fitting_table(encoding, tables, role, named);
  const auto& contract = contract_of_sines(parts, role, named.tensor);
  return {std::move(tables[index]), as_rows(named.tensor), &contract};
}

StreamedTensor fit_streamed(const CaseInput& parts, const Encoding& encoding, const StreamedTables& streamed,
                            const std::string& role, const NamedTensor& named) {
  std::vector<TrigTable> tables;
  for (const auto& table : streamed.tables) {
    tables.push_back(table.table);
  }
  const auto index = fitting_table(encoding, tables, role, named);
  const auto& contract = contract_of_sines(parts, role, named.tensor);
  return {streamed.tables[index], as_rows(named.tensor), &contract};
}

BiasTensor fit_bias(const CaseInput& parts, BiasTable table, const NamedTensor& named) {
  auto fitted = without_leading_ones(named, table.factor == BiasTable::Factor::one ? 1 : 3);
  check_fit(table, fitted.tensor, named.source);
  const auto& contract =
      contract_of(parts, table.role, default_contract(*fitted.tensor.format()), judges_biases);
  return {std::move(table), std::move(fitted.tensor), &contract};
}

ValueTensor fit_values(const CaseInput& parts, const Encoding& encoding, ValueTable table,
                       const NamedTensor& named) {
  const auto& tensor = named.tensor;
  if (tensor.shape().size() < 2 || tensor.shape().back() != table.columns) {
    throw InputError(named.source + ": " + table.role + ": found the shape " + to_string(tensor.shape()) +
                     ", expected [..., T, " + std::to_string(table.columns) +
                     "] of the encoding: " + encoding.summary());
  }
  const auto& contract = contract_of(parts, table.role, default_value_contract(tensor), judges_values);
  if (!judges(contract, table)) {
    throw InputError(parts.source + ": contract: found " + OrderedJson(std::string(contract.id)).dump() +
                     ", expected one that says what sines may be off by, for " + table.role);
  }
  return {std::move(table), as_rows(tensor), &contract};
}

ScaledTensor fit_scaled(const CaseInput& parts, const Encoding& encoding, const std::string& role,
                        const NamedTensor& named) {
  auto scaled = encoding.scaled_tables();
  std::vector<TrigTable> tables;
  for (const auto& table : scaled) {
    tables.push_back(table.sines);
  }
  const auto index = fitting_table(encoding, tables, role, named);
  const auto& contract = contract_of_sines(parts, role, named.tensor);
  return {std::move(scaled[index]), as_rows(named.tensor), &contract};
}

void require_rotated(const CaseInput& parts, const std::string& role) {
  const bool of_keys = role == keys_input_role;
  const auto wanted = of_keys ? rotated_keys_role : rotated_role;
  if (!parts.tensors.contains(wanted) && (of_keys || !parts.tensors.contains(rotated_keys_role))) {
    throw InputError(parts.source + ": tensors." + std::string(wanted) +
                     ": missing, expected both the vectors before and after their rotation");
  }
}

namespace {

/// The vectors before a rotation.
const NamedTensor& input_of(const CaseInput& parts, std::string_view rotated) {
  auto found = rotated == rotated_keys_role ? parts.tensors.find(keys_input_role) : parts.tensors.end();
  found = found == parts.tensors.end() ? parts.tensors.find(input_role) : found;
  if (found == parts.tensors.end()) {
    throw InputError(parts.source + ": tensors." + std::string(input_role) +
                     ": missing, expected both the vectors before and after their rotation");
  }
  return found->second;
}

/// What the encoding makes of such vectors.
HeadRotation rotation_for(const Encoding& encoding, const std::string& role, const std::string& source) {
  auto rotations = encoding.rotations();
  const auto found = std::ranges::find(rotations, role, &HeadRotation::role);
  if (found == rotations.end()) {
    refuse_role(encoding, role, source);
  }
  return std::move(*found);
}

}  // namespace

RotatedTensor fit_rotated(const CaseInput& parts, const Encoding& encoding, const NamedTensor& rotated,
                          const std::string& role) {
  auto rotation = rotation_for(encoding, role, rotated.source);
  const auto& input = input_of(parts, role);
  const auto shape = without_leading_ones(input, 2).tensor.shape();
  if (shape.size() < 2 || shape.back() != rotation.head_dim) {
    throw InputError(input.source + ": input: found the shape " + to_string(input.tensor.shape()) +
                     ", expected [..., T, " + std::to_string(rotation.head_dim) +
                     "] of the encoding: " + encoding.summary());
  }
  if (without_leading_ones(rotated, 2).tensor.shape() != shape) {
    throw InputError(rotated.source + ": " + role + ": found the shape " + to_string(rotated.tensor.shape()) +
                     ", expected " + to_string(shape) + ", the shape of input");
  }
  require_floating_point(input, input_role);
  require_floating_point(rotated, role);
  require_finite(input);
  const auto& contract = contract_of_sines(parts, role, rotated.tensor);
  return {std::move(rotation),
          as_rows(input.tensor),
          as_rows(rotated.tensor),
          &contract,
          {},
          leading_dimensions(input.tensor)};
}

BucketTensor fit_buckets(const CaseInput& parts, const Encoding& encoding) {
  constexpr IntegerRange any_integers{std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), "integers"};
  const auto& named = parts.tensors.find(buckets_role)->second;
  auto rule = encoding.buckets();
  if (!rule) {
    refuse_role(encoding, buckets_role, named.source);
  }
  const auto found = parts.tensors.find(relative_positions_role);
  if (found == parts.tensors.end()) {
    throw InputError(parts.source +
                     ": tensors.relative_positions: missing, expected the relative position of every bucket");
  }
  const auto buckets = without_leading_ones(named, 1);
  const auto relative = without_leading_ones(found->second, 1);
  if (relative.tensor.shape() != buckets.tensor.shape()) {
    throw InputError(relative.source + ": relative_positions: found the shape " +
                     to_string(relative.tensor.shape()) + ", expected " + to_string(buckets.tensor.shape()) +
                     ", the shape of buckets");
  }
  const auto& contract = contract_of(parts, buckets_role, *contract_named("exact"), judges_buckets);
  return {std::move(rule), integers(relative, relative_positions_role, position_integers),
          integers(buckets, buckets_role, any_integers), buckets.tensor.type(), &contract};
}

}  // namespace vernier
