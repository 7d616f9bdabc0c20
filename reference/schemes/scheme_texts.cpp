#include "reference/schemes/scheme_texts.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <stdexcept>

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

std::vector<Scheme> told(std::span<const Scheme> schemes) {
  static std::deque<std::string> examples;  // which schemes refer to
  std::vector<Scheme> result;
  for (const auto& [name, texts] : all_texts().at("schemes").items()) {
    const auto found = std::ranges::find(schemes, name, &Scheme::name);
    if (found == schemes.end()) {
      throw std::logic_error("schemes.json: no file has the scheme " + name);
    }
    auto& scheme = result.emplace_back(*found);
    scheme.description = text_of(texts.at("description"));
    for (const auto& example : texts.at("examples")) {
      scheme.examples.push_back(examples.emplace_back(example.dump()));
    }
  }
  if (result.size() != schemes.size()) {
    throw std::logic_error("schemes.json: says nothing of some scheme");
  }
  return result;
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
