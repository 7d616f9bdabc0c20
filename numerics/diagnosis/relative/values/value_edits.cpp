// Values that are others: another spec, columns in another order, factors, formats, rows of other positions.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/decoding/axis_rules.hpp"
#include "numerics/decoding/pair_signal.hpp"
#include "numerics/diagnosis/relative/edit_rows.hpp"
#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "numerics/diagnosis/stages/position.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// The table of an encoding, if it has the columns of the tensor; else null.
const ExactTable* table_of(const ValueSubject& subject, const Encoding* encoding) {
  const auto* table = encoding == nullptr ? nullptr : encoding->first<ExactTable>();
  return table != nullptr && table->columns == subject.columns() ? table : nullptr;
}

/// How far the values of some rows are from those of a spec.
double misfit(const ValueSubject& subject, const OrderedJson& spec) {
  constexpr std::size_t some_rows = 24;
  const auto other = encoding_of(spec);
  const auto* table = table_of(subject, other.get());
  auto model = subject.declared();
  model.table = table == nullptr ? model.table : *table;
  if (table == nullptr || !model.has_rows()) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0;
  for (std::size_t i = 0; i < some_rows; ++i) {
    const auto row = i * (subject.rows() - 1) / (some_rows - 1);
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      const double got = subject.at(row, column);
      sum += std::isfinite(got) ? std::fabs(got - model.estimate(row, column)) : 0;
    }
  }
  return sum;
}

/// Other specs of the scheme.
void append_other_specs(const ValueSubject& subject, ValueEdits& edits) {
  constexpr double likelier_bits = 0.5;  // than the same as an order of columns, or a shift
  auto changes = spec_changes(subject.encoding);
  std::ranges::move(fitted_changes(
                        subject.encoding, [&](const OrderedJson& spec) { return misfit(subject, spec); },
                        [](std::string_view) { return true; }),
                    std::back_inserter(changes));
  const auto spec = subject.encoding.spec();
  for (auto& change : changes) {
    const auto* table = table_of(subject, change.encoding.get());
    if (table == nullptr) {
      continue;
    }
    if (change.finding.kind == &fault_kind("spec/key")) {
      const auto& first = change.finding.edit.front();
      const OrderedJson::json_pointer pointer(first.at("path").get<std::string>());
      const auto value = first.contains("value") ? first.at("value") : spec.at(pointer);
      if (value.is_array() && !value.empty() && value.front().is_array()) {
        continue;  // other rows: whose they are is told by their positions
      }
      const bool is_reading = change.is_choice && !value.is_array();
      change.finding.kind = &fault_kind(is_reading ? "mapping/reading" : "mapping/parameter");
    }
    tell_held_defaults(subject.encoding, change);
    edits.push_back({std::move(change.finding), change.bits - likelier_bits, value_order::table,
                     [table = *table](ValueModel& model) { model.table = table; }});
  }
}

void multiply(ValueModel& model, double factor) {
  map_factors(model,
              [exact = exact_rational(factor)](const Rational& value) { return Rational(value * exact); });
  // A product is rounded, what is read is not.
  if (factor != -1) {
    model.table.making = ExactTable::Making::quotient;
  }
}

/// What is left of a value that is cut off at the last place of a format.
Rational cut_off(Format format, const Rational& value) {
  const double near = approximately(value);
  const double rounded = round_to(format, near);
  if (!std::isfinite(rounded)) {
    return value;
  }
  const bool is_beyond = abs(exact_rational(rounded)) > abs(value);
  return exact_rational(!is_beyond    ? rounded
                        : rounded > 0 ? next_down(format, rounded)
                                      : next_up(format, rounded));
}

/// Makes of each value what the row says.
void map_values(ValueModel& model, const EditRow& row) {
  map_factors(
      model, [map = row.map("value")](const Rational& value) { return Rational(map(approximately(value))); });
}

constexpr std::array<RowSetting<ValueModel>, 6> value_settings{
    {{"position", value_order::positions,
      [](ValueModel& model, const EditRow& row) {
        const auto map = row.map("position");
        for (auto& position : model.positions) {
          position = static_cast<std::int64_t>(map(static_cast<double>(position)));
        }
      }},
     {"factor", value_order::amplitude,
      [](ValueModel& model, const EditRow& row) { multiply(model, row.number("factor")); }},
     {"is stored", value_order::storage, map_values},
     {"is read", value_order::storage,
      [](ValueModel& model, const EditRow& row) {
        if (row.has("value")) {
          map_values(model, row);
        } else {
          map_factors(model,
                      [format = row.format()](const Rational& value) { return cut_off(format, value); });
        }
        model.table.making = ExactTable::Making::lookup;
      }},
     {"value", value_order::amplitude, map_values},
     {"format", value_order::storage,
      [](ValueModel& model, const EditRow& row) { model.format = row.format(); }}}};

void append_listed_edits(const ValueSubject& subject, ValueEdits& edits) {
  const NamedNumbers numbers{{"columns", subject.columns()},
                             {"precision", traits(subject.tensor.stored()).precision},
                             {"is_rational", subject.tensor.table.is_rational()},
                             {"has_digits", subject.is("binary") || subject.is("one_hot")},
                             {"binary", subject.is("binary")},
                             {"integer_index", subject.is("integer_index")},
                             {"log_coordinates", subject.is("log_coordinates")}};
  append_rows("values", numbers, value_settings, edits);
}

void append_found_factors(const ValueSubject& subject, ValueEdits& edits) {
  constexpr int most_digits = 7;
  constexpr double least_difference = 1e-6;
  const auto declared = subject.declared();
  double products = 0;
  double squares = 0;
  const auto step = 1 + subject.rows() / 64;
  for (std::size_t row = 0; row < subject.rows(); row += step) {
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      const double truth = declared.estimate(row, column);
      const double got = subject.at(row, column);
      if (std::isfinite(got)) {
        products += truth * got;
        squares += truth * truth;
      }
    }
  }
  const double found = products / squares;
  if (!std::isfinite(found) || std::fabs(found) <= least_difference ||
      std::fabs(std::fabs(found) - 1) <= least_difference) {
    return;
  }
  for (const auto& decimal : short_decimals(found, most_digits)) {
    edits.push_back(
        {{&fault_kind("amplitude/factor"), fmt::format("every value is multiplied by {}", decimal.text)},
         decimal_bits(decimal.digits),
         value_order::amplitude,
         [by = decimal.value](ValueModel& model) { multiply(model, by); }});
  }
}

/// Of a column those that it may hold, by some rows.
std::vector<HeldRange> held_columns(const ValueSubject& subject, const ValueModel& declared,
                                    std::size_t column) {
  constexpr std::size_t some_rows = 64;
  const auto rows = spread_rows(subject.rows(), some_rows);
  std::vector<HeldRange> held;
  for (std::size_t other = 0; other < subject.columns(); ++other) {
    const bool may_hold = std::ranges::all_of(rows, [&](std::size_t row) {
      auto one = predicted_element(subject, declared, row, other);
      one.got = subject.at(row, column);
      return std::isfinite(one.got) && !one.fails();
    });
    if (may_hold) {
      held.push_back({static_cast<double>(other), static_cast<double>(other)});
    }
  }
  return held;
}

/// Columns that hold others.
void append_column_rules(const ValueSubject& subject, ValueEdits& edits) {
  constexpr std::size_t most_columns = 512;
  if (subject.columns() > most_columns || !subject.declared().has_rows()) {
    return;
  }
  std::vector<double> indices;
  std::vector<std::vector<HeldRange>> held;
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    indices.push_back(static_cast<double>(column));
    held.push_back(held_columns(subject, subject.declared(), column));
  }
  const RowGrid grid{{}, subject.columns(), "column"};
  const std::vector<RowFeature> features{{RowFeature::Kind::position, indices, "i", "its own", 0}};
  const auto tell = [](const RowSet& set, const std::string& expression) {
    return fmt::format("{} {} column {}", set.is_whole ? "column i" : set.rows,
                       set.is_whole || set.is_told_as_one() ? "holds" : "hold", expression);
  };
  for (const auto& rule : learn_rows(HeldIndices(std::move(held)), grid, features, {tell})) {
    edits.push_back({{&fault_kind("mapping/columns"), rule.words},
                     rule.bits,
                     value_order::columns,
                     [source = mapped(rule.held, [](double x) { return static_cast<std::size_t>(x); })](
                         ValueModel& model) { reorder_columns(model, source); }});
  }
}

/// Rows of values, each of which is that of a position.
class HeldValueRows final : public HeldNumbers {
 public:
  explicit HeldValueRows(const ValueSubject& subject)
      : subject_(subject), own_(subject.declared()), known_(subject.rows()) {}

  std::size_t rows() const override { return subject_.rows(); }
  bool fits(std::size_t row, double number) const override {
    const auto position = static_cast<std::int64_t>(number);
    return static_cast<double>(position) == number && std::fabs(number) <= largest_position &&
           holds_row_of(subject_, own_, row, position);
  }
  /// From as far before zero, or the first position, as all are wide, to as far behind the last.
  std::span<const HeldRange> numbers(std::size_t row) const override {
    constexpr std::int64_t farthest = 1 << 13;
    auto& known = known_[row];
    if (!known) {
      known.emplace();
      const auto [least, greatest] = std::ranges::minmax(subject_.positions);
      const auto wide = std::min(farthest, std::max<std::int64_t>(64, greatest - least));
      for (auto p = std::min<std::int64_t>(least, 0) - wide; p <= greatest + wide; ++p) {
        const auto number = static_cast<double>(p);
        if (fits(row, number)) {
          known->push_back({number, number});
        }
      }
    }
    return *known;
  }

 private:
  const ValueSubject& subject_;
  mutable ValueModel own_;
  mutable std::vector<std::optional<std::vector<HeldRange>>> known_;
};

void append_row_rules(const ValueSubject& subject, ValueEdits& edits) {
  constexpr std::size_t most_rows = 1 << 14;
  if (subject.rows() > most_rows) {
    return;
  }
  const RowGrid grid{{}, subject.rows()};
  const std::vector<std::vector<double>> positions{{subject.positions.begin(), subject.positions.end()}};
  for (const auto& rule :
       learn_rows(HeldValueRows(subject), grid, row_features(grid, subject.columns(), positions, 0))) {
    edits.push_back({{&kind_of(rule.kind), rule.words},
                     rule.bits,
                     value_order::positions,
                     [held = rule.held](ValueModel& model) {
                       std::ranges::transform(held, model.positions.begin(),
                                              [](double x) { return static_cast<std::int64_t>(x); });
                     }});
  }
}

}  // namespace

std::vector<Explanation> rules_of_ids(const ValueSubject& subject) {
  std::vector<Explanation> result;
  if (!subject.is("position_ids")) {
    return result;
  }
  const RowGrid grid{{}, subject.rows()};
  const auto declared = subject.declared();
  std::vector<std::vector<double>> positions(subject.columns());
  std::vector<std::vector<std::vector<HeldRange>>> held(subject.columns());
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    for (std::size_t row = 0; row < subject.rows(); ++row) {
      const double got = subject.at(row, column);
      positions[column].push_back(declared.estimate(row, column));
      held[column].push_back({{got, got}});
    }
  }
  std::vector<AxisRules> axes;
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    const HeldIndices ids(std::move(held[column]));
    axes.push_back({column, learn_rows(ids, grid, row_features(grid, subject.columns(), positions, column))});
    for (std::size_t row = 0; row < subject.rows() && axes.back().rules.empty(); ++row) {
      if (!ids.fits(row, positions[column][row])) {
        return result;
      }
    }
  }
  const auto elements = static_cast<std::uint64_t>(subject.rows() * subject.columns());
  for (const auto& one : rules_of_axes(axes)) {
    result.push_back(
        {{{&kind_of(one.kind), one.words}}, {.elements = elements, .conclusive = elements}, one.bits});
  }
  return result;
}

ValueEdits value_edits(const ValueSubject& subject) {
  ValueEdits edits;
  append_other_specs(subject, edits);
  append_listed_edits(subject, edits);
  append_column_rules(subject, edits);
  append_found_factors(subject, edits);
  append_row_rules(subject, edits);
  return edits;
}

}  // namespace vernier
