#pragma once

#include "reference/json/json.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// A number, or its name where JSON has none for it: "nan", "infinity", "-infinity".
OrderedJson real_json(double value);

/// A value of a format, told three times: {"decimal": "0.1", "hex": "0x1.99999ap-4", "bits": "0x3dcccccd"}.
OrderedJson value_json(Format format, double value);

/// Text for a file: keys in their order, and bytes that are not UTF-8 as the replacement character.
std::string document_text(const OrderedJson& document);

}  // namespace vernier
