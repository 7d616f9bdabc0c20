#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "numerics/tensors/case.hpp"

namespace vernier {

/// The parts of a case whose tensors are in files.
struct CaseSources : CaseInput {
  CaseSources() = default;  // no aggregate: what is given in braces to assemble_case() is a CaseInput

  /// By role: a file, or FILE:NAME (see read_tensor_file()).
  std::map<std::string, std::filesystem::path, std::less<>> files;
  std::map<std::string, std::string, std::less<>> dtypes;  ///< by role: how to read the file's bits
};

/// Reads a case file: a JSON object with name, spec and tensors (paths relative to the file), and if need be
/// producer, dtype, quantization and contract; expect is ignored. \param contract overrides the file's.
/// \throws InputError
Case read_case(const std::filesystem::path& file, const std::optional<std::string>& contract = std::nullopt);

/// Where the tensors of a case file are, by role: a file, or FILE:NAME. \throws InputError for what is no
/// case
std::map<std::string, std::filesystem::path, std::less<>> tensor_places_of(
    const std::filesystem::path& case_file);

/// Reads the tensors and fits them to the encoding. \throws InputError for files that are no tensors or not
/// of their dtype, and as the other assemble_case()
Case assemble_case(const CaseSources& sources, std::unique_ptr<Encoding> encoding);

}  // namespace vernier
