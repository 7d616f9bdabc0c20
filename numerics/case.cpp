#include "numerics/case.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "numerics/npy.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

constexpr std::string_view positions_role = "positions";
constexpr std::array<std::string_view, 10> roles{
    "encoding", "cos",  "sin",    "positions",          "input",
    "rotated",  "bias", "slopes", "relative_positions", "buckets"};
/// Known words whose laws this version does not judge.
constexpr std::array<std::string_view, 6> unjudged_roles{
    "input", "rotated", "bias", "slopes", "relative_positions", "buckets"};

std::string join(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? std::string(last_separator) : ", ") + words[i];
  }
  return text;
}

const Contract* find_contract(const CaseSources& sources) {
  if (!sources.contract) {
    return nullptr;
  }
  const auto* contract = contract_named(*sources.contract);
  if (contract == nullptr) {
    std::vector<std::string> known;
    for (const auto& one : contracts()) {
      known.emplace_back(one.id);
    }
    throw InputError(sources.source + ": contract: found " + OrderedJson(*sources.contract).dump() +
                     ", expected " + join(known, " or "));
  }
  return contract;
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

/// Fits a tensor to the table of its role and width.
TableTensor fit(const Encoding& encoding, const std::string& role, const std::filesystem::path& file,
                Tensor tensor, const Contract* contract) {
  tensor = std::move(tensor).without_leading_ones(2);
  std::vector<std::string> expected;
  std::vector<std::string> known;
  for (auto& table : encoding.tables()) {
    const auto width = table.columns.size();
    if (table.role == role && tensor.shape().size() == 2 && tensor.shape().back() == width) {
      if (!tensor.format()) {
        throw InputError(file.string() + ": " + role + ": found " + std::string(traits(tensor.type()).name) +
                         ", expected a floating-point type (bfloat16 bits need \"dtype\")");
      }
      const auto& bound = contract != nullptr ? *contract : default_contract(*tensor.format());
      return {std::move(table), std::move(tensor), &bound};
    }
    if (table.role == role) {
      expected.push_back("[T, " + std::to_string(width) + "]");
    }
    if (std::ranges::find(known, table.role) == known.end()) {
      known.push_back(table.role);
    }
  }
  if (expected.empty()) {
    throw InputError(file.string() + ": found a tensor for \"" + role + "\", expected one for " +
                     join(known, " or ") + " of the encoding: " + encoding.summary());
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  throw InputError(file.string() + ": " + role + ": found the shape " + to_string(tensor.shape()) +
                   ", expected " + join(expected, " or ") + " of the encoding: " + encoding.summary());
}

std::vector<std::int64_t> read_positions(const std::filesystem::path& file, Tensor tensor) {
  tensor = std::move(tensor).without_leading_ones(1);
  if (tensor.shape().size() != 1) {
    throw InputError(file.string() + ": positions: found the shape " + to_string(tensor.shape()) +
                     ", expected one dimension");
  }
  std::vector<std::int64_t> result;
  result.reserve(tensor.elements());
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    const auto position = tensor.integer(i);
    if (!position || *position < -largest_position || *position > largest_position) {
      throw InputError(
          file.string() + ": positions: found element " + std::to_string(i) +
          (position ? " to be " + std::to_string(*position) : " not to be an integer of 64 bits") +
          ", expected integers from -2^31 to 2^31");
    }
    result.push_back(*position);
  }
  return result;
}

std::vector<std::int64_t> consecutive_positions(const CaseSources& sources, std::int64_t first,
                                                std::size_t rows) {
  if (static_cast<std::int64_t>(rows) > largest_position - first + 1) {
    throw InputError(sources.source + ": found " + std::to_string(rows) + " rows from position " +
                     std::to_string(first) + " on, expected positions up to 2^31");
  }
  std::vector<std::int64_t> result(rows);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// Every table has one row a position.
void check_rows(const CaseSources& sources, const Case& read) {
  for (const auto& table : read.tables) {
    if (table.rows() != read.positions.size()) {
      throw InputError(sources.tensors.find(table.role())->second.string() + ": " + table.role() +
                       ": found " + std::to_string(table.rows()) + " rows, expected " +
                       std::to_string(read.positions.size()) + ", as many as " +
                       (sources.tensors.contains(positions_role) ? "positions" : "the first tensor"));
    }
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

}  // namespace

std::span<const std::string_view> tensor_roles() {
  return roles;
}

Case read_case(const std::filesystem::path& file, const std::optional<std::string>& contract) {
  const auto document = read_json(file);
  ObjectReader reader(document, file.string(), "");
  auto sources = read_sources(reader, file);
  auto encoding = parse_spec(reader.object("spec"));
  reader.finish();
  sources.contract = contract ? contract : sources.contract;
  return assemble_case(sources, std::move(encoding));
}

Case assemble_case(const CaseSources& sources, std::unique_ptr<Encoding> encoding) {
  const auto* contract = find_contract(sources);
  for (const auto& [role, name] : sources.dtypes) {
    if (!sources.tensors.contains(role)) {
      throw InputError(sources.source + ": dtype." + role +
                       ": found a type for a tensor that the case does not have");
    }
  }
  Case result{sources.name, sources.producer, std::move(encoding), {}, {}, {}};
  for (const auto role : roles) {
    const auto found = sources.tensors.find(role);
    if (found == sources.tensors.end()) {
      continue;
    }
    auto tensor = read_tensor(sources, found->first, found->second);
    if (role == positions_role) {
      result.positions = read_positions(found->second, std::move(tensor));
    } else if (std::ranges::find(unjudged_roles, role) != unjudged_roles.end()) {
      result.not_judged.emplace_back(role);
    } else {
      result.tables.push_back(
          fit(*result.encoding, found->first, found->second, std::move(tensor), contract));
    }
  }
  if (result.tables.empty() && result.not_judged.empty()) {
    throw InputError(sources.source +
                     ": tensors: found none that an implementation computes, expected at least one");
  }
  if (!sources.tensors.contains(positions_role) && !result.tables.empty()) {
    result.positions =
        consecutive_positions(sources, result.encoding->first_position(), result.tables.front().rows());
  }
  check_rows(sources, result);
  return result;
}

}  // namespace vernier
