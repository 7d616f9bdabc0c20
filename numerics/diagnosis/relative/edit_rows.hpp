#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/computation/formula.hpp"
#include "numerics/diagnosis/relative/edit_search.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// An edit of edit_rows.json: which fault it is, what it costs to say, and what it sets to which formula.
struct EditRow {
  Finding finding;
  double bits = 0;
  OrderedJson sets = {};
  NamedNumbers numbers = {};

  bool has(std::string_view key) const { return sets.contains(key); }
  /// \pre it has the key
  NumberMap map(std::string_view key) const;
  /// The same of what depends on nothing; `otherwise` where it has no such key.
  double number(std::string_view key, double otherwise = 0) const;
  /// Of the key "format". \pre it has the key
  Format format() const { return format_named(sets.at("format").get<std::string>()).value(); }
};

/// The rows of a family whose conditions hold of the numbers. In their words a formula stands in braces.
/// \param numbers that formulas name; flags are 0 or 1
std::vector<EditRow> edit_rows(std::string_view family, const NamedNumbers& numbers);

/// What a row may set in a model, and the order of edits that this is of.
template <class Model>
struct RowSetting {
  std::string_view key;
  int order;
  void (*set)(Model& model, const EditRow& row);
};

/// Appends the rows of a family as edits of a model: each sets what the first of its keys among these says.
template <class Model, class Settings>
void append_rows(std::string_view family, const NamedNumbers& numbers, const Settings& settings,
                 ModelEdits<Model>& edits) {
  for (auto& row : edit_rows(family, numbers)) {
    const auto setting = std::ranges::find_if(settings, [&](const auto& one) { return row.has(one.key); });
    edits.push_back({row.finding, row.bits, setting->order,
                     [row, set = setting->set](Model& model) { set(model, row); }});
  }
}

}  // namespace vernier
