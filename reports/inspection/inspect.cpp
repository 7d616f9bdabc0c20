#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "numerics/artefacts/torch_file.hpp"
#include "numerics/formats/mapped_file.hpp"
#include "numerics/formats/safetensors.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reports/inspection/kinds.hpp"
#include "reports/inspection/rotation.hpp"
#include "reports/words/specs/spec_difference.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kinds_of_files =
    "a GGUF, ONNX, .safetensors, .npz or PyTorch file, a configuration or a spec (JSON), or a folder with a "
    "config.json";

/// A spec with all defaults. \throws InputError
OrderedJson whole_spec(const JsonValue& spec, const std::string& source) {
  return parse_spec(json_text(spec), source)->spec();
}

std::vector<MeantEncoding> encodings_of(const UnderstoodConfig& config, const std::string& source) {
  return mapped(config.groups, [&](const auto& group) -> MeantEncoding {
    return {group.kind, whole_spec(group.spec, source)};
  });
}

/// The encoding that is to be compared with one of another file: of the same layers, or the first.
const MeantEncoding& counterpart(const MeantEncoding& one, const Expectation& expected) {
  const auto same = std::ranges::find(expected.encodings, one.kind, &MeantEncoding::kind);
  return same == expected.encodings.end() ? expected.encodings.front() : *same;
}

std::string value_or_absent(const OrderedJson& value) {
  return value.is_null() ? "absent" : value.dump();
}

/// What a configuration means against what it is to mean.
void compare_specs(const Expectation& expected, Inspection& inspection) {
  if (!expected.says_anything()) {
    return;
  }
  inspection.is_judged = true;
  for (const auto& one : inspection.encodings) {
    for (const auto& [key, found, wanted] : spec_differences(one.spec, counterpart(one, expected).spec)) {
      const auto sentence =
          fmt::format("{} is {}, not {}", key, value_or_absent(found), value_or_absent(wanted));
      // The stated context turns nothing.
      if (key == "max_position_embeddings") {
        inspection.remarks.push_back(sentence);
      } else {
        inspection.findings.push_back({sentence, key});
      }
    }
  }
}

void inspect_document(const fs::path& file, const Expectation& expected, Inspection& inspection) {
  const auto source = file.string();
  const auto document = parse_python_json(read_text(file), source);
  if (value_at(document, "scheme") != nullptr) {
    inspection.kind = "a spec";
    inspection.encodings = {{"", whole_spec(document, source)}};
  } else {
    const auto config = understand_config(document, source);
    const auto* type = value_at(document, "model_type");
    inspection.kind = type == nullptr ? "a configuration" : "a configuration, model_type " + json_text(*type);
    inspection.encodings = encodings_of(config, source);
    for (const auto& sentence : config.assumed) {
      inspection.remarks.push_back("assumed: " + sentence);
    }
    inspection.remarks.insert(inspection.remarks.end(), config.remarks.begin(), config.remarks.end());
  }
  compare_specs(expected, inspection);
}

std::vector<StoredTensor> tensors_of(const Safetensors& file) {
  std::vector<StoredTensor> tensors;
  for (const auto& name : file.names()) {
    StoredTensor stored{.name = name, .type = file.dtype(name), .shape = file.shape(name)};
    try {
      stored.tensor = file.tensor(name);
    } catch (const InputError&) {
      // of a type or a shape that holds no numbers: its name and shape are told
    }
    tensors.push_back(std::move(stored));
  }
  return tensors;
}

void inspect_archive(const std::shared_ptr<const MappedFile>& mapped, const Expectation& expected,
                     Inspection& inspection) {
  const ZipArchive archive(mapped->bytes(), inspection.file);
  const bool is_torch = is_torch_archive(archive);
  const auto tensors = is_torch ? torch_tensors(archive, mapped, inspection.file)
                                : npz_tensors(archive, mapped, inspection.file);
  inspection.kind =
      fmt::format("{}, {}", is_torch ? "PyTorch" : ".npz", counted(tensors.size(), "tensor", "tensors"));
  tell_obstacles(tensors, inspection);
  inspect_tensors(tensors, expected, inspection);
}

bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), text.size()) == text;
}

void inspect_file(const fs::path& file, const Expectation& expected, Inspection& inspection) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  const auto bytes = mapped->bytes();
  const auto extension = file.extension();
  if (begins_with(bytes, "GGUF")) {
    inspect_gguf(Gguf(bytes, mapped, inspection.file), expected, inspection);
  } else if (extension == ".safetensors") {
    const auto tensors = tensors_of(Safetensors(bytes, mapped, inspection.file));
    inspection.kind = ".safetensors, " + counted(tensors.size(), "tensor", "tensors");
    inspect_tensors(tensors, expected, inspection);
  } else if (extension == ".onnx") {
    inspect_onnx(Onnx(bytes, mapped, inspection.file, fs::absolute(file).parent_path()), expected,
                 inspection);
  } else if (begins_as_zip(bytes)) {
    inspect_archive(mapped, expected, inspection);
  } else if (begins_with(bytes, "\x80")) {
    throw InputError(torch_export_sentence(inspection.file, "a bare pickle, as PyTorch wrote before 1.6"));
  } else if (extension == ".json") {
    inspect_document(file, expected, inspection);
  } else {
    throw InputError("{}: found a file of an unknown kind, expected {}", inspection.file, kinds_of_files);
  }
  require_unchanged_files();
}

/// The files with the weights of a folder: those of the index if there is one. A shard that is missing is a
/// finding.
std::vector<fs::path> weight_files(const fs::path& folder, Inspection& inspection) {
  constexpr std::array<std::string_view, 2> names{"model.safetensors", "pytorch_model.bin"};
  std::vector<fs::path> files;
  for (const auto name : names) {
    const auto index = folder / (std::string(name) + ".index.json");
    std::vector<std::string> shards;
    if (fs::is_regular_file(index)) {
      const auto document = read_json(index);
      const auto* entries = held_at<JsonValue::Object>(document, "weight_map");
      refuse_if(entries == nullptr, "{}: weight_map: missing, expected the file of each tensor",
                index.string());
      for (const auto& [tensor, shard] : *entries) {
        const auto* text = std::get_if<std::string>(&shard.value());
        refuse_if(text == nullptr || text->find('/') != std::string::npos,
                  "{}: weight_map: found {}, expected the name of a file", index.string(), shard.found());
        shards.push_back(*text);
      }
      std::ranges::sort(shards);
      shards.erase(std::unique(shards.begin(), shards.end()), shards.end());
    } else if (fs::is_regular_file(folder / name)) {
      shards.emplace_back(name);
    }
    for (const auto& shard : shards) {
      if (fs::is_regular_file(folder / shard)) {
        files.push_back(folder / shard);
      } else {
        add_finding(inspection.findings, shard, "{} is missing, and {} names it", shard,
                    index.filename().string());
      }
    }
    if (!shards.empty()) {
      break;
    }
  }
  return files;
}

/// Keys of positions in a generation_config.json: the model reads none of them.
void inspect_generation_config(const fs::path& folder, const JsonValue& config, Inspection& inspection) {
  const auto file = folder / "generation_config.json";
  if (!fs::is_regular_file(file)) {
    return;
  }
  const auto document = parse_python_json(read_text(file), file.string());
  for (const auto& [key, value] : members_at(document, "")) {
    if (key.find("rope") == std::string::npos && key.find("position") == std::string::npos) {
      continue;
    }
    const auto* own = value_at(config, key);
    if (own != nullptr && !same_value(*own, value)) {
      add_finding(inspection.findings, key, "generation_config.json: {} is {}, and {} in config.json", key,
                  json_text(value), json_text(*own));
    } else {
      inspection.remarks.push_back(fmt::format("generation_config.json: {} is not read by the model", key));
    }
  }
}

void inspect_folder(const fs::path& folder, const Expectation& expected, Inspection& inspection) {
  const auto config = folder / "config.json";
  refuse_if(!fs::is_regular_file(config), "{}: found a folder without a config.json, expected {}",
            folder.string(), kinds_of_files);
  inspect_document(config, expected, inspection);
  inspection.kind = "a folder with " + inspection.kind;
  inspect_generation_config(folder, parse_python_json(read_text(config), config.string()), inspection);
  const Expectation own{"config.json", inspection.encodings};
  for (const auto& file : weight_files(folder, inspection)) {
    Inspection shard{.file = file.string()};
    inspect_file(file, own, shard);
    inspection.is_judged = inspection.is_judged || shard.is_judged;
    const auto name = file.filename().string();
    for (const auto& finding : shard.findings) {
      inspection.findings.push_back({fmt::format("{}: {}", name, finding.sentence), finding.key});
    }
    for (const auto& remark : shard.remarks) {
      inspection.remarks.push_back(fmt::format("{}: {}", name, remark));
    }
  }
}

}  // namespace

Expectation read_expectation(const fs::path& file) {
  const auto config = fs::is_directory(file) ? file / "config.json" : file;
  Inspection inspection;
  inspect_document(config, {}, inspection);
  return {config.filename().string(), inspection.encodings};
}

Inspection inspect(const fs::path& file, const Expectation& expected) {
  Inspection inspection{.file = file.string()};
  if (fs::is_directory(file)) {
    inspect_folder(file, expected, inspection);
  } else {
    inspect_file(file, expected, inspection);
  }
  return inspection;
}

}  // namespace vernier
