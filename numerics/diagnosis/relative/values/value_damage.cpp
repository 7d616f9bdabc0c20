// Elements, rows and columns of values that were overwritten.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

using Indices = std::vector<std::size_t>;

/// Where a model fails to predict, by estimates.
struct FailingElements {
  Indices elements;
  Indices rows;     ///< each once
  Indices columns;  ///< each once
  bool all_non_finite = true;
};

FailingElements failing_of(const ValueSubject& subject, const ValueModel& model) {
  FailingElements failing;
  std::vector<char> fails_in_column(subject.columns());
  for (std::size_t row = 0; row < subject.rows(); ++row) {
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      if (may_predict(subject, model, row, column)) {
        continue;
      }
      failing.elements.push_back(row * subject.columns() + column);
      failing.all_non_finite = failing.all_non_finite && !std::isfinite(subject.at(row, column));
      fails_in_column[column] = 1;
      if (failing.rows.empty() || failing.rows.back() != row) {
        failing.rows.push_back(row);
      }
    }
  }
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    if (fails_in_column[column] != 0) {
      failing.columns.push_back(column);
    }
  }
  return failing;
}

class DamageSearch {
 public:
  DamageSearch(const ValueSubject& subject, const NearestModel<ValueModel>& nearest)
      : subject_(subject),
        nearest_(nearest),
        nearest_ratio_(predict(subject, nearest.model).largest_budget_ratio),
        failing_(failing_of(subject, nearest.model)) {}

  std::vector<Explanation> run() {
    if (!failing_.elements.empty()) {
      elements();
      rows();
      columns();
    }
    return std::move(found_);
  }

 private:
  bool add(const ValueModel& model, std::string_view kind, std::string sentence, double bits) {
    const auto prediction = predict(subject_, model);
    if (!prediction.is_proved() || !stands_out(nearest_ratio_, prediction.largest_budget_ratio)) {
      return false;
    }
    found_.push_back({nearest_.findings, prediction, nearest_.bits + bits});
    found_.back().findings.push_back({&fault_kind(kind), std::move(sentence)});
    return true;
  }

  void elements() {
    constexpr std::size_t most_elements = 4;
    constexpr std::size_t least_share = 4;
    const auto count = failing_.elements.size();
    if (least_share * count > subject_.rows() * subject_.columns()) {
      return;
    }
    auto model = nearest_.model;
    model.left_out = failing_.elements;
    if (count <= most_elements) {
      const auto words = joined(
          failing_.elements,
          [&](std::size_t index) {
            const auto row = index / subject_.columns();
            const auto column = index % subject_.columns();
            return fmt::format("position {}, column {} holds {}", subject_.positions[row], column,
                               in_sentence(subject_.at(row, column)));
          },
          " and ");
      add(model, failing_.all_non_finite ? "damage/non-finite" : "damage/element",
          fmt::format("{}, and all else is right", words), damaged_bits * static_cast<double>(count));
    } else if (failing_.all_non_finite) {
      add(model, "damage/non-finite",
          fmt::format("{} elements are NaN or infinite, and all others are right", count), damaged_bits);
    }
  }

  void rows() {
    constexpr std::size_t most_rows = 4;
    constexpr std::size_t least_share = 3;
    const auto& rows = failing_.rows;
    if (rows.size() > most_rows || least_share * rows.size() > subject_.rows()) {
      return;
    }
    auto model = nearest_.model;
    if (rows.size() == 2) {
      std::swap(model.positions[rows[0]], model.positions[rows[1]]);
      if (add(model, "damage/rows-exchanged",
              fmt::format("the rows of positions {} and {} are exchanged", subject_.positions[rows[0]],
                          subject_.positions[rows[1]]),
              damaged_bits)) {
        return;
      }
    }
    if (rows.size() == 1 && is_zero_row(rows[0])) {
      model = nearest_.model;
      for (std::size_t column = 0; column < subject_.columns(); ++column) {
        model.left_out.push_back(rows[0] * subject_.columns() + column);
      }
      add(model, "damage/row-zero",
          fmt::format("the row of position {} holds zeros", subject_.positions[rows[0]]), damaged_bits - 2);
      return;
    }
    other_rows();
  }

  /// Rows that hold other positions.
  void other_rows() {
    auto model = nearest_.model;
    bool are_copies = true;
    std::vector<std::string> words;
    for (const auto row : failing_.rows) {
      const auto held = held_position(subject_, row);
      if (!held) {
        return;
      }
      model.positions[row] = *held;
      are_copies = are_copies && std::ranges::find(subject_.positions, *held) != subject_.positions.end();
      words.push_back(fmt::format("the row of position {} {} that of position {}", subject_.positions[row],
                                  are_copies ? "is a copy of" : "is", *held));
    }
    add(model, are_copies ? "damage/row-copy" : "position/rows", joined(words, " and "),
        (damaged_bits - 1) * static_cast<double>(words.size()));
  }

  bool is_zero_row(std::size_t row) const {
    for (std::size_t column = 0; column < subject_.columns(); ++column) {
      if (subject_.at(row, column) != 0) {
        return false;
      }
    }
    return true;
  }

  void columns() {
    constexpr std::size_t least_columns = 3;
    constexpr std::size_t most_tried = 4096;
    const auto& columns = failing_.columns;
    if (columns.size() > 2 || subject_.columns() < least_columns || subject_.columns() > most_tried) {
      return;
    }
    if (columns.size() == 2) {
      auto source = in_order();
      std::swap(source[columns[0]], source[columns[1]]);
      auto model = nearest_.model;
      reorder_columns(model, source);
      add(model, "damage/columns-swapped",
          fmt::format("columns {} and {} are exchanged", columns[0], columns[1]), damaged_bits);
      return;
    }
    for (const int factor : {0, -1}) {
      auto model = nearest_.model;
      model.table.factor = [before = model.table.factor, column = columns[0], factor](std::int64_t position,
                                                                                      std::size_t at) {
        return at == column ? Rational(factor * before(position, at)) : before(position, at);
      };
      add(model, factor == 0 ? "damage/column-zero" : "damage/column-sign",
          fmt::format("column {} {}", columns[0], factor == 0 ? "holds zeros" : "has the other sign"),
          damaged_bits - 2);
    }
    for (std::size_t other = 0; other < subject_.columns(); ++other) {
      auto source = in_order();
      source[columns[0]] = other;
      auto model = nearest_.model;
      reorder_columns(model, source);
      if (other != columns[0] && may_hold(model, columns[0])) {
        add(model, "damage/column-copy", fmt::format("column {} is a copy of column {}", columns[0], other),
            damaged_bits - 1);
      }
    }
  }

  Indices in_order() const {
    Indices order(subject_.columns());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  bool may_hold(const ValueModel& model, std::size_t column) const {
    for (std::size_t row = 0; row < subject_.rows(); ++row) {
      if (!may_predict(subject_, model, row, column)) {
        return false;
      }
    }
    return true;
  }

  const ValueSubject& subject_;
  const NearestModel<ValueModel>& nearest_;
  double nearest_ratio_;  ///< the greatest share of its budget that an element uses
  FailingElements failing_;
  std::vector<Explanation> found_;
};

}  // namespace

std::vector<Explanation> damage_of(const ValueSubject& subject, const NearestModel<ValueModel>& nearest) {
  constexpr std::size_t most_elements = std::size_t{1} << 23;
  if (!nearest.model.has_rows() || subject.rows() * subject.columns() > most_elements) {
    return {};
  }
  return DamageSearch(subject, nearest).run();
}

}  // namespace vernier
