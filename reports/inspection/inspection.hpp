#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// An encoding, and which layers or which part of a model it is of.
struct MeantEncoding {
  std::string kind;  ///< "sliding_attention"; empty: all
  OrderedJson spec;  ///< with all defaults; null where no spec can say it
};

/// What a file is to be compared with; nothing where there are no encodings.
struct Expectation {
  std::string source = {};  ///< the file that says so: "config.json"
  std::vector<MeantEncoding> encodings = {};

  bool says_anything() const { return !encodings.empty(); }
};

/// What is wrong with a file.
struct InspectionFinding {
  std::string sentence;  ///< what, and why: without the file, a capital or a full stop
  std::string key;       ///< the file's own: a key of its metadata, a tensor's name, an attribute
};

/// What a file is, which encoding it means to its own loader, and what is wrong with it.
struct Inspection {
  std::string file;
  std::string kind = {};  ///< "GGUF 3, architecture qwen2"
  std::vector<MeantEncoding> encodings = {};
  std::vector<InspectionFinding> findings = {};
  std::vector<std::string> remarks = {};  ///< a sentence each
  bool is_judged = false;                 ///< whether there was something to compare
};

/// What a file says that others are compared with: a spec, a model's configuration, or a folder with one.
/// \throws InputError
Expectation read_expectation(const std::filesystem::path& file);

/// Inspects a GGUF, ONNX, .safetensors, .npz or PyTorch file, a configuration, or a folder of Hugging Face.
/// Weights are never looked at. \param expected what to compare with
/// \throws InputError if it cannot be read
Inspection inspect(const std::filesystem::path& file, const Expectation& expected);

}  // namespace vernier
