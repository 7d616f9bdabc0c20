#pragma once

#include <memory>
#include <string>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The encoding for a sequence of another length. \param option what gives the length, for errors
/// \param source of the encoding, likewise \throws InputError if nothing in the encoding depends on it
std::unique_ptr<Encoding> at_sequence_length(const Encoding& encoding, std::int64_t length,
                                             const std::string& option, const std::string& source);

}  // namespace vernier
