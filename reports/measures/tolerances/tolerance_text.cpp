#include "reports/measures/tolerances/tolerance_text.hpp"

#include <fmt/format.h>

#include "reference/schemes/joint_table.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string bound(double value) {
  return bound_text(value, shown_digits);
}

std::string_view name(Format format) {
  return traits(format).name;
}

/// An ulp of numbers from 1/2 to 1.
double ulp_below_one(Format format) {
  return traits(format).unit_roundoff();
}

std::string_view words(Expected expected) {
  switch (expected) {
    case Expected::certified:
      return "the certified value, not rounded (vernier table --dtype float64)";
    case Expected::rounded:
      return "the certified value rounded to the same type (vernier table)";
    case Expected::another:
      return "a second implementation with the same order of operations";
    case Expected::same_table:
      break;
  }
  return "a second implementation that multiplies by the same cosines and sines, whose errors do not count";
}

std::string_view words(FrequencyOrder order) {
  switch (order) {
    case FrequencyOrder::any:
      return "1 / pow(b, 2i/d), pow(b, -2i/d) or exp(-2i (ln(b) / d))";
    case FrequencyOrder::reciprocal_power:
      return "1 / pow(b, 2i/d)";
    case FrequencyOrder::exp_log:
      return "exp(-2i (ln(b) / d))";
    case FrequencyOrder::rounded:
      return "exact, rounded once";
    case FrequencyOrder::iterated:
      return "pow(b, -2/d), by which the phase is multiplied from pair to pair";
    case FrequencyOrder::ratio_power:
      return "pow(pow(b, -2/d), i)";
    case FrequencyOrder::interpolated:
      return "exp((1 - k/(n-1)) L - L), L = ln(1 / the least)";
    case FrequencyOrder::contract:
      break;
  }
  return "whatever the contract lets";
}

struct Step {
  double part;
  std::string words;
};

/// What the greatest difference is made of.
std::vector<Step> steps(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto& error = study.whole().total;
  const auto farthest = study.octaves.back().positions.farthest;
  const auto& rotation = question.rotation;
  const std::string_view moved = rotation ? "turns the pair by as much" : "moves a sine or cosine by as much";
  std::vector<Step> all{
      {error.phase,
       fmt::format("the phase: its frequency and its product with a position up to {} are rounded; "
                   "a phase off by D {} at most",
                   farthest, moved)},
      {error.trig, rotation ? "the sine and the cosine themselves, times the input"
                            : "the sine or cosine itself, as the contract promises it"}};
  if (rotation) {
    all.push_back(
        {error.table, fmt::format("their rounding to {}, times the input", name(rotation->tables))});
    const bool is_exact = has_exact_products(*rotation);
    all.push_back(
        {is_exact ? 0 : error.products,
         is_exact
             ? fmt::format("the products: {} by {} bits are exact in {}", traits(rotation->tables).precision,
                           traits(rotation->vectors).precision, name(rotation->math))
             : fmt::format("the rounding of {} in {}",
                           rotation->is_fused ? "one product, as the other is fused" : "two products",
                           name(rotation->math))});
    if (rotation->math != rotation->vectors) {
      all.push_back({error.sum, fmt::format("the rounding of their sum in {}", name(rotation->math))});
    }
  }
  if (study.whole().last_ulps > 0) {
    all.push_back(
        {error.stored, fmt::format("the last rounding, to {}: this alone grows with the element, and is "
                                   "the relative part of the tolerance",
                                   name(question.stored()))});
  }
  return all;
}

std::string order_text(const ToleranceQuestion& question) {
  auto text = fmt::format("contract {}; frequencies {}", question.contract->id, words(question.frequencies));
  if (const auto& rotation = question.rotation) {
    text +=
        fmt::format("; cosines and sines in {}; products{} and sum in {}; result in {}; inputs up to {:g}",
                    name(rotation->tables), rotation->is_fused ? ", one of them fused," : "",
                    name(rotation->math), name(rotation->vectors), rotation->input_bound);
  }
  return text;
}

Tolerance tolerance_of(const ToleranceQuestion& question, const GreatestErrors& errors) {
  return smallest_tolerance(errors, question.stored(), question.expected);
}

/// The greatest difference from what is compared with.
double greatest_difference(const ToleranceQuestion& question, const ToleranceStudy& study,
                           const GreatestErrors& errors) {
  return absolute_part_needed(errors, question.stored(), question.expected, 0, study.greatest_value);
}

std::string range_text(const PositionOctave& octave) {
  return octave.nearest == octave.farthest ? std::to_string(octave.nearest)
                                           : fmt::format("{} to {}", octave.nearest, octave.farthest);
}

}  // namespace

std::string text_of(const Tolerance& tolerance) {
  return fmt::format("atol={}, rtol={}", bound(tolerance.absolute), bound(tolerance.relative));
}

std::string tolerance_text(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto stored = question.stored();
  const double ulp = ulp_below_one(stored);
  const auto& errors = study.whole();
  const double greatest = greatest_difference(question, study, errors);
  std::string text =
      fmt::format("{}: no honest implementation exceeds it\n", text_of(tolerance_of(question, errors)));
  text += fmt::format("  of {} in {}, positions {} to {}: {}\n",
                      question.rotation ? "rotated vectors" : "sines and cosines", name(stored),
                      question.positions.first, question.positions.at(question.positions.count - 1),
                      question.encoding->summary());
  text += fmt::format("  compared with {}\n", words(question.expected));
  if (question.expected == Expected::same_table) {
    text += "  A fault of the cosines and sines is not seen: both sides have it.\n";
  }
  text += fmt::format("  order of operations: {}\n", order_text(question));
  text +=
      fmt::format("  greatest difference: {}, which is {} ulp of {} from 1/2 to 1 (one is {})\n",
                  bound(greatest), bound(greatest / ulp), name(stored), significant_text(ulp, shown_digits));
  text +=
      "  In ulp of the element itself there is no bound: an element may be as near to zero as one likes.\n";
  if (const auto* loose = study.first_loose()) {
    text += fmt::format(
        "  From position {} on the bound is more than a quarter of full scale: so large a tolerance finds "
        "few faults.\n",
        loose->positions.nearest);
  }
  text += fmt::format("why, for the element that may be off most ({} from the certified value):\n",
                      bound(errors.total.total()));
  for (const auto& step : steps(question, study)) {
    text += fmt::format("  {:>9}  {}\n", bound(step.part), step.words);
  }
  text += fmt::format("{:<22}{:>20}{:>12}{:>12}\n", "positions", "greatest difference", "ulp", "atol");
  for (const auto& octave : study.octaves) {
    const double difference = greatest_difference(question, study, octave.errors);
    text += fmt::format("{:<22}{:>20}{:>12}{:>12}\n", range_text(octave.positions), bound(difference),
                        bound(difference / ulp), bound(tolerance_of(question, octave.errors).absolute));
  }
  text += fmt::format("paste: torch.testing.assert_close(actual, expected, {})\n",
                      text_of(tolerance_of(question, errors)));
  return text;
}

OrderedJson tolerance_json(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto of = [&](const GreatestErrors& errors) {
    const auto tolerance = tolerance_of(question, errors);
    const double difference = greatest_difference(question, study, errors);
    return OrderedJson{{"atol", tolerance.absolute},
                       {"rtol", tolerance.relative},
                       {"greatest_difference", difference},
                       {"ulp", difference / ulp_below_one(question.stored())}};
  };
  OrderedJson json{{"spec", question.encoding->spec()},
                   {"dtype", name(question.stored())},
                   {"tensors", question.rotation ? "rotated" : "tables"},
                   {"against", expected_names()[static_cast<std::size_t>(question.expected)]},
                   {"contract", question.contract->id},
                   {"order_of_operations", order_text(question)},
                   {"tolerance", of(study.whole())}};
  auto why = OrderedJson::array();
  for (const auto& step : steps(question, study)) {
    why.push_back({{"part", step.part}, {"words", step.words}});
  }
  json["derivation"] = std::move(why);
  auto octaves = OrderedJson::array();
  for (const auto& octave : study.octaves) {
    auto one = of(octave.errors);
    one["first_position"] = octave.positions.nearest;
    one["last_position"] = octave.positions.farthest;
    octaves.push_back(std::move(one));
  }
  json["octaves"] = std::move(octaves);
  return json;
}

}  // namespace vernier
