#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// The name that stands for standard output.
inline constexpr std::string_view standard_output = "-";

/// Writes `bytes` to the file of this name, whole or not at all (see UnfinishedFile). "-" is `out`. What is
/// not a regular file (a terminal, a pipe) is written to as it is. \throws InputError if that cannot be done
void write_file(const std::string& name, std::string_view bytes, std::ostream& out);

/// The same of a file that is no other thing: what it replaces is a regular file. \throws InputError
void write_whole(const std::filesystem::path& file, std::string_view bytes);

/// Whether there is something of this name. \throws InputError if the system does not say: taking that for a
/// no could replace what is there
bool is_there(const std::filesystem::path& file);

/// Makes a folder and those above it where there is none. When the last copy of the result ends, what was
/// made and is empty goes with it, as after files that a full disk had no room for. \throws InputError
std::shared_ptr<const void> made_folder(const std::filesystem::path& folder);

/// Refuses a folder with other files than a command's own, hidden ones aside. \throws InputError that names
/// the first
void require_no_other_files(const std::filesystem::path& folder, std::span<const std::string> own = {});

/// Sends on all that was written to standard output. \throws InputError if any of it was lost, as on a full
/// disk
void require_written(std::ostream& out);

}  // namespace vernier
