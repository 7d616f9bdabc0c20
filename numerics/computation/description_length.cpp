#include "numerics/computation/description_length.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace vernier {
namespace {

/// How many decimal digits a number has, up to twelve.
int digits_of(double value) {
  const auto short_form = shortest_decimal(value, 1e-13, 12);
  if (!short_form) {
    return 12;
  }
  const auto text = fmt::format("{:.11e}", std::fabs(*short_form));
  int digits = 1;
  for (int i = 0; i < 11; ++i) {
    digits = text[static_cast<std::size_t>(i) + 2] == '0' ? digits : i + 2;
  }
  return digits;
}

/// What is found, as a text by which equal findings are equal, whatever words tell an edit of the spec.
std::string essence(const Explanation& explanation) {
  std::set<std::string> found;
  for (const auto& finding : explanation.findings) {
    if (finding.edit.is_null()) {
      found.insert(finding.sentence);
    }
    for (const auto& change : finding.edit) {
      found.insert(change.at("path").get<std::string>() + " " + change.value("value", OrderedJson()).dump());
    }
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace

double decimal_bits(int digits) {
  return 3.3 * digits + 3;
}

double integer_bits(std::int64_t value) {
  auto rest = std::abs(value);
  while (rest >= 10 && rest % 10 == 0) {
    rest /= 10;
  }
  return decimal_bits(static_cast<int>(std::to_string(rest).size()));
}

double number_bits(double value) {
  return decimal_bits(digits_of(value));
}

std::optional<double> shortest_decimal(double value, double relative_tolerance, int most_digits) {
  if (value == 0 || !std::isfinite(value)) {
    return std::nullopt;
  }
  for (int digits = 1; digits <= most_digits; ++digits) {
    const double rounded = std::stod(fmt::format("{:.{}e}", value, digits - 1));
    if (std::fabs(rounded / value - 1) <= relative_tolerance) {
      return rounded;
    }
  }
  return std::nullopt;
}

std::vector<ShortDecimal> short_decimals(double value, int most_digits) {
  assert(std::isfinite(value) && value != 0);
  std::vector<ShortDecimal> result;
  for (int digits = 1; digits <= most_digits; ++digits) {
    const auto text = fmt::format("{:.{}g}", value, digits);
    if (result.empty() || result.back().text != text) {
      result.push_back({text, std::strtod(text.c_str(), nullptr), digits});
    }
  }
  return result;
}

std::string in_sentence(double value) {
  return fmt::format("{:.6g}", value);
}

void keep_likeliest(std::vector<Explanation>& explanations) {
  std::ranges::stable_sort(explanations, {}, &Explanation::bits);
  const auto is_less_likely = [&](const Explanation& explanation) {
    return explanation.bits > explanations.front().bits + equally_likely_bits;
  };
  explanations.erase(std::ranges::find_if(explanations, is_less_likely), explanations.end());
  std::set<std::string> told;
  std::erase_if(explanations, [&](const Explanation& explanation) {
    const bool is_new = told.insert(essence(explanation)).second;
    return !told.insert(sentence_of(explanation) + ".").second || !is_new;
  });
}

}  // namespace vernier
