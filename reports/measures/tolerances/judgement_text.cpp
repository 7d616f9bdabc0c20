#include "reports/measures/tolerances/judgement_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/counted.hpp"
#include "reports/measures/tolerances/tolerance_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string difference_text(double difference) {
  return std::isfinite(difference) ? significant_text(difference, shown_digits) : "no number";
}

/// The least difference that a planting shows, and which.
std::size_t subtlest(const JudgedFault& fault) {
  const auto found = std::ranges::min_element(
      fault.plantings, {}, [](const std::vector<Passing>& one) { return one.front().difference; });
  return static_cast<std::size_t>(found - fault.plantings.begin());
}

std::string fault_line(const JudgedFault& fault) {
  const auto passing =
      std::ranges::count_if(fault.plantings, [](const auto& one) { return one.front().passes; });
  const auto which = subtlest(fault);
  const auto& parameters = fault.parameters[which];
  return fmt::format("  {}: {} ({} of {}{}: greatest difference {})\n", fault.kind->id,
                     fault.kind->description, passing, fault.plantings.size(),
                     parameters.empty() ? "" : "; " + parameters,
                     difference_text(fault.plantings[which].front().difference));
}

std::string honest_text(const JudgedTolerance& judged) {
  const auto& judgement = judged.judgement;
  const auto rejected = judgement.rejected(0).size();
  auto text = fmt::format("rejects {} of {} honest implementations", rejected, judgement.honest.size());
  if (judged.holds()) {
    return text + ", and can reject none of this order of operations";
  }
  const double needed = absolute_part_needed(judged.judged().relative, judged.question, judged.study);
  return text + fmt::format(", and may reject others: with this rtol, atol would have to be {}",
                            bound_text(needed, shown_digits));
}

}  // namespace

std::vector<const JudgedFault*> JudgedTolerance::avoidable() const {
  auto slipping = judgement.slipping(0);
  std::erase_if(slipping, [](const JudgedFault* fault) { return fault->slips_through(1); });
  return slipping;
}

std::string judgement_text(const JudgedTolerance& judged) {
  const auto& judgement = judged.judgement;
  const auto slipping = judgement.slipping(0);
  const auto avoidable = judged.avoidable();
  auto text =
      fmt::format("{}: {} of {} pass; it {}\n", text_of(judged.judged()), slipping.size(),
                  counted(judgement.faults.size(), "kind of fault", "kinds of fault"), honest_text(judged));
  text += fmt::format("  with the smallest tolerance that no honest one exceeds, {}, {} pass\n",
                      text_of(judgement.tolerances.back()), judgement.slipping(1).size());
  if (!slipping.empty()) {
    text += fmt::format("faults that pass this tolerance ({} of them also pass the smallest):\n",
                        slipping.size() - avoidable.size());
  }
  for (const auto* fault : slipping) {
    text += fault_line(*fault);
  }
  const auto rejected = judgement.rejected(0);
  if (!rejected.empty()) {
    text += "rejected, though honest:\n";
  }
  for (const auto* one : rejected) {
    text += fmt::format("  {}: greatest difference {}\n", one->words,
                        difference_text(one->passing.front().difference));
  }
  return text;
}

OrderedJson judgement_json(const JudgedTolerance& judged) {
  const auto& judgement = judged.judgement;
  auto faults = OrderedJson::array();
  for (const auto& fault : judgement.faults) {
    const auto which = subtlest(fault);
    faults.push_back({{"id", fault.kind->id},
                      {"description", fault.kind->description},
                      {"slips_through", fault.slips_through(0)},
                      {"slips_through_smallest", fault.slips_through(1)},
                      {"subtlest", fault.parameters[which]},
                      {"least_difference", fault.plantings[which].front().difference}});
  }
  auto honest = OrderedJson::array();
  for (const auto& one : judgement.honest) {
    honest.push_back({{"words", one.words},
                      {"rejected", !one.passing.front().passes},
                      {"greatest_difference", one.passing.front().difference}});
  }
  return {{"atol", judged.judged().absolute},
          {"rtol", judged.judged().relative},
          {"holds_of_all_honest", judged.holds()},
          {"positions_compared", judgement.positions},
          {"lets_through", judgement.slipping(0).size()},
          {"smallest_lets_through", judgement.slipping(1).size()},
          {"rejects", judgement.rejected(0).size()},
          {"faults", std::move(faults)},
          {"honest", std::move(honest)}};
}

}  // namespace vernier
