#include "numerics/diagnosis/relative/edit_rows.hpp"

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/spec_patch.hpp"

namespace vernier {

/// edit_rows.json as it stands.
std::string edit_rows_text();

namespace {

double value_of(const OrderedJson& said, const NamedNumbers& numbers) {
  return said.is_string() ? formula(said.get<std::string>(), numbers)(0) : said.get<double>();
}

}  // namespace

NumberMap EditRow::map(std::string_view key) const {
  const auto& said = sets.at(std::string(key));
  return said.is_string() ? formula(said.get<std::string>(), numbers)
                          : [value = said.get<double>()](double) { return value; };
}

double EditRow::number(std::string_view key, double otherwise) const {
  return has(key) ? value_of(sets.at(std::string(key)), numbers) : otherwise;
}

std::vector<EditRow> edit_rows(std::string_view family, const NamedNumbers& numbers) {
  static const auto all = OrderedJson::parse(edit_rows_text());
  auto costs = numbers;
  costs.insert({{"flag", flag_bits}, {"variant", variant_bits}, {"listed", listed_bits}});
  std::vector<EditRow> result;
  for (const auto& row : all.at(std::string(family))) {
    if (value_of(row.value("if", OrderedJson(1)), numbers) > 0) {
      Finding finding{&fault_kind(row.at("kind").get<std::string>()),
                      filled_in(row.at("words").get<std::string>(), [&](const std::string& text) {
                        return fmt::format("{:.15g}", formula(text, numbers)(0));
                      })};
      const auto edit = row.value("edit", OrderedJson::object());
      for (const auto& [key, value] : edit.items()) {
        finding.edit = replacement(key, value);
      }
      result.push_back({std::move(finding), value_of(row.at("bits"), costs), row.at("sets"), numbers});
    }
  }
  return result;
}

}  // namespace vernier
