#pragma once

#include <memory>
#include <string>

#include "reference/encoding.hpp"

namespace vernier {

/// The encoding that a spec file describes. \throws InputError naming the file and the key
std::unique_ptr<Encoding> read_encoding(const std::string& file);

/// The encoding that a spec file describes, one that has tables of sines and cosines.
/// \throws InputError naming the file and the key
std::unique_ptr<Encoding> read_table_encoding(const std::string& file);

}  // namespace vernier
