#pragma once

#include <string>

namespace vernier {

/// Refuses what is no JSON document but a file that another command or option takes: a folder, a GGUF file, a
/// checkpoint, a tensor. \param wanted what should stand there: "a case file", "a spec or config.json"
/// \throws InputError with the command to use; nothing is thrown for a file that may be a document, or is
/// missing
void refuse_other_files(const std::string& file, const std::string& wanted);

/// Refuses what is no case file but one that another command or option takes, among them a spec and a model's
/// configuration. \throws InputError as refuse_other_files()
void require_case_file(const std::string& file);

}  // namespace vernier
