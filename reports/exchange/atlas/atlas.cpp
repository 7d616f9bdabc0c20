#include "reports/exchange/atlas/atlas.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "numerics/budgets/conclusive.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/assets.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_models = 5;

std::string last_usable_text(const std::optional<ErrorPlace>& first_beyond) {
  return !first_beyond                 ? "all"
         : first_beyond->position == 0 ? "none"
                                       : std::to_string(first_beyond->position - 1);
}

std::string repeat_text(const FirstRepeat& repeat) {
  return repeat.position                       ? std::to_string(*repeat.position)
         : repeat.examined == largest_position ? "none"
                                               : fmt::format("none before {}", repeat.examined);
}

std::string greatest_error_text(const GreatestError& greatest) {
  return greatest.not_finite ? "not finite" : significant_text(greatest.error, 3);
}

std::string_view fate_text(const UsableContext& one) {
  return !one.is_decided()                         ? "undecided"
         : one.contract.fate != ContractFate::kept ? "broken"
         : is_beyond_judgement(one)                ? "kept where conclusive"
                                                   : "kept";
}

std::string models_text(const std::vector<std::string>& models) {
  auto shown = models;
  if (shown.size() > most_models) {
    shown.resize(most_models);
    shown.push_back(counted(models.size() - most_models, "more", "more"));
  }
  return joined(shown, ", ");
}

}  // namespace

const UsableContext* AtlasRotation::of(std::string_view recipe, Format stored) const {
  const auto found = std::ranges::find_if(
      kinds, [&](const UsableContext& one) { return one.recipe == recipe && one.stored == stored; });
  return found == kinds.end() ? nullptr : &*found;
}

bool is_beyond_judgement(const UsableContext& one) {
  return one.greatest.not_finite || proves_nothing(one.greatest.error, 1);
}

std::size_t Atlas::undecided() const {
  return sum_of(rotations, [](const AtlasRotation& rotation) {
    return static_cast<std::size_t>(
        std::ranges::count_if(rotation.kinds, [](const UsableContext& one) { return !one.is_decided(); }));
  });
}

const Atlas& built_in_atlas() {
  static const auto atlas = read_atlas(asset("atlas.json"), "atlas.json");
  return atlas;
}

std::string atlas_words(const Atlas& atlas) {
  std::string text;
  for (const auto& rotation : atlas.rotations) {
    text += fmt::format("{}\n{}; {}\n", one_line(models_text(rotation.models)), one_line(rotation.summary),
                        counted(static_cast<std::uint64_t>(rotation.pairs), "pair", "pairs"));
    text += fmt::format("  {:<26}{:<9}{:>12}{:>13}  {:<11}{:>12}  {}\n", "recipe", "stored", "to 2^-8",
                        "to 2^-11", "error", "repeat", "contract");
    for (const auto& one : rotation.kinds) {
      text +=
          fmt::format("  {:<26}{:<9}{:>12}{:>13}  {:<11}{:>12}  {}\n", one.recipe, traits(one.stored).name,
                      last_usable_text(one.first_beyond[0]), last_usable_text(one.first_beyond[1]),
                      greatest_error_text(one.greatest), repeat_text(one.repeat), fate_text(one));
    }
  }
  text += fmt::format(
      "proved over all positions to 2^31 - 1; {} of {} undecided\n"
      "  to 2^-8, to 2^-11: the last position up to which no element is off by more, as a share of the "
      "amplitude\n"
      "  error: the greatest; repeat: the first row with the bits of an earlier one\n",
      atlas.undecided(),
      counted(sum_of(atlas.rotations, [](const AtlasRotation& rotation) { return rotation.kinds.size(); }),
              "line is", "lines are"));
  return text;
}

}  // namespace vernier
