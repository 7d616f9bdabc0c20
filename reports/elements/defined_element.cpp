#include "reports/elements/defined_element.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <variant>

#include <fmt/core.h>

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
  Finder(const ElementWish& wish, const std::string& source)
      : wish_(wish),
        source_(source),
        pair_{"--pair", wish.pair},
        head_{"--head", wish.head},
        column_{"--column", wish.column} {}

  void operator()(const TrigTable& table) {
    for (const auto column : columns_of_pair(table)) {
      add(table.role, meaning_of(table.columns[column]),
          table.entry(table.positions.place(wish_.position), column));
      found.back().sine = SineEntry{table, column};
    }
  }

  void operator()(const TurnedTable& table) {
    for (const auto column : columns_of_pair(table.sines)) {
      const auto& meaning = table.sines.columns[column];
      add(table.sines.role,
          table.is_scale_alone ? fmt::format("scale of pair {}", meaning.pair)
                               : "scaled " + meaning_of(meaning),
          table.entry(wish_.position, column));
    }
  }

  void operator()(const TurnedTable& table) {
    for (const auto column : columns_of_pair(table.table, &table.axis)) {
      const auto axis = table.axis[column];
      add(table.table.role,
          fmt::format("{} along {}", meaning_of(table.table.columns[column]),
                      axis == all_axes ? "all axes" : fmt::format("axis {}", axis)),
          table.entry(wish_.position, column));
    }
  }

  void operator()(const ExactTable& table) {
    table.require(wish_.position);
    const auto column = static_cast<std::size_t>(
        table.columns == 1 && !column_.value ? 0 : read(column_, table.role, table.columns, "columns"));
    add(table.role, fmt::format("column {}", column), table.entry(wish_.position, column));
    if (table.is_rational()) {
      found.back().integer = as_integer(table.factor(wish_.position, column));
    }
  }

  void operator()(const BiasTable& table) {
    const auto head = static_cast<std::size_t>(read(head_, table.role, table.heads(), "heads"));
    if (table.factor == BiasTable::Factor::one) {
      add(table.role, fmt::format("slope of head {}", head), table.entry(head, 1));
      return;
    }
    const std::array keys{wish_.position, std::int64_t{0}};
    add(table.role, fmt::format("bias of head {} for a key at {} and the query at 0", head, wish_.position),
        table.entry(head, table.multiplier(keys, 1, 0, 0)));
  }

  void operator()(const BucketTable& table) {
    const auto bucket = table.rule(wish_.position);
    add(std::string(BucketTable::role),
        fmt::format("bucket of the relative position {}{}", wish_.position,
                    bucket.across
                        ? fmt::format("; on an edge, where a rounded logarithm gives {}", *bucket.across)
                        : ""),
        [index = bucket.index] { return enclose(index); });
    found.back().integer = bucket.index;
  }

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
  void add(std::string role, std::string meaning, Real truth) {
    found.push_back({std::move(role), std::move(meaning), std::move(truth)});
  }

  static std::string meaning_of(const Column& column) {
    return fmt::format("{} of pair {}", column.component == Component::sine ? "sine" : "cosine", column.pair);
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

  /// The first column of each component of the pair, and of each axis where there are axes.
  std::vector<std::size_t> columns_of_pair(const TrigTable& table, const std::vector<int>* axes = nullptr) {
    const bool is_mixed = axes != nullptr && axes->front() == all_axes;
    const int pairs = is_mixed ? mixed_pairs(table.frequencies) : table.frequencies.pairs();
    const auto pair = read(pair_, table.role, static_cast<std::size_t>(pairs), "pairs");
    std::vector<std::size_t> columns;
    std::set<std::pair<Component, int>> seen;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const auto& [of_pair, component] = table.columns[column];
      if (component != Component::zero && of_pair == pair &&
          seen.emplace(component, axes == nullptr ? 0 : (*axes)[column]).second) {
        columns.push_back(column);
      }
    }
    return columns;
  }

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
  Finder find(wish, source);
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
