#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// All schemes Vernier knows: schemes/schemes.hpp lists them.
std::span<const Scheme> schemes();

/// Reads a spec. \throws InputError naming the key and what was expected
std::unique_ptr<Encoding> parse_spec(ObjectReader spec);
/// The same of a spec written as JSON. \param source, key where it stands, for sentences: a file, and a key
/// in it or nothing \throws InputError also for what is no JSON
std::unique_ptr<Encoding> parse_spec(std::string_view json, const std::string& source,
                                     const std::string& key = "");

}  // namespace vernier
