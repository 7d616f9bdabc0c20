#include "reference/schemes/scheme_texts.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

namespace vernier {
namespace {

const OrderedJson& all_texts() {
  static const auto all = OrderedJson::parse(scheme_texts());
  return all;
}

std::string_view text_of(const OrderedJson& value) {
  return value.get_ref<const std::string&>();
}

}  // namespace

void tell(std::vector<Scheme>& schemes) {
  static std::deque<std::string> examples;  // which schemes refer to
  const auto& all = all_texts().at("schemes");
  std::ranges::sort(schemes, {}, [&](const Scheme& scheme) {
    return std::distance(all.begin(), all.find(std::string(scheme.name)));
  });
  for (auto& scheme : schemes) {
    const auto& texts = all.at(std::string(scheme.name));
    scheme.description = text_of(texts.at("description"));
    for (const auto& example : texts.at("examples")) {
      scheme.examples.push_back(examples.emplace_back(example.dump()));
    }
  }
}

KeyTexts::KeyTexts(std::string_view scheme, std::string_view marker) {
  const auto& schemes = all_texts().at("schemes");
  if (const auto of_scheme = schemes.find(std::string(scheme)); of_scheme != schemes.end()) {
    for (const auto& keys : {"keys with " + std::string(marker), std::string("keys")}) {
      if (const auto found = of_scheme->find(keys); found != of_scheme->end()) {
        tables_.push_back(&*found);
      }
    }
  }
  tables_.push_back(&all_texts().at("shared keys"));
}

KeyTexts::Text KeyTexts::of(std::string_view path) const {
  const std::array names{std::string(path), std::string(path.substr(path.rfind('.') + 1))};
  for (const auto* table : tables_) {
    for (const auto& name : names) {
      if (const auto found = table->find(name); found != table->end()) {
        return {text_of(found->at(0)), found->size() > 1 ? text_of(found->at(1)) : std::string_view()};
      }
    }
  }
  return {};
}

}  // namespace vernier
