#include <algorithm>
#include <array>

#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// evidence.json as it stands.
std::string evidence_text();

namespace {

constexpr std::array<std::string_view, 5> ruling_names{"holds", "conditional", "approximate", "refuted",
                                                       "undecided"};

/// Bits of intervals where evidence.json does not say: figures of a few digits need few, differences of
/// nearly equal numbers more.
constexpr unsigned usual_bits = 128;

template <class Value, std::size_t count>
Value named_value(const std::array<std::string_view, count>& names, const OrderedJson& name) {
  return static_cast<Value>(std::ranges::find(names, name.get<std::string>()) - names.begin());
}

const OrderedJson& text_of(std::string_view id) {
  static const auto texts = OrderedJson::parse(evidence_text());
  return texts.at(std::string(id));
}

std::vector<Evidence> all_evidence() {
  auto all = make_all_groups(topic_makers);
  for (auto& one : all) {
    const auto& text = text_of(one.id);
    one.computes = text.at("computes").get<std::string>();
    one.method = named_value<Method>(method_names, text.at("method"));
    one.finding = named_value<Ruling>(ruling_names, text.at("finds"));
    one.bits = text.value("bits", usual_bits);
  }
  return all;
}

}  // namespace

EvidenceResult Evidence::compute() const {
  const WorkingPrecision scope(bits);
  Facts facts(text_of(id));
  establish(facts);
  return facts.conclude(finding);
}

std::span<const Evidence> evidence() {
  static const auto all = all_evidence();
  return all;
}

const Evidence* evidence_named(std::string_view id) {
  const auto found = std::ranges::find(evidence(), id, &Evidence::id);
  return found == evidence().end() ? nullptr : &*found;
}

std::string_view name_of(Ruling finding) {
  return ruling_names[static_cast<std::size_t>(finding)];
}

}  // namespace vernier
