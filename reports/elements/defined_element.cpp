#include "reports/elements/defined_element.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "numerics/elements/placed_elements.hpp"
#include "reference/input_error.hpp"
#include "reference/mixed_axes.hpp"
#include "reports/nearest_names.hpp"

namespace vernier {
namespace {

/// An option that says which element of a row is meant.
struct Index {
  std::string_view option;  ///< "--pair"
  std::optional<std::int64_t> value;
  bool is_used = false;
};

/// Finds the elements, tensor after tensor.
class Finder {
 public:
  Finder(const Encoding& encoding, const ElementWish& wish, const std::string& source)
      : encoding_(encoding),
        wish_(wish),
        source_(source),
        pair_{"--pair", wish.pair},
        head_{"--head", wish.head},
        column_{"--column", wish.column} {}

  void operator()(const TurnedTable& table) {
    for (const auto column : columns_of_pair(table)) {
      add(table, 0, column);
      if (table.is_plain()) {
        found.back().sine = SineEntry{table.sines, column};
      }
    }
  }

  void operator()(const ExactTable& table) {
    table.require(wish_.position);
    add(table, 0,
        static_cast<std::size_t>(
            table.columns == 1 && !column_.value ? 0 : read(column_, table.role, table.columns, "columns")));
  }

  void operator()(const BiasTable& table) {
    add(table, static_cast<std::size_t>(read(head_, table.role, table.heads(), "heads")), 0);
  }

  void operator()(const BucketTable& table) { add(table, 0, 0); }

  /// Rotated vectors have no elements of their own: they depend on what is rotated.
  void operator()(const HeadRotation& /*rotation*/) {}

  /// \throws InputError for an index that nothing has
  void require_no_more() const {
    for (const auto* index : {&pair_, &head_, &column_}) {
      if (index->value && !index->is_used) {
        throw InputError("{}: found {}, expected none, as no tensor of {} has {}s", index->option,
                         *index->value, source_, index->option.substr(2));
      }
    }
  }

  std::vector<DefinedElement> found;

 private:
  /// A bias is that of a query at 0.
  void add(const TensorDefinition& definition, std::size_t row, std::size_t column) {
    const bool is_bias = std::holds_alternative<BiasTable>(definition);
    const PlacedElements elements(
        encoding_, definition,
        is_bias ? std::vector{wish_.position, std::int64_t{0}} : std::vector{wish_.position});
    elements->go_to(row);
    found.push_back({.role = std::string(elements->role()),
                     .meaning = elements->name(column),
                     .truth = elements->exact(column),
                     .integer = elements->integer(column)});
  }

  /// The value of an index. \throws InputError for one that is missing or too large
  std::int64_t read(Index& index, std::string_view role, std::size_t count, std::string_view things) const {
    index.is_used = true;
    if (!index.value || *index.value >= static_cast<std::int64_t>(count)) {
      throw InputError("{}: found {}, expected a number from 0 to {}, as {} of {} has {} {}", index.option,
                       index.value ? std::to_string(*index.value) : "nothing", count - 1, role, source_,
                       count, things);
    }
    return *index.value;
  }

  /// The first column of each component of the pair, and of each axis.
  std::vector<std::size_t> columns_of_pair(const TurnedTable& table) {
    const auto& sines = table.sines;
    const int pairs = mixes_axes(table) ? mixed_pairs(sines.frequencies) : sines.frequencies.pairs();
    const auto pair = read(pair_, sines.role, static_cast<std::size_t>(pairs), "pairs");
    std::vector<std::size_t> columns;
    std::set<std::pair<Component, int>> seen;
    for (std::size_t column = 0; column < sines.columns.size(); ++column) {
      const auto& [of_pair, component] = sines.columns[column];
      if (component != Component::zero && of_pair == pair &&
          seen.emplace(component, table.axis(column)).second) {
        columns.push_back(column);
      }
    }
    return columns;
  }

  const Encoding& encoding_;
  const ElementWish& wish_;
  const std::string& source_;
  Index pair_;
  Index head_;
  Index column_;
};

}  // namespace

std::vector<DefinedElement> defined_elements(const Encoding& encoding, const ElementWish& wish,
                                             const std::string& source) {
  if (const auto length = encoding.sequence_length(); length && wish.position >= *length) {
    throw InputError(
        "--position: found {}, expected one below {}, the length of the sequence that the frequencies of {} "
        "belong to (--sequence-length gives another)",
        wish.position, *length, source);
  }
  Finder find(encoding, wish, source);
  std::vector<std::string> roles;
  for (const auto& definition : encoding.tensors()) {
    const std::string role(role_of(definition));
    if (std::holds_alternative<HeadRotation>(definition) || std::ranges::find(roles, role) != roles.end()) {
      continue;
    }
    roles.push_back(role);
    if (wish.role.empty() || wish.role == role) {
      std::visit(find, definition);
    }
  }
  if (!wish.role.empty() && std::ranges::find(roles, wish.role) == roles.end()) {
    throw InputError("--role: {}", not_among(wish.role, roles));
  }
  find.require_no_more();
  if (find.found.empty()) {
    throw InputError("value: found no element of {} at position {}, expected one that a column holds", source,
                     wish.position);
  }
  return std::move(find.found);
}

}  // namespace vernier
