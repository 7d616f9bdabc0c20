#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/readers/rotation_difference.hpp"

namespace vernier {

/// What a spec of the scheme rope does; nothing of another scheme. \throws InputError
std::optional<TurnRates> turn_rates_of(const OrderedJson& spec, const std::string& source);

/// What the frequencies are: "those of base 10000 over 128 dimensions", or that no one base explains them.
std::string description(const std::vector<double>& frequencies, double tolerance);

/// A number as files and people write it: "1000000", "0.5", "1.1386295". Of float32.
std::string number_text(double number);

}  // namespace vernier
