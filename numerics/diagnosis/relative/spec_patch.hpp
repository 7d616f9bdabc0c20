#pragma once

#include <memory>
#include <string_view>

#include "reference/encoding.hpp"

namespace vernier {

/// The JSON patch that gives a key of a spec another value.
OrderedJson replacement(std::string_view key, OrderedJson value);

/// The encoding of the patched spec; null if that is no spec.
std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch);

}  // namespace vernier
