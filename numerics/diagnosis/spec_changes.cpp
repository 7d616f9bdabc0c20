#include "numerics/diagnosis/spec_changes.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/diagnosis/spec_numbers.hpp"
#include "numerics/diagnosis/spec_patch.hpp"
#include "reference/keys/key_edit.hpp"
#include "reference/keys/value_draw.hpp"

namespace vernier {
namespace {

/// Whether a whole number becomes so much larger that it is none of that key: a size, as whose tensors would
/// fill the memory.
bool is_far_off(const SpecEdit& edit) {
  constexpr std::int64_t most_times = 2;
  constexpr std::int64_t small = 64;
  const auto* becomes = std::get_if<std::int64_t>(&edit.value);
  const auto* was = std::get_if<std::int64_t>(&edit.key.value);
  return becomes != nullptr && *becomes > most_times * std::max(small, was == nullptr ? 0 : *was);
}

constexpr int few_choices = 3;

}  // namespace

bool is_choice(const SpecEdit& edit) {
  const auto* constant = std::get_if<Constant>(&edit.value);
  if (constant != nullptr && edit.key.domain && edit.key.domain->may_have_pi) {
    return constant->factor == 1 || constant->factor == 2;
  }
  const auto* whole = std::get_if<std::int64_t>(&edit.value);
  if (whole != nullptr && edit.key.domain &&
      edit.key.domain->range.greatest - edit.key.domain->range.least < few_choices) {
    return true;
  }
  if (std::holds_alternative<std::monostate>(edit.value)) {
    return !edit.key.domain || !number_of(edit.key.usual);
  }
  return edit.key.domain && (edit.key.domain->kind == KeyDomain::Kind::choice ||
                             edit.key.domain->kind == KeyDomain::Kind::boolean);
}

bool has_made_up_number(const OrderedJson& before, const SpecEdit& edit) {
  return std::ranges::any_of(keys_of(*edit.encoding), [&](const KeyDescription& key) {
    const OrderedJson::json_pointer pointer(fmt::format("/{}", pointer_of(key.path)));
    return key.domain && number_of(key.value) && key.value != key.usual &&
           generic_path(key.path) != generic_path(edit.key.path) && !before.contains(pointer);
  });
}

namespace {

/// Whether an object is added, with keys that are drawn at random.
bool adds_object(const SpecEdit& edit) {
  return !edit.key.domain && !edit.key.is_there();
}

/// Appends changes, each spec once.
class ChangeList {
 public:
  explicit ChangeList(const Encoding& declared) : declared_(declared), seen_{declared.spec().dump()} {}

  void add(std::shared_ptr<const Encoding> other, ChangedValue value) {
    if (other != nullptr && seen_.insert(other->spec().dump()).second) {
      auto change = change_between(declared_, std::move(other), value);
      if (change.bits <= most_change_bits) {
        changes_.push_back(std::move(change));
      }
    }
  }
  void add(const OrderedJson& patch, ChangedValue value) { add(patched(declared_, patch), value); }

  std::vector<SpecChange> take() { return std::move(changes_); }

 private:
  static constexpr double most_change_bits = 30;  // no one key

  const Encoding& declared_;
  std::set<std::string> seen_;  ///< specs
  std::vector<SpecChange> changes_;
};

}  // namespace

std::vector<SpecChange> spec_changes(const Encoding& declared) {
  ChangeList changes(declared);
  const auto before = declared.spec();
  for (auto& edit : edits_of(declared)) {
    if (is_far_off(edit) || adds_object(edit) || has_made_up_number(before, edit)) {
      continue;
    }
    const bool has_many = edit.key.domain && edit.key.domain->choices.size() > std::size_t{few_choices};
    const auto value = !is_choice(edit) ? ChangedValue::listed
                       : has_many       ? ChangedValue::variant
                                        : ChangedValue::choice;
    changes.add(std::move(edit.encoding), value);
  }
  const auto numbers = numbers_of(declared);
  for (const auto& one : numbers) {
    for (const auto& other : numbers) {
      if (one.value == other.value || one.path == other.path) {
        continue;
      }
      const bool are_neighbours = object_of(one.path) == object_of(other.path) && one.path < other.path;
      if (are_neighbours && (one.is_there || other.is_there) && one.listed == other.listed) {
        auto both = one.replaced(other.value);
        both.push_back(other.replaced(one.value).front());
        changes.add(both, ChangedValue::listed);
      }
      if (one.is_there && other.is_there &&
          (one.counts_positions || other.value <= 2 * one.value)) {  // as is_far_off() has it
        changes.add(one.replaced(other.value), ChangedValue::listed);
      }
      if (one.is_there && other.is_there && one.counts_positions && !other.counts_positions &&
          object_of(one.path) == object_of(other.path)) {  // a length that was multiplied by a factor
        changes.add(one.replaced(one.value * other.value), ChangedValue::listed);
      }
    }
  }
  return changes.take();
}

}  // namespace vernier
