#include "reports/tolerances/tolerance_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/counted.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string bound(double value) {
  return bound_text(value, shown_digits);
}

std::string_view name(Format format) {
  return traits(format).name;
}

/// In the order of the enumeration, as the next.
constexpr std::array<std::string_view, 4> expected_words{
    "the certified value, not rounded (vernier table --dtype float64)",
    "the certified value rounded to the same type (vernier table)",
    "a second implementation with the same order of operations",
    "a second implementation that multiplies by the same cosines and sines, whose errors do not count"};

constexpr std::array<std::string_view, 8> order_words{
    "whatever the contract lets", "1 / pow(b, 2i/d), pow(b, -2i/d) or exp(-2i (ln(b) / d))",
    "1 / pow(b, 2i/d)",           "exp(-2i (ln(b) / d))",
    "exact, rounded once",        "pow(b, -2/d), by which the phase is multiplied from pair to pair",
    "pow(pow(b, -2/d), i)",       "exp((1 - k/(n-1)) L - L), L = ln(1 / the least)"};

struct Step {
  double part;
  std::string words;
};

/// What the greatest difference is made of.
std::vector<Step> steps(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto& error = study.whole().errors.total;
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
  if (study.whole().errors.last_ulps > 0) {
    all.push_back(
        {error.stored, fmt::format("the last rounding, to {}: this alone grows with the element, and is "
                                   "the relative part of the tolerance",
                                   name(question.stored()))});
  }
  return all;
}

std::string order_text(const ToleranceQuestion& question) {
  auto text = fmt::format("contract {}; frequencies {}", question.contract->id,
                          order_words[static_cast<std::size_t>(question.frequencies)]);
  if (const auto& rotation = question.rotation) {
    text +=
        fmt::format("; cosines and sines in {}; products{} and sum in {}; result in {}; inputs up to {:g}",
                    name(rotation->tables), rotation->is_fused ? ", one of them fused," : "",
                    name(rotation->math), name(rotation->vectors), rotation->input_bound);
  }
  return text;
}

std::string text_of(const Tolerance& tolerance) {
  return fmt::format("atol={}, rtol={}", bound(tolerance.absolute), bound(tolerance.relative));
}

std::string difference_text(double difference) {
  return std::isfinite(difference) ? significant_text(difference, shown_digits) : "no number";
}

/// The planting that shows the least difference.
const JudgedProgram& subtlest(const JudgedFault& fault) {
  return *std::ranges::min_element(fault.plantings, {}, &JudgedProgram::difference);
}

}  // namespace

std::string tolerance_text(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto stored = question.stored();
  const double ulp = traits(stored).unit_roundoff();  // of numbers from 1/2 to 1
  const auto& whole = study.whole();
  auto text = fmt::format("{}: no honest implementation exceeds it\n", text_of(whole.smallest));
  text += fmt::format("  of {} in {}, positions {} to {}: {}\n",
                      question.rotation ? "rotated vectors" : "sines and cosines", name(stored),
                      question.positions.first, question.positions.at(question.positions.count - 1),
                      question.encoding->summary());
  text += fmt::format("  compared with {}\n", expected_words[static_cast<std::size_t>(question.expected)]);
  if (question.expected == Expected::same_table) {
    text += "  A fault of the cosines and sines is not seen: both sides have it.\n";
  }
  text += fmt::format("  order of operations: {}\n", order_text(question));
  text += fmt::format("  greatest difference: {}, which is {} ulp of {} from 1/2 to 1 (one is {})\n",
                      bound(whole.greatest_difference), bound(whole.greatest_difference / ulp), name(stored),
                      significant_text(ulp, shown_digits));
  text +=
      "  In ulp of the element itself there is no bound: an element may be as near to zero as one likes.\n";
  if (const auto* loose = study.first_loose()) {
    text += fmt::format(
        "  From position {} on the bound is more than a quarter of full scale: so large a tolerance finds "
        "few faults.\n",
        loose->positions.nearest);
  }
  text += fmt::format("why, for the element that may be off most ({} from the certified value):\n",
                      bound(whole.errors.total.total()));
  for (const auto& step : steps(question, study)) {
    text += fmt::format("  {:>9}  {}\n", bound(step.part), step.words);
  }
  text += fmt::format("{:<22}{:>20}{:>12}{:>12}\n", "positions", "greatest difference", "ulp", "atol");
  for (const auto& [positions, errors, smallest, difference] : study.octaves) {
    const auto& [nearest, farthest] = positions;
    text += fmt::format(
        "{:<22}{:>20}{:>12}{:>12}\n",
        nearest == farthest ? std::to_string(nearest) : fmt::format("{} to {}", nearest, farthest),
        bound(difference), bound(difference / ulp), bound(smallest.absolute));
  }
  text += fmt::format("paste: torch.testing.assert_close(actual, expected, {})\n", text_of(whole.smallest));
  return text;
}

OrderedJson tolerance_json(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto of = [&](const OctaveErrors& octave) {
    return OrderedJson{{"atol", octave.smallest.absolute},
                       {"rtol", octave.smallest.relative},
                       {"greatest_difference", octave.greatest_difference},
                       {"ulp", octave.greatest_difference / traits(question.stored()).unit_roundoff()}};
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
    auto one = of(octave);
    one["first_position"] = octave.positions.nearest;
    one["last_position"] = octave.positions.farthest;
    octaves.push_back(std::move(one));
  }
  json["octaves"] = std::move(octaves);
  return json;
}

std::string judgement_text(const ToleranceJudgement& judgement) {
  const auto rejected = judgement.rejected();
  const auto slipping = judgement.slipping(0);
  auto text = fmt::format(
      "{}: {} of {} pass; it rejects {} of {} honest implementations, and {}\n"
      "  with the smallest tolerance that no honest one exceeds, {}, {} pass\n",
      text_of(judgement.judged), slipping,
      counted(judgement.faults.size(), "kind of fault", "kinds of fault"), rejected, judgement.honest.size(),
      judgement.holds()
          ? "can reject none of this order of operations"
          : "may reject others: with this rtol, atol would have to be " + bound(judgement.needed_absolute),
      text_of(judgement.smallest), judgement.slipping(1));
  std::string lines;
  std::size_t unavoidable = 0;
  for (const auto& fault : judgement.faults) {
    if (fault.slips_through(0)) {
      unavoidable += fault.slips_through(1) ? 1 : 0;
      const auto& [words, passes, difference] = subtlest(fault);
      lines +=
          fmt::format("  {}: {} ({} of {}{}: greatest difference {})\n",
                      fault.kind->at("id").get<std::string>(), fault.kind->at("what").get<std::string>(),
                      std::ranges::count_if(fault.plantings, [](auto& one) { return one.passes[0]; }),
                      fault.plantings.size(), words.empty() ? "" : "; " + words, difference_text(difference));
    }
  }
  if (slipping > 0) {
    text += fmt::format("faults that pass this tolerance ({} of them also pass the smallest):\n{}",
                        unavoidable, lines);
  }
  text += rejected > 0 ? "rejected, though honest:\n" : "";
  for (const auto& [words, passes, difference] : judgement.honest) {
    if (!passes[0]) {
      text += fmt::format("  {}: greatest difference {}\n", words, difference_text(difference));
    }
  }
  return text;
}

OrderedJson judgement_json(const ToleranceJudgement& judgement) {
  auto faults = OrderedJson::array();
  for (const auto& fault : judgement.faults) {
    const auto& [words, passes, difference] = subtlest(fault);
    faults.push_back({{"id", fault.kind->at("id")},
                      {"description", fault.kind->at("what")},
                      {"slips_through", fault.slips_through(0)},
                      {"slips_through_smallest", fault.slips_through(1)},
                      {"subtlest", words},
                      {"least_difference", difference}});
  }
  auto honest = OrderedJson::array();
  for (const auto& [words, passes, difference] : judgement.honest) {
    honest.push_back({{"words", words}, {"rejected", !passes[0]}, {"greatest_difference", difference}});
  }
  return {{"atol", judgement.judged.absolute},
          {"rtol", judgement.judged.relative},
          {"holds_of_all_honest", judgement.holds()},
          {"positions_compared", judgement.positions},
          {"lets_through", judgement.slipping(0)},
          {"smallest_lets_through", judgement.slipping(1)},
          {"rejects", judgement.rejected()},
          {"faults", std::move(faults)},
          {"honest", std::move(honest)}};
}

}  // namespace vernier
