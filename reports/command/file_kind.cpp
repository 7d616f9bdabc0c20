#include "reports/command/file_kind.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/core.h>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view inspecting = "`vernier inspect {}` reads it";

/// A kind of file, by its first bytes or, where it has none of its own, by its name.
struct FileKind {
  std::string_view name;
  std::string_view first_bytes;
  std::size_t offset;  ///< of those bytes
  std::string_view extension;
  std::string_view advice;  ///< with {} for the file
};

constexpr std::array file_kinds{
    FileKind{"a GGUF file", "GGUF", 0, ".gguf", inspecting},
    FileKind{"a tensor", "\x93NUMPY", 0, ".npy",
             "`vernier validate --spec config.json --cos {}` judges it by its role"},
    FileKind{"a .safetensors file", "{\"", 8, ".safetensors", inspecting},
    FileKind{"a zip archive, as .pt and .npz files are", "PK\x03\x04", 0, ".npz", inspecting},
    FileKind{"a pickled checkpoint", "\x80\x02", 0, ".pt", inspecting},
    FileKind{"an ONNX file", "\x08", 0, ".onnx", inspecting}};

/// Short bytes alone are no proof.
constexpr std::size_t telling_bytes = 4;

std::string beginning_of(const fs::path& file) {
  constexpr std::size_t length = 16;
  std::string bytes(length, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), length);
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return bytes;
}

bool is_of(const FileKind& kind, const fs::path& file, std::string_view beginning) {
  const bool begins =
      beginning.size() > kind.offset && beginning.substr(kind.offset).starts_with(kind.first_bytes);
  return begins && (kind.first_bytes.size() >= telling_bytes || file.extension() == kind.extension);
}

}  // namespace

void refuse_other_files(const std::string& file, const std::string& wanted) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    const auto config = fs::path(file) / "config.json";
    throw InputError("{}: found a folder, expected {}{}", one_line(file), wanted,
                     fs::is_regular_file(config, error)
                         ? fmt::format(": `vernier spec {}` shows the encoding of its configuration",
                                       shell_word(config.string()))
                         : "");
  }
  if (!fs::is_regular_file(file, error)) {
    return;
  }
  const auto beginning = beginning_of(file);
  const auto* const kind =
      std::ranges::find_if(file_kinds, [&](const FileKind& one) { return is_of(one, file, beginning); });
  if (kind != file_kinds.end()) {
    throw InputError("{}: found {}, expected {}: {}", one_line(file), kind->name, wanted,
                     fmt::format(fmt::runtime(kind->advice), shell_word(file)));
  }
}

void require_case_file(const std::string& file) {
  refuse_other_files(file, "a case file");
  const auto document = [&]() -> JsonValue {
    try {
      return parse_python_json(read_text(file), file);
    } catch (const InputError&) {
      return {};  // whoever reads the case says what is wrong
    }
  }();
  const bool is_spec = value_at(document, "scheme") != nullptr;
  refuse_if(is_spec || is_config(document),
            "{0}: found {1}, expected a case file: `vernier validate --spec {2} --cos cos.npy --sin sin.npy` "
            "judges tensors by it, and `vernier spec {2}` shows its encoding",
            one_line(file), is_spec ? "a spec" : "a model's configuration", shell_word(file));
}

}  // namespace vernier
