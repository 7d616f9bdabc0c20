#include "numerics/tensors/case_file.hpp"

#include <utility>

#include "numerics/formats/tensor_file.hpp"
#include "numerics/tensors/spec_tensors.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/schemes/guessed_keys.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The type that a tensor's bits are said to be of.
ElementType type_said(const CaseSources& sources, const std::string& role, const std::string& name) {
  if (const auto type = element_type_named(name)) {
    return *type;
  }
  const auto known = mapped(element_types(), [&](const auto& type) { return std::string(type.name); });
  throw InputError("{}: dtype.{}: found {}, expected {}", sources.source, role, OrderedJson(name).dump(),
                   joined(known, " or "));
}

/// The tensor of a role, its bits read as the case says.
NamedTensor read_tensor(const CaseSources& sources, const std::string& role,
                        const std::filesystem::path& place) {
  NamedTensor read{place.string(), read_tensor_file(place.string(), role)};
  const auto said = sources.dtypes.find(role);
  if (said == sources.dtypes.end()) {
    return read;
  }
  const auto wanted = type_said(sources, role, said->second);
  const auto found = read.tensor.type();
  if (wanted == found) {
    return read;
  }
  const bool carries_bits = found >= ElementType::uint8 && traits(wanted).bytes == traits(found).bytes;
  if (!carries_bits) {
    throw InputError("{}: found {}, expected {} or its bits as unsigned integers, as dtype.{} says",
                     read.source, traits(found).name, said->second, role);
  }
  return {read.source, std::move(read.tensor).viewed_as(wanted)};
}

CaseSources read_sources(ObjectReader& reader, const std::filesystem::path& file) {
  CaseSources sources;
  sources.source = file.string();
  sources.name = reader.optional_string("name").value_or(file.stem().string());
  sources.producer = reader.optional_string("producer").value_or("");
  auto tensors = reader.object("tensors");
  for (const auto role : tensor_roles()) {
    if (const auto path = tensors.optional_string(role)) {
      sources.files.emplace(role, file.parent_path() / *path);
    }
  }
  tensors.finish();
  if (auto dtypes = reader.optional_object("dtype")) {
    for (const auto role : tensor_roles()) {
      if (const auto name = dtypes->optional_string(role)) {
        sources.dtypes.emplace(role, *name);
      }
    }
    dtypes->finish();
  }
  sources.contract = reader.optional_string("contract");
  if (auto quantization = reader.optional_object("quantization")) {
    sources.quantization = read_quantization(*std::move(quantization));
  }
  reader.ignore("expect");
  return sources;
}

/// A spec with its keys where they belong, and the numbers of tensors that it names.
JsonValue completed(JsonValue spec, const std::filesystem::path& folder, const std::string& source) {
  return with_tensors_read(with_guessed_keys(std::move(spec), source), folder, source);
}

std::unique_ptr<Encoding> encoding_of(const DeclaredSpec& declared, const std::filesystem::path& folder,
                                      const std::string& source) {
  const auto spec = completed(declared.spec, folder, source);
  auto encoding = parse_spec(ObjectReader(spec, source, ""));
  encoding->set_as_written(declared.as_written);
  return encoding;
}

/// The encoding of a case: its spec, which may be a model's configuration all of whose layers agree, or the
/// file that holds either.
std::unique_ptr<Encoding> read_encoding(ObjectReader& reader, const JsonValue& document,
                                        const std::filesystem::path& folder) {
  const auto* found = value_at(document, "spec");
  const auto* name = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  if (name != nullptr) {
    reader.ignore("spec");
    const auto file = folder / *name;
    return encoding_of(read_spec(file, ""), file.parent_path(), file.string());
  }
  auto spec = reader.object("spec");
  if (!is_config(*found)) {
    return parse_spec(std::move(spec));
  }
  const auto source = reader.source() + ": spec";
  return encoding_of(declared_spec(*found, "", source), folder, source);
}

/// What a case file says, and its encoding.
std::pair<CaseSources, std::unique_ptr<Encoding>> read_whole(const std::filesystem::path& file) {
  auto whole = read_json(file);
  if (auto* members = std::get_if<JsonValue::Object>(&whole.value())) {
    for (auto& [key, value] : *members) {
      if (key == "spec") {
        value = completed(std::move(value), file.parent_path(), file.string() + ": spec");
      }
    }
  }
  return read_telling_all_faults(whole, [&](const JsonValue& document) {
    ObjectReader reader(document, file.string(), "");
    auto read = std::pair{read_sources(reader, file), read_encoding(reader, document, file.parent_path())};
    reader.finish();
    return read;
  });
}

}  // namespace

Case read_case(const std::filesystem::path& file, const std::optional<std::string>& contract) {
  auto [sources, encoding] = read_whole(file);
  sources.contract = contract ? contract : sources.contract;
  return assemble_case(sources, std::move(encoding));
}

std::map<std::string, std::filesystem::path, std::less<>> tensor_places_of(
    const std::filesystem::path& case_file) {
  return read_whole(case_file).first.files;
}

Case assemble_case(const CaseSources& sources, std::unique_ptr<Encoding> encoding) {
  for (const auto& [role, name] : sources.dtypes) {
    refuse_if(!sources.files.contains(role),
              "{}: dtype.{}: found a type for a tensor that the case does not have", sources.source, role);
  }
  CaseInput parts = sources;
  for (const auto& [role, file] : sources.files) {
    parts.tensors.emplace(role, read_tensor(sources, role, file));
  }
  return assemble_case(parts, std::move(encoding));
}

}  // namespace vernier
