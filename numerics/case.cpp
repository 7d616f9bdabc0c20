#include "numerics/case.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "numerics/npy.hpp"
#include "reference/configs/json_tree.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

constexpr std::string_view positions_role = "positions";
constexpr std::array<std::string_view, 10> roles{
    "encoding", "cos",  "sin",    "positions",          "input",
    "rotated",  "bias", "slopes", "relative_positions", "buckets"};
constexpr std::string_view buckets_role = "buckets";
constexpr std::string_view relative_positions_role = "relative_positions";
/// Known words whose laws this version does not judge.
constexpr std::array<std::string_view, 2> unjudged_roles{"input", "rotated"};

std::string join(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? std::string(last_separator) : ", ") + words[i];
  }
  return text;
}

/// Whether a contract says anything of some kind of tensor.
using Applies = bool (*)(const Contract& contract);

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

[[noreturn]] void refuse_contract(const CaseSources& sources, const std::string& for_what, Applies applies) {
  std::vector<std::string> known;
  for (const auto& one : contracts()) {
    if (applies(one)) {
      known.emplace_back(one.id);
    }
  }
  throw InputError(sources.source + ": contract: found " + OrderedJson(*sources.contract).dump() +
                   ", expected" + for_what + " " + join(known, " or "));
}

/// The contract of a tensor: the one that the case names, if it names one.
const Contract& contract_of(const CaseSources& sources, std::string_view role, const Contract& fallback,
                            Applies applies) {
  if (!sources.contract) {
    return fallback;
  }
  const auto* contract = contract_named(*sources.contract);
  if (contract != nullptr && applies(*contract)) {
    return *contract;
  }
  refuse_contract(sources, " for " + std::string(role), applies);
}

/// The tensor of a role, its bits read as the case says.
Tensor read_tensor(const CaseSources& sources, const std::string& role, const std::filesystem::path& file) {
  auto tensor = read_npy(file);
  const auto wanted = sources.dtypes.find(role);
  if (wanted == sources.dtypes.end() || wanted->second == traits(tensor.type()).name) {
    return tensor;
  }
  const auto type = element_type_named(wanted->second);
  if (!type) {
    std::vector<std::string> known;
    for (const auto& one : element_types()) {
      known.emplace_back(one.name);
    }
    throw InputError(sources.source + ": dtype." + role + ": found " + OrderedJson(wanted->second).dump() +
                     ", expected " + join(known, " or "));
  }
  const bool carries_bits =
      tensor.type() >= ElementType::uint8 && traits(*type).bytes == traits(tensor.type()).bytes;
  if (!carries_bits) {
    throw InputError(file.string() + ": found " + std::string(traits(tensor.type()).name) + ", expected " +
                     wanted->second + " or its bits as unsigned integers, as dtype." + role + " says");
  }
  return std::move(tensor).viewed_as(*type);
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

[[noreturn]] void refuse_role(const Encoding& encoding, std::string_view role,
                              const std::filesystem::path& file) {
  throw InputError(file.string() + ": found a tensor for \"" + std::string(role) + "\", expected one for " +
                   join(roles_of(encoding), " or ") + " of the encoding: " + encoding.summary());
}

/// Which of the tables a tensor of sines fits, by its role and width.
std::size_t fitting_table(const Encoding& encoding, std::span<const TrigTable> tables,
                          const std::string& role, const std::filesystem::path& file, const Tensor& tensor) {
  std::vector<std::string> expected;
  for (const auto& table : tables) {
    const auto width = table.columns.size();
    if (table.role == role && tensor.shape().size() == 2 && tensor.shape().back() == width) {
      if (!tensor.format()) {
        throw InputError(file.string() + ": " + role + ": found " + std::string(traits(tensor.type()).name) +
                         ", expected a floating-point type (bfloat16 bits need \"dtype\")");
      }
      return static_cast<std::size_t>(&table - tables.data());
    }
    if (table.role == role) {
      expected.push_back("[T, " + std::to_string(width) + "]");
    }
  }
  if (expected.empty()) {
    refuse_role(encoding, role, file);
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  throw InputError(file.string() + ": " + role + ": found the shape " + to_string(tensor.shape()) +
                   ", expected " + join(expected, " or ") + " of the encoding: " + encoding.summary());
}

const Contract& contract_of_sines(const CaseSources& sources, const std::string& role, const Tensor& tensor) {
  return contract_of(sources, role, default_contract(*tensor.format()), judges_tables);
}

TableTensor fit_table(const CaseSources& sources, const Encoding& encoding, const std::string& role,
                      const std::filesystem::path& file, Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(2);
  auto tables = encoding.tables();
  const auto index = fitting_table(encoding, tables, role, file, tensor);
  const auto& contract = contract_of_sines(sources, role, tensor);
  return {std::move(tables[index]), std::move(tensor), &contract};
}

StreamedTensor fit_streamed(const CaseSources& sources, const Encoding& encoding,
                            const StreamedTables& streamed, const std::string& role,
                            const std::filesystem::path& file, Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(2);
  std::vector<TrigTable> tables;
  for (const auto& table : streamed.tables) {
    tables.push_back(table.table);
  }
  const auto index = fitting_table(encoding, tables, role, file, tensor);
  const auto& contract = contract_of_sines(sources, role, tensor);
  return {streamed.tables[index], std::move(tensor), &contract};
}

BiasTensor fit_bias(const CaseSources& sources, BiasTable table, const std::filesystem::path& file,
                    Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(table.factor == BiasTable::Factor::one ? 1 : 3);
  check_fit(table, tensor, file);
  const auto& contract = contract_of(sources, table.role, default_contract(*tensor.format()), judges_biases);
  return {std::move(table), std::move(tensor), &contract};
}

/// What a tensor of values is held to where the case does not say.
const Contract& default_value_contract(const Tensor& tensor) {
  return tensor.format() ? default_contract(*tensor.format()) : *contract_named("exact");
}

ValueTensor fit_values(const CaseSources& sources, const Encoding& encoding, ValueTable table,
                       const std::filesystem::path& file, Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(2);
  if (tensor.shape().size() != 2 || tensor.shape().back() != table.columns) {
    throw InputError(file.string() + ": " + table.role + ": found the shape " + to_string(tensor.shape()) +
                     ", expected [T, " + std::to_string(table.columns) +
                     "] of the encoding: " + encoding.summary());
  }
  const auto& contract = contract_of(sources, table.role, default_value_contract(tensor), judges_values);
  if (!judges(contract, table)) {
    throw InputError(sources.source + ": contract: found " + OrderedJson(std::string(contract.id)).dump() +
                     ", expected one that says what sines may be off by, for " + table.role);
  }
  return {std::move(table), std::move(tensor), &contract};
}

/// All elements as integers. \param least, greatest their range, `range` in words
std::vector<std::int64_t> integers(const std::filesystem::path& file, std::string_view role,
                                   const Tensor& tensor, std::int64_t least, std::int64_t greatest,
                                   std::string_view range) {
  std::vector<std::int64_t> result;
  result.reserve(tensor.elements());
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    const auto value = tensor.integer(i);
    if (!value || *value < least || *value > greatest) {
      throw InputError(file.string() + ": " + std::string(role) + ": found element " + std::to_string(i) +
                       (value ? " to be " + std::to_string(*value) : " not to be an integer of 64 bits") +
                       ", expected " + std::string(range));
    }
    result.push_back(*value);
  }
  return result;
}

std::vector<std::int64_t> integers_within_range(const std::filesystem::path& file, std::string_view role,
                                                const Tensor& tensor) {
  return integers(file, role, tensor, -largest_position, largest_position, "integers from -2^31 to 2^31");
}

BucketTensor read_buckets(const CaseSources& sources, const Encoding& encoding) {
  const auto file = sources.tensors.find(buckets_role)->second;
  auto rule = encoding.buckets();
  if (!rule) {
    refuse_role(encoding, buckets_role, file);
  }
  const auto source = sources.tensors.find(relative_positions_role);
  if (source == sources.tensors.end()) {
    throw InputError(sources.source +
                     ": tensors.relative_positions: missing, expected the relative position of every bucket");
  }
  const auto buckets = read_tensor(sources, std::string(buckets_role), file).without_leading_ones(1);
  const auto relative =
      read_tensor(sources, std::string(relative_positions_role), source->second).without_leading_ones(1);
  if (relative.shape() != buckets.shape()) {
    throw InputError(source->second.string() + ": relative_positions: found the shape " +
                     to_string(relative.shape()) + ", expected " + to_string(buckets.shape()) +
                     ", the shape of buckets");
  }
  const auto& contract = contract_of(sources, buckets_role, *contract_named("exact"), judges_buckets);
  return {std::move(rule), integers_within_range(source->second, relative_positions_role, relative),
          integers(file, buckets_role, buckets, std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::int64_t>::max(), "integers"),
          buckets.type(), &contract};
}

std::vector<std::int64_t> read_positions(const std::filesystem::path& file, Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(1);
  if (tensor.shape().size() != 1) {
    throw InputError(file.string() + ": positions: found the shape " + to_string(tensor.shape()) +
                     ", expected one dimension");
  }
  return integers_within_range(file, positions_role, tensor);
}

/// The positions of the tensors' rows by stream. \param tensor of two dimensions
std::vector<std::vector<std::int64_t>> read_streams(const std::filesystem::path& file, const Tensor& tensor,
                                                    std::size_t streams) {
  if (tensor.shape().front() != streams) {
    throw InputError(file.string() + ": positions: found the shape " + to_string(tensor.shape()) +
                     ", expected [T] or [" + std::to_string(streams) + ", T]");
  }
  const auto all = integers_within_range(file, positions_role, tensor);
  const auto rows = static_cast<std::ptrdiff_t>(tensor.shape().back());
  std::vector<std::vector<std::int64_t>> result;
  for (auto from = all.begin(); result.size() < streams; from += rows) {
    result.emplace_back(from, from + rows);
  }
  return result;
}

/// Whether the case gives every row a position for each of several streams.
bool gives_streams(const CaseSources& sources) {
  const auto found = sources.tensors.find(positions_role);
  return found != sources.tensors.end() &&
         read_npy(found->second).without_leading_ones(1).shape().size() == 2;
}

/// The tables to judge by, if rows have several positions that differ: because the case says so, or because
/// those of a token with one position do. Where they are all equal a table of one position is the same, and
/// has more checks.
std::optional<StreamedTables> streamed_tables_for(const CaseSources& sources, const Encoding& encoding) {
  auto streamed = encoding.streamed_tables();
  if (!streamed) {
    return std::nullopt;
  }
  const auto one = streamed->of_position(1);
  const bool alike = std::ranges::count(one, one.front()) == std::ssize(one);
  return alike && !gives_streams(sources) ? std::nullopt : std::move(streamed);
}

/// The positions of every stream where the case gives each row only one.
std::vector<std::vector<std::int64_t>> spread(const CaseSources& sources, const StreamedTables& streamed,
                                              std::span<const std::int64_t> positions) {
  std::vector<std::vector<std::int64_t>> result(streamed.streams);
  for (const auto position : positions) {
    try {
      const auto of_streams = streamed.of_position(position);
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].push_back(of_streams[i]);
      }
    } catch (const InputError& error) {
      throw InputError(sources.source + ": positions: " + error.what());
    }
  }
  return result;
}

std::vector<std::int64_t> default_positions(const CaseSources& sources, const Encoding& encoding,
                                            std::size_t rows) {
  const auto range = encoding.default_positions(static_cast<std::int64_t>(rows));
  const auto last = rows == 0 ? range.first : range.at(range.count - 1);
  if (std::max(range.first, last) > largest_position) {
    throw InputError(sources.source + ": found " + std::to_string(rows) + " rows from position " +
                     std::to_string(range.first) + " on, expected positions up to 2^31");
  }
  std::vector<std::int64_t> result;
  result.reserve(rows);
  for (std::int64_t row = 0; row < range.count; ++row) {
    result.push_back(range.at(row));
  }
  return result;
}

[[noreturn]] void refuse_count(const CaseSources& sources, const std::string& role, std::size_t found,
                               std::string_view things, std::size_t expected) {
  throw InputError(sources.tensors.find(role)->second.string() + ": " + role + ": found " +
                   std::to_string(found) + " " + std::string(things) + ", expected " +
                   std::to_string(expected) + ", as many as " +
                   (sources.tensors.contains(positions_role) ? "positions" : "the first tensor"));
}

/// \throws InputError naming the case, for a position at which the table has no row
void check_defined(const CaseSources& sources, const ValueTable& table,
                   std::span<const std::int64_t> positions) {
  for (const auto position : positions) {
    try {
      table.require(position);
    } catch (const InputError& error) {
      throw InputError(sources.source + ": " + table.role + ": " + error.what());
    }
  }
}

/// Every table has one row a position, every bias one key.
void check_rows(const CaseSources& sources, const Case& read) {
  for (const auto& table : read.tables) {
    if (table.rows() != read.positions.size()) {
      refuse_count(sources, table.role(), table.rows(), "rows", read.positions.size());
    }
  }
  for (const auto& tensor : read.streamed) {
    if (tensor.rows() != read.positions.size()) {
      refuse_count(sources, tensor.role(), tensor.rows(), "rows", read.positions.size());
    }
  }
  for (const auto& values : read.values) {
    if (values.rows() != read.positions.size()) {
      refuse_count(sources, values.role(), values.rows(), "rows", read.positions.size());
    }
    check_defined(sources, values.table, read.positions);
  }
  for (const auto& bias : read.biases) {
    if (bias.table.factor != BiasTable::Factor::one && bias.keys() != read.positions.size()) {
      refuse_count(sources, bias.table.role, bias.keys(), "keys", read.positions.size());
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

/// Reads the tensor of a role into its place in the case. \param streamed null where rows have one position
void read_into(Case& result, const CaseSources& sources, const StreamedTables* streamed,
               const std::string& role, const std::filesystem::path& file) {
  if (role == buckets_role) {
    result.buckets = read_buckets(sources, *result.encoding);
    return;
  }
  if (role == relative_positions_role) {
    if (!sources.tensors.contains(buckets_role)) {
      throw InputError(sources.source +
                       ": tensors.buckets: missing, expected the bucket of every relative position");
    }
    return;
  }
  auto tensor = read_tensor(sources, role, file);
  auto biases = result.encoding->biases();
  const auto bias = std::ranges::find(biases, role, &BiasTable::role);
  auto values = result.encoding->values();
  const auto value = std::ranges::find(values, role, &ValueTable::role);
  const auto reals = result.encoding->real_tables();
  if (role == positions_role && streamed != nullptr && gives_streams(sources)) {
    result.streams = read_streams(file, std::move(tensor).without_leading_ones(1), streamed->streams);
    result.positions = result.streams.front();
  } else if (role == positions_role) {
    result.positions = read_positions(file, std::move(tensor));
  } else if (std::ranges::find(unjudged_roles, role) != unjudged_roles.end()) {
    result.not_judged.push_back(role);
  } else if (streamed != nullptr) {
    result.streamed.push_back(
        fit_streamed(sources, *result.encoding, *streamed, role, file, std::move(tensor)));
  } else if (std::ranges::find(reals, role, &RealTable::role) != reals.end()) {
    result.not_judged.push_back(role);
  } else if (value != values.end()) {
    result.values.push_back(
        fit_values(sources, *result.encoding, std::move(*value), file, std::move(tensor)));
  } else if (bias != biases.end()) {
    result.biases.push_back(fit_bias(sources, std::move(*bias), file, std::move(tensor)));
  } else {
    result.tables.push_back(fit_table(sources, *result.encoding, role, file, std::move(tensor)));
  }
}

CaseSources read_sources(ObjectReader& reader, const std::filesystem::path& file) {
  CaseSources sources;
  sources.source = file.string();
  sources.name = reader.optional_string("name").value_or(file.stem().string());
  sources.producer = reader.optional_string("producer").value_or("");
  auto tensors = reader.object("tensors");
  for (const auto role : roles) {
    if (const auto path = tensors.optional_string(role)) {
      sources.tensors.emplace(role, file.parent_path() / *path);
    }
  }
  tensors.finish();
  if (auto dtypes = reader.optional_object("dtype")) {
    for (const auto role : roles) {
      if (const auto name = dtypes->optional_string(role)) {
        sources.dtypes.emplace(role, *name);
      }
    }
    dtypes->finish();
  }
  sources.contract = reader.optional_string("contract");
  reader.ignore("expect");
  return sources;
}

/// The encoding of a case: its spec, which may be a model's configuration all of whose layers agree.
std::unique_ptr<Encoding> read_encoding(ObjectReader& reader, const JsonValue& document) {
  auto spec = reader.object("spec");
  const auto& value = *value_at(document, "spec");
  if (!is_config(value)) {
    return parse_spec(std::move(spec));
  }
  const auto source = reader.source() + ": spec";
  return parse_spec(ObjectReader(spec_of(understand_config(value, source), "", source), source, ""));
}

}  // namespace

std::span<const std::string_view> tensor_roles() {
  return roles;
}

Case read_case(const std::filesystem::path& file, const std::optional<std::string>& contract) {
  const auto document = read_json(file);
  ObjectReader reader(document, file.string(), "");
  auto sources = read_sources(reader, file);
  auto encoding = read_encoding(reader, document);
  reader.finish();
  sources.contract = contract ? contract : sources.contract;
  return assemble_case(sources, std::move(encoding));
}

Case assemble_case(const CaseSources& sources, std::unique_ptr<Encoding> encoding) {
  if (sources.contract && contract_named(*sources.contract) == nullptr) {
    refuse_contract(sources, "", [](const Contract&) { return true; });
  }
  for (const auto& [role, name] : sources.dtypes) {
    if (!sources.tensors.contains(role)) {
      throw InputError(sources.source + ": dtype." + role +
                       ": found a type for a tensor that the case does not have");
    }
  }
  Case result{sources.name, sources.producer, std::move(encoding), {}, {}, {}};
  const auto streamed = streamed_tables_for(sources, *result.encoding);
  for (const auto role : roles) {
    const auto found = sources.tensors.find(role);
    if (found == sources.tensors.end()) {
      continue;
    }
    read_into(result, sources, streamed ? &*streamed : nullptr, found->first, found->second);
  }
  if (result.tables.empty() && result.streamed.empty() && result.values.empty() && result.biases.empty() &&
      !result.buckets && result.not_judged.empty()) {
    throw InputError(sources.source +
                     ": tensors: found none that an implementation computes, expected at least one");
  }
  if (const auto count = positions_needed(result); count && !sources.tensors.contains(positions_role)) {
    result.positions = default_positions(sources, *result.encoding, *count);
  }
  if (streamed && result.streams.empty()) {
    result.streams = spread(sources, *streamed, result.positions);
  }
  check_rows(sources, result);
  return result;
}

}  // namespace vernier
