#include "props/literature/quantities.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/shift.hpp"
#include "props/literature/cosine_sums.hpp"
#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

constexpr std::int64_t last_quick_offset = 20000;

/// \param base_at where the base is among the arguments, if it is there; the width comes first
Frequencies frequencies_of(FormulaValues a, std::size_t base_at) {
  const auto d = whole(a[0]);
  const std::int64_t base = a.size() > base_at ? whole(a[base_at]) : 10000;
  return GeometricFrequencies{.base = base, .step = Rational(2, d), .pairs = static_cast<int>(d / 2)};
}

Interval distance(FormulaValues a) {
  Interval sum = 0;
  for (const auto& frequency : frequencies_of(a, 2).enclosures()) {
    sum += 4 * squared(sin(Interval(frequency * a[1] / 2)));
  }
  return sqrt(sum);
}

CosineSumRange range_of(FormulaValues a) {
  return cosine_sum_range(frequencies_of(a, 3), whole(a[1]), whole(a[2]));
}

IntervalFunction quick_cosine_sum() {
  return [known = std::make_shared<std::map<std::int64_t, std::vector<double>>>()](FormulaValues a) {
    const auto frequencies = frequencies_of(a, 2);
    auto& sums = (*known)[whole(a[0])];
    if (sums.empty()) {
      sums = cosine_sums(frequencies, 0, last_quick_offset + 1);
    }
    const double error = cosine_sum_error(frequencies.pairs());
    return Interval(enclose(sums.at(static_cast<std::size_t>(whole(a[1])))) + hull(-error, error));
  };
}

Interval rounded_number(FormulaValues a) {
  const auto number = rounded(static_cast<Format>(whole(a[0])), a[1]);
  if (!number) {
    throw std::invalid_argument("a number that its enclosure does not round");
  }
  return enclose(*number);
}

Interval floor_of(FormulaValues a) {
  const auto lower = std::floor(middle(a[0]) - radius(a[0]));
  return lower == std::floor(middle(a[0]) + radius(a[0])) ? enclose(lower) : hull(lower, lower + 1);
}

IntervalFunctions functions_of_numbers() {
  return {
      {"abs", [](FormulaValues a) { return Interval(abs(a[0])); }},
      {"acos", [](FormulaValues a) { return Interval(acos(a[0])); }},
      {"cos", [](FormulaValues a) { return Interval(cos(a[0])); }},
      {"exp", [](FormulaValues a) { return Interval(exp(a[0])); }},
      {"floor", floor_of},
      {"ln", [](FormulaValues a) { return Interval(log(a[0])); }},
      {"mod",
       [](FormulaValues a) { return Interval(a[0] - a[1] * floor_of(std::array{Interval(a[0] / a[1])})); }},
      {"round", rounded_number},
      {"sin", [](FormulaValues a) { return Interval(sin(a[0])); }},
      {"sqrt", [](FormulaValues a) { return Interval(sqrt(a[0])); }},
  };
}

IntervalFunctions functions_of_frequencies() {
  return {
      {"Ci", [](FormulaValues a) { return cosine_integral(a[0]); }},
      {"Si", [](FormulaValues a) { return sine_integral(a[0]); }},
      {"distance", distance},
      {"first_negative",
       [](FormulaValues a) {
         return Interval(
             first_negative_sum(frequencies_of(a, 1), static_cast<int>(whole(a[2])), whole(a[3])));
       }},
      {"g", [](FormulaValues a) { return cosine_sum(frequencies_of(a, 2), a[1]); }},
      {"greatest", [](FormulaValues a) { return range_of(a).greatest; }},
      {"greatest_at", [](FormulaValues a) { return Interval(range_of(a).offset_of_greatest); }},
      {"least_gap",
       [](FormulaValues a) { return least_gap_of_cosine_sums(frequencies_of(a, 2), whole(a[1])); }},
      {"power_mean", [](FormulaValues a) { return mean_cosine_of_power(a[0], a[1]); }},
      {"quick_g", quick_cosine_sum()},
      {"root_mean_square", [](FormulaValues a) { return range_of(a).root_mean_square; }},
      {"series_mean", [](FormulaValues a) { return mean_cosine_by_series(a[0], a[1]); }},
      {"w", [](FormulaValues a) { return frequencies_of(a, 2).at(static_cast<int>(whole(a[1]))); }},
  };
}

}  // namespace

std::map<std::string, Interval, std::less<>> named_numbers() {
  std::map<std::string, Interval, std::less<>> numbers{{"pi", pi()}};
  for (const auto format : {Format::bfloat16, Format::binary16, Format::binary32, Format::binary64}) {
    numbers.emplace(traits(format).name, static_cast<int>(format));
  }
  int recipe = 0;
  for (const auto* name : {"correctly_rounded", "once", "power", "exp_log", "float64_power"}) {
    numbers.emplace(name, recipe++);
  }
  return numbers;
}

IntervalFunctions quantities() {
  auto functions = functions_of_numbers();
  for (auto more : {functions_of_frequencies(), attention_functions(), rounded_table_functions()}) {
    functions.merge(more);
  }
  return functions;
}

void add_functions_of(const std::string& name, const MatrixMember& member, IntervalFunctions& functions) {
  const std::shared_ptr<PositionModel> model = member.make();
  using Codes = std::map<std::int64_t, IntervalVector>;
  functions[name] = [model, codes = std::make_shared<Codes>()](FormulaValues a) {
    const auto position = whole(a[0]);
    if (!codes->contains(position)) {
      codes->emplace(position, model->code(position));
    }
    return Interval(codes->at(position)(static_cast<Eigen::Index>(whole(a[1]))));
  };
  functions[name + ".score"] = [model](FormulaValues a) { return model->score(whole(a[0]), whole(a[1])); };
  functions[name + ".repeats"] = [spec = member.spec](FormulaValues a) {
    return Interval(first_repeated_row(parse_spec(spec, "spec")->plain_tables().front(),
                                       static_cast<Format>(whole(a[0])), whole(a[1])));
  };
}

}  // namespace vernier
