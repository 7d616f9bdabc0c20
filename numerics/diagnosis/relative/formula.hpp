#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace vernier {

/// Numbers that formulas name.
using NamedNumbers = std::map<std::string, double, std::less<>>;

/// A number, as it depends on another one.
using NumberMap = std::function<double(double x)>;

/// What a formula says: "min(0, x)", "exact - 1", "(x + 128) % 256 - 128". With + - * and /; // and %, the
/// floor of a quotient and what it leaves; min, max, abs, trunc, rint, sqrt, exp, log, gray and the
/// formats that round. \pre every name but x is one of the numbers
NumberMap formula(std::string_view text, const NamedNumbers& numbers);

}  // namespace vernier
