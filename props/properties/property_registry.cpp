#include <algorithm>
#include <iterator>

#include "props/judging/law_case.hpp"
#include "props/judging/property.hpp"
#include "props/judging/property_tally.hpp"
#include "reference/json/json.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

/// properties.json as it stands.
std::string properties_text();

namespace {

std::string_view text_of(const OrderedJson& object, const char* key) {
  return object.at(key).get_ref<const std::string&>();
}

std::vector<std::string_view> texts_of(const OrderedJson& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::vector<std::string_view>() : mapped(*found, [](const auto& text) {
    return std::string_view(text.template get_ref<const std::string&>());
  });
}

void tell(Property& property, const OrderedJson& texts) {
  property.name = text_of(texts, "name");
  property.statement = text_of(texts, "statement");
  property.hypotheses = text_of(texts, "hypotheses");
  property.citation = text_of(texts, "citation");
  property.counterexample = text_of(texts, "counterexample");
  for (std::size_t i = 0; i < property.drawn.size(); ++i) {
    auto& judge = property.drawn[i];
    const auto& of_judge = texts.at("drawn").at(i);
    judge.domain = text_of(of_judge, "domain");
    judge.positions = texts_of(of_judge, "positions");
    judge.vectors = texts_of(of_judge, "vectors");
    judge.row_forms = texts_of(of_judge, "rows");
    judge.catches = texts_of(of_judge, "catches");
  }
  if (property.model) {
    property.model->column = text_of(texts.at("model"), "column");
    property.model->variables = text_of(texts.at("model"), "variables");
  }
}

}  // namespace

std::vector<std::int64_t> DrawnJudge::rows(const LawCase& instance) const {
  std::vector<std::int64_t> result;
  for (const auto form : row_forms) {
    auto& position = result.emplace_back(0);
    std::int64_t sign = 1;
    for (std::size_t i = 0; i < form.size(); i += 2) {  // letters and signs, a space between them
      const bool is_sign = form[i] == '+' || form[i] == '-';
      position += is_sign ? 0 : sign * instance.position(form.substr(i, 1));
      sign = form[i] == '-' ? -1 : 1;
    }
  }
  return result;
}

void PropertyTally::merge(const PropertyTally& other) {
  if (failing_ == 0) {
    counterexample_ = other.counterexample_;
  }
  judged_ += other.judged_;
  undecided_ += other.undecided_;
  failing_ += other.failing_;
  greatest_budget_ratio_ = std::max(greatest_budget_ratio_, other.greatest_budget_ratio_);
}

std::span<const Property> properties() {
  static const auto texts = OrderedJson::parse(properties_text());  // which properties refer to
  static const auto all = [] {
    auto made = make_all_groups(property_makers);
    std::ranges::sort(made, {}, [](const Property& property) {
      return std::distance(texts.begin(), texts.find(std::string(property.id)));
    });
    for (auto& property : made) {
      tell(property, texts.at(std::string(property.id)));
    }
    return made;
  }();
  return all;
}

const Property* property_named(std::string_view id) {
  const auto all = properties();
  const auto found = std::ranges::find(all, id, &Property::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vernier
