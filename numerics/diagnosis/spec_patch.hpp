#pragma once

#include <memory>
#include <string_view>

#include "reference/encoding.hpp"

namespace vernier {

/// \name JSON patches (RFC 6902) of a spec \param path of the key, "rope_scaling/factor"
/// @{
/// Gives it a value, whether it had one or not.
OrderedJson replacement(std::string_view path, OrderedJson value);
OrderedJson removal(std::string_view path);
/// A whole number as an integer.
OrderedJson json_number(double value);
/// @}

/// The encoding of the patched spec; null if that is no spec.
std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch);

}  // namespace vernier
