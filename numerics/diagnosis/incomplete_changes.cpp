// Specs that need numbers which the declared one lacks.

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/spec_changes.hpp"
#include "numerics/diagnosis/spec_numbers.hpp"
#include "numerics/diagnosis/spec_patch.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

/// The specs that show how a scheme is written.
std::vector<OrderedJson> examples_of(std::string_view name) {
  std::vector<OrderedJson> result;
  const auto scheme = std::ranges::find(schemes(), name, &Scheme::name);
  for (const auto text : scheme->examples) {
    result.push_back(OrderedJson::parse(text));
  }
  return result;
}

/// An edited spec, with the numbers that an example has beside the same value.
std::shared_ptr<const Encoding> with_usual_numbers(SpecEdit edit, const OrderedJson& before,
                                                   const std::vector<OrderedJson>& examples) {
  const auto edited = edit.encoding->spec();
  const OrderedJson::json_pointer choice(fmt::format("/{}", pointer_of(edit.key.path)));
  auto patch = OrderedJson::array();
  for (const auto& example : examples) {
    if (!edited.contains(choice) || !example.contains(choice) || example.at(choice) != edited.at(choice)) {
      continue;
    }
    for (const auto& number : numbers_of(*edit.encoding)) {
      const OrderedJson::json_pointer pointer(fmt::format("/{}", number.path));
      if (number.is_there && !before.contains(pointer) && example.contains(pointer)) {
        patch.push_back(replacement(number.path, example.at(pointer)).front());
      }
    }
  }
  std::shared_ptr<const Encoding> usual = patched(*edit.encoding, patch);
  return usual != nullptr ? usual : std::move(edit.encoding);
}

}  // namespace

std::vector<std::shared_ptr<const Encoding>> incomplete_changes(const Encoding& declared) {
  const auto examples = examples_of(declared.scheme());
  std::vector<std::shared_ptr<const Encoding>> result;
  std::set<std::string> seen;
  const auto add = [&](std::shared_ptr<const Encoding> other) {
    if (other != nullptr && seen.insert(other->spec().dump()).second) {
      result.push_back(std::move(other));
    }
  };
  const auto add_choices = [&](const Encoding& of) {
    const auto before = of.spec();
    for (auto& edit : edits_of(of)) {
      if (edit.key.domain && is_choice(edit) && has_made_up_number(before, edit)) {
        add(with_usual_numbers(std::move(edit), before, examples));
      }
    }
  };
  add_choices(declared);
  std::set<std::string> added;
  for (const auto& example : examples) {
    for (const auto& [key, value] : example.items()) {
      if (!value.is_object() || declared.spec().contains(key)) {
        continue;
      }
      const std::shared_ptr<const Encoding> other = patched(declared, replacement(key, value));
      add(other);
      if (other != nullptr && added.insert(key).second) {
        add_choices(*other);
      }
    }
  }
  return result;
}

}  // namespace vernier
