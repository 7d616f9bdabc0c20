#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/counted.hpp"
#include "reports/tolerances/tolerance_judgement.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string bound(double value) {
  return bound_text(value, shown_digits);
}

std::string_view name(Format format) {
  return traits(format).name;
}

/// In the order of the enumeration.
constexpr std::array<std::string_view, 4> expected_words{
    "the certified value, not rounded (vernier table --dtype float64)",
    "the certified value rounded to the same type (vernier table)",
    "a second implementation with the same order of operations",
    "a second implementation that multiplies by the same cosines and sines, whose errors do not count"};

/// What the greatest difference is made of.
OrderedJson derivation(const ToleranceQuestion& question, const ToleranceStudy& study) {
  const auto& error = study.whole().errors.total;
  const auto& rotation = question.rotation;
  auto parts = OrderedJson::array();
  const auto add = [&](double part, const std::string& words) {
    parts.push_back({{"part", part}, {"words", words}});
  };
  add(error.phase,
      fmt::format("the phase: its frequency and its product with a position up to {} are rounded; "
                  "a phase off by D {} by as much at most",
                  study.octaves.back().positions.farthest,
                  rotation ? "turns the pair" : "moves a sine or cosine"));
  add(error.trig, rotation ? "the sine and the cosine themselves, times the input"
                           : "the sine or cosine itself, as the contract promises it");
  if (rotation) {
    add(error.table, fmt::format("their rounding to {}, times the input", name(rotation->tables)));
    if (has_exact_products(*rotation)) {
      add(0, fmt::format("the products: {} by {} bits are exact in {}", traits(rotation->tables).precision,
                         traits(rotation->vectors).precision, name(rotation->math)));
    } else {
      add(error.products,
          fmt::format("the rounding of {} in {}",
                      rotation->is_fused ? "one product, as the other is fused" : "two products",
                      name(rotation->math)));
    }
    if (rotation->math != rotation->vectors) {
      add(error.sum, fmt::format("the rounding of their sum in {}", name(rotation->math)));
    }
  }
  if (study.whole().errors.last_ulps > 0) {
    add(error.stored, fmt::format("the last rounding, to {}: this alone grows with the element, and is "
                                  "the relative part of the tolerance",
                                  name(question.stored())));
  }
  return parts;
}

std::string order_text(const ToleranceQuestion& question) {
  const auto plain = "frequency " + std::string(program::plain_way(program::Stage::order).words);
  const auto& orders = question.frequencies;
  auto text = fmt::format("contract {}; {}", question.contract->id,
                          !orders                   ? "frequencies as the contract lets them be"
                          : orders->words().empty() ? plain
                                                    : orders->words());
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
  const auto* loose = study.first_loose();
  auto text = fmt::format(
      "{}: no honest implementation exceeds it\n"
      "  of {} in {}, positions {} to {}: {}\n"
      "  compared with {}\n{}"
      "  order of operations: {}\n"
      "  greatest difference: {}, which is {} ulp of {} from 1/2 to 1 (one is {})\n"
      "  In ulp of the element itself there is no bound: an element may be as near to zero as one likes.\n{}"
      "why, for the element that may be off most ({} from the certified value):\n",
      text_of(whole.smallest), question.rotation ? "rotated vectors" : "sines and cosines", name(stored),
      question.positions.first, question.positions.at(question.positions.count - 1),
      question.encoding->summary(), expected_words[static_cast<std::size_t>(question.expected)],
      question.expected == Expected::same_table
          ? "  A fault of the cosines and sines is not seen: both sides have it.\n"
          : "",
      order_text(question), bound(whole.greatest_difference), bound(whole.greatest_difference / ulp),
      name(stored), significant_text(ulp, shown_digits),
      loose == nullptr
          ? ""
          : fmt::format("  From position {} on the bound is more than a quarter of full scale: so "
                        "large a tolerance finds few faults.\n",
                        loose->positions.nearest),
      bound(whole.errors.total.total()));
  for (const auto& step : derivation(question, study)) {
    text += fmt::format("  {:>9}  {}\n", bound(step["part"]), step["words"].get<std::string>());
  }
  constexpr std::string_view row = "{:<22}{:>20}{:>12}{:>12}\n";
  text += fmt::format(row, "positions", "greatest difference", "ulp", "atol");
  for (const auto& [positions, errors, smallest, difference] : study.octaves) {
    const auto& [nearest, farthest] = positions;
    text += fmt::format(
        row, nearest == farthest ? std::to_string(nearest) : fmt::format("{} to {}", nearest, farthest),
        bound(difference), bound(difference / ulp), bound(smallest.absolute));
  }
  return text +
         fmt::format("paste: torch.testing.assert_close(actual, expected, {})\n", text_of(whole.smallest));
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
                   {"tolerance", of(study.whole())},
                   {"derivation", derivation(question, study)}};
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
  for (const auto& fault : judgement.narrow) {
    text += fmt::format("no fault: {}: {}: {}\n", fault.kind->at("id").get<std::string>(),
                        fault.kind->at("what").get<std::string>(),
                        narrow_arithmetic_text(judgement.contract, fault.narrow_share));
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
