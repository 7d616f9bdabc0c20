#include "reference/rope_scaling/rope_scaling.hpp"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "reference/word_list.hpp"

namespace vernier {
namespace {

template <class Rule>
concept SpansHead = requires {
  Rule::spans_head;
};

/// Calls `use` with the type of each alternative in turn.
template <class Use, class... Rules>
void for_each_rule(std::type_identity<std::variant<Rules...>>, Use use) {
  (use(std::type_identity<Rules>{}), ...);
}

template <class Use>
void for_each_rule(Use use) {
  for_each_rule(std::type_identity<RopeScaling>{}, use);
}

}  // namespace

std::string rope_scaling_names() {
  std::vector<std::string> names;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) { names.push_back(in_quotes(Rule::type)); });
  return joined(names);
}

bool is_rope_scaling(std::string_view type) {
  bool known = false;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) { known = known || Rule::type == type; });
  return known;
}

bool spans_head(std::string_view type) {
  bool spans = false;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) {
    spans = spans || (Rule::type == type && SpansHead<Rule>);
  });
  return spans;
}

RopeScaling read_rope_scaling(std::string_view type, ObjectReader& reader, const RotaryContext& context) {
  assert(is_rope_scaling(type));
  std::optional<RopeScaling> result;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) {
    if (Rule::type == type) {
      result = Rule::read(reader, context);
    }
  });
  return *result;
}

OrderedJson to_json(const RopeScaling& scaling) {
  return std::visit(
      [](const auto& rule) {
        OrderedJson result{{"rope_type", rule.type}};
        result.update(rule.parameters());
        return result;
      },
      scaling);
}

std::string summary(const RopeScaling& scaling) {
  return std::visit([](const auto& rule) { return rule.summary(); }, scaling);
}

Amplitude amplitude(const RopeScaling& scaling) {
  return std::visit([](const auto& rule) { return rule.amplitude(); }, scaling);
}

}  // namespace vernier
