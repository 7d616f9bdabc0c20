#include <array>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/formats/sha256.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reports/exchange/starting_points/starting_points.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

using Tensors = std::map<std::string, Tensor, std::less<>>;

/// The version of the form of the document.
constexpr int vectors_version = 1;

constexpr const char* data_name = "vectors.safetensors";
constexpr const char* document_name = "vectors.json";
constexpr std::array runners{"run.c", "run.go", "run.java", "run.mjs", "run.py", "run.rs"};

/// \param number of an element, in the format
template <class Number>
Tensor numbers(Format format, const Shape& shape, std::size_t elements, Number number) {
  std::vector<double> values;
  for (std::size_t index = 0; index < elements; ++index) {
    values.push_back(number(index));
  }
  return number_tensor(*element_type_named(traits(format).name), shape, values);
}

Tensor integers(const std::vector<std::int64_t>& values) {
  return integer_tensor({values.size()}, values);
}

template <class Map>
OrderedJson keys_of(const Map& map) {
  auto keys = OrderedJson::array();
  for (const auto& [key, value] : map) {
    keys.push_back(key);
  }
  return keys;
}

/// Adds what a tensor holds under its name, and returns what the document says of it.
OrderedJson add_tensor(Tensors& into, const std::string& name, const VectorTensor& tensor) {
  OrderedJson json{{"role", tensor.role}, {"shape", tensor.shape}};
  if (!tensor.integers.empty()) {
    into.emplace(name + "/int64", integers(tensor.integers));
    into.emplace(name + "/across", integers(tensor.across));
    return json;
  }
  const auto count = tensor.elements();
  for (const auto format : all_formats()) {
    into.emplace(name + "/" + std::string(traits(format).name),
                 numbers(format, tensor.shape, count,
                         [&](std::size_t index) { return tensor.rounded_to(format, index); }));
  }
  into.emplace(name + "/rest", numbers(Format::binary32, tensor.shape, count, [&](std::size_t index) {
                 return round_to(Format::binary32, tensor.rest(index));
               }));
  if (!tensor.input.empty()) {
    into.emplace(name + "/input", number_tensor(ElementType::float32, tensor.shape, tensor.input));
  }
  for (const auto& [key, budgets] : tensor.budgets) {
    into.emplace(name + "/budget/" + key, number_tensor(ElementType::bfloat16, tensor.shape, budgets));
  }
  json["budgets"] = keys_of(tensor.budgets);
  return json;
}

OrderedJson add_sums(Tensors& into, const std::string& name, const ContextSums& sums) {
  into.emplace(name + "/sum", number_tensor(ElementType::float64, sums.shape, sums.sums));
  for (const auto& [key, budgets] : sums.budgets) {
    into.emplace(name + "/sum/budget/" + key, number_tensor(ElementType::bfloat16, sums.shape, budgets));
  }
  return {{"role", sums.role},
          {"shape", sums.shape},
          {"budgets", keys_of(sums.budgets)},
          {"sha256", sums.digests}};
}

OrderedJson add_group(Tensors& into, const VectorGroup& group, VectorCounts& counts) {
  const auto encoding = group.encoding();
  const auto context = group.context(*encoding);
  const auto positions = group.rows(*encoding);
  const auto tensors = vector_tensors(*encoding, positions);
  OrderedJson json{{"id", group.id},
                   {"purpose", group.purpose},
                   {"encoding", encoding->summary()},
                   {"spec", encoding->spec()},
                   {"context", {{"first", context.first}, {"step", context.step}, {"rows", context.count}}},
                   {"rows", positions.size()},
                   {"flags", OrderedJson::object()},
                   {"tensors", OrderedJson::array()},
                   {"sums", OrderedJson::array()}};
  into.emplace(group.id + "/positions", integers(positions));
  if (const auto* axes = encoding->axes()) {
    const auto by_axis = axes->of_positions(positions);
    for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
      into.emplace(fmt::format("{}/positions/axis{}", group.id, axis), integers(by_axis[axis]));
    }
  }
  for (std::size_t row = 0; row < positions.size(); ++row) {
    for (const auto flag : flags_of({*encoding, context, positions[row], tensors, row})) {
      json["flags"][std::string(flag)].push_back(positions[row]);
    }
  }
  for (const auto& tensor : tensors) {
    json["tensors"].push_back(add_tensor(into, group.id + "/" + tensor.role, tensor));
    counts.elements += tensor.elements();
  }
  for (const auto& sums : context_sums(*encoding, context)) {
    json["sums"].push_back(add_sums(into, group.id + "/" + sums.role, sums));
  }
  ++counts.groups;
  counts.rows += positions.size();
  return json;
}

/// What each contract that there are budgets of means.
OrderedJson contracts_json() {
  auto json = OrderedJson::object();
  for (const auto& key : budget_keys()) {
    const auto& contract = *contract_named(key.contract);
    json[std::string(key.contract)] = {{"meaning", contract.meaning}, {"budget", contract.budget}};
  }
  return json;
}

OrderedJson flags_json() {
  auto json = OrderedJson::object();
  for (const auto& flag : row_flags()) {
    json[std::string(flag.id)] = flag.meaning;
  }
  return json;
}

}  // namespace

VectorCounts write_vectors(const VectorSelection& selection, const fs::path& folder) {
  std::vector<std::string> own{data_name};
  if (const auto file = folder / document_name;
      is_there(file) && read_text(file).find("\"vernier_vectors\"") != std::string::npos) {
    own.insert(own.end(), runners.begin(), runners.end());
    own.emplace_back(document_name);
  }
  require_no_other_files(folder, own);
  const auto made = made_folder(folder);
  VectorCounts counts;
  Tensors tensors;
  auto groups =
      array_json(selection.groups, [&](const auto& group) { return add_group(tensors, group, counts); });
  const auto data = folder / data_name;
  write_safetensors(data, tensors, {});
  const auto digest = sha256(read_text(data));
  const OrderedJson document{
      {"vernier_vectors", vectors_version}, {"tool", {{"name", "vernier"}, {"version", version()}}},
      {"version", selection.version},       {"data", {{"file", data_name}, {"sha256", digest}}},
      {"contracts", contracts_json()},      {"flags", flags_json()},
      {"measured", selection.measured},     {"rows_per_sum", rows_per_sum},
      {"groups", std::move(groups)}};
  write_whole(folder / document_name, document_text(document));
  for (const auto* name : runners) {
    write_whole(folder / name, embedded_file(std::string("reports/exchange/vectors/runners/") + name));
  }
  counts.bytes = fs::file_size(data) + fs::file_size(folder / document_name);
  return counts;
}

}  // namespace vernier
