// Slopes of the right heads whose numbers are others: multiplied, inverted, rounded; and biases rounded.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/biases/bias_model.hpp"

namespace vernier {
namespace {

using SlopeEdit = std::function<HeadSlope(const HeadSlope&)>;

BiasEdit with_each_slope(std::string sentence, double bits, int order, const SlopeEdit& edit) {
  return {{nullptr, std::move(sentence)}, bits, order, [edit](BiasModel& model) {
            model.slope = [edit, before = model.slope](std::size_t head) { return edit(before(head)); };
          }};
}

bool is_narrower(Format format, Format stored) {
  return traits(format).precision < traits(stored).precision;
}

/// What a slope may be off by as it was found: the biases that it was found by are rounded, each by half an
/// ulp.
double rounding_of_found(const BiasSubject& subject, std::size_t head) {
  const auto query = subject.bias.queries() - 1;
  const auto last = subject.bias.keys() - 1;
  const auto half_ulp = [&](std::size_t key) {
    return ulp_at(subject.bias.stored(), subject.at({head, query, key})) / 2;
  };
  if (subject.is_slopes()) {
    return half_ulp(0);
  }
  if (last == 0) {
    return half_ulp(0) /
           std::fabs(subject.declared().multiplier_at(subject.bias.queries(), {head, query, 0}));
  }
  return (half_ulp(0) + half_ulp(last)) /
         std::fabs(static_cast<double>(subject.keys[last] - subject.keys[0]));
}

/// The factor by which heads differ from the declared slopes: in the middle of what all leave open, as they
/// were rounded, or else that of most.
double found_factor(const BiasSubject& subject) {
  std::vector<double> factors;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    const double declared = HeadSlope{subject.bias.table.slopes[head]}.approximately();
    const double found = subject.found_slopes[head];
    if (std::isfinite(found)) {
      const double half = rounding_of_found(subject, head);
      factors.push_back(found / declared);
      low = std::max(low, (found - half) / declared);
      high = std::min(high, (found + half) / declared);
    }
  }
  if (factors.empty()) {
    return 1;
  }
  if (low <= high && std::isfinite(high)) {
    return (low + high) / 2;
  }
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2);
  std::ranges::nth_element(factors, middle);
  return *middle;
}

BiasEdits slope_factors(const BiasSubject& subject) {
  constexpr int most_digits = 7;
  constexpr double least_difference = 1e-6;
  BiasEdits edits;
  const auto add = [&](double factor, const std::string& text, double bits) {
    edits.push_back(with_each_slope(fmt::format("all slopes are multiplied by {}", text), bits,
                                    bias_order::slope_factor, [factor](HeadSlope slope) {
                                      slope.factor *= factor;
                                      return slope;
                                    }));
  };
  add(std::log2(std::exp(1.0)), "the base-2 logarithm of e", variant_bits);
  add(std::log(2.0), "the natural logarithm of 2", variant_bits);
  add(2, "2", variant_bits);
  add(0.5, "1/2", variant_bits);
  const double found = found_factor(subject);
  if (found > 0 && std::fabs(found - 1) > least_difference) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      add(decimal.value, decimal.text, decimal_bits(decimal.digits) + flag_bits);
    }
    add(found, in_sentence(found), real_bits);
  }
  return edits;
}

BiasEdits reciprocals(const BiasSubject&) {
  return {with_each_slope("the slopes are the reciprocals of what they should be", flag_bits + 1,
                          bias_order::slope_factor, [](HeadSlope slope) {
                            slope.slope.power = -slope.slope.power;
                            return slope;
                          })};
}

double rounded_power(const Slope& slope, Format format) {
  const double base = round_to(format, std::exp2(-approximately(slope.step)));
  return round_to(format, std::pow(base, static_cast<double>(slope.power)));
}

BiasEdits slope_formats(const BiasSubject& subject) {
  BiasEdits edits;
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    const auto name = traits(format).name;
    // What is stored in the format is rounded to it anyway, but a power of a rounded base is another number.
    if (subject.is_slopes() ? is_narrower(format, subject.bias.stored()) : format != Format::binary64) {
      edits.push_back(with_each_slope(fmt::format("the slopes are rounded to {}", name), variant_bits,
                                      bias_order::slope_format, [format](HeadSlope slope) {
                                        slope.known = round_to(format, slope.approximately());
                                        return slope;
                                      }));
    }
    edits.push_back(with_each_slope(
        fmt::format("the slopes are powers of a base that is rounded to {}, and rounded to it", name),
        variant_bits + 1, bias_order::slope_format, [format](HeadSlope slope) {
          slope.known = slope.factor * rounded_power(slope.slope, format);
          return slope;
        }));
  }
  return edits;
}

BiasEdits signs(const BiasSubject& subject) {
  return {{{nullptr, subject.is_slopes() ? "the slopes are negative" : "the biases have the other sign"},
           flag_bits,
           bias_order::sign,
           [](BiasModel& model) { model.sign = -1; }}};
}

BiasEdits product_formats(const BiasSubject& subject) {
  BiasEdits edits;
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    if (is_narrower(format, subject.bias.stored())) {
      edits.push_back({{nullptr, fmt::format("the {} are rounded to {}",
                                             subject.is_slopes() ? "slopes" : "biases", traits(format).name)},
                       variant_bits,
                       bias_order::product_format,
                       [format](BiasModel& model) { model.product_format = format; }});
    }
  }
  return edits;
}

constexpr std::array<BiasFault, 5> slope_value_faults{{
    {"slope/factor", slope_factors},
    {"slope/reciprocal", reciprocals},
    {"slope/format", slope_formats},
    {"direction/bias-sign", signs},
    {"storage/bias-format", product_formats},
}};

}  // namespace

BiasEdits slope_value_edits(const BiasSubject& subject) {
  BiasEdits edits;
  append_edits(slope_value_faults, subject, edits);
  return edits;
}

}  // namespace vernier
