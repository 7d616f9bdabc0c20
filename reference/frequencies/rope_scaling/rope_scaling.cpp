#include "reference/frequencies/rope_scaling/rope_scaling.hpp"

#include <algorithm>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/keys/key_visitor.hpp"
#include "reference/support/word_list.hpp"

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

bool spans_head(std::string_view type) {
  bool spans = false;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) {
    spans = spans || (Rule::type == type && SpansHead<Rule>);
  });
  return spans;
}

void visit_rope_type(KeyVisitor& visit, RopeScaling& scaling, bool has_older_names) {
  std::vector<std::string_view> types;
  std::vector<RopeScaling> rules;
  for_each_rule([&]<class Rule>(std::type_identity<Rule>) {
    types.push_back(Rule::type);
    rules.emplace_back(Rule());
  });
  auto domain = one_of(types, "one of " + joined(types, in_quotes));
  if (has_older_names) {
    domain.older_key = "type";
    const auto index = [&](std::string_view type) {
      return static_cast<std::size_t>(std::ranges::find(types, type) - types.begin());
    };
    domain.older_names = {{"su", index(LongRopeScaling::type)}, {"mrope", index(Unscaled::type)}};
  }
  auto type = static_cast<Choice>(scaling.index());
  visit.required("rope_type", type, domain);
  visit.fallback(scaling, rules[static_cast<std::size_t>(type)]);
}

void visit_keys(KeyVisitor& visit, RopeScaling& scaling, const RotaryContext& context) {
  std::visit([&](auto& rule) { rule.keys(visit, context); }, scaling);
}

std::string summary(const RopeScaling& scaling) {
  return std::visit([](const auto& rule) { return rule.summary(); }, scaling);
}

Amplitude amplitude(const RopeScaling& scaling) {
  return std::visit(
      [](const auto& rule) -> Amplitude {
        if constexpr (requires { rule.amplitude(); }) {
          return rule.amplitude();
        } else {
          return 1;
        }
      },
      scaling);
}

}  // namespace vernier
