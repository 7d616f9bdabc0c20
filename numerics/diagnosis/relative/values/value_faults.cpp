// Values that are others at the right positions: another spec, columns in another order, factors, formats.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "numerics/diagnosis/spec_changes.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

/// How far the values of some rows are from those of a spec.
double misfit(const ValueSubject& subject, const OrderedJson& patch) {
  constexpr std::size_t some_rows = 24;
  const auto other = patched(subject.encoding, patch);
  const auto tables = other == nullptr ? std::vector<ExactTable>() : other->all<ExactTable>();
  auto model = subject.declared();
  if (!tables.empty()) {
    model.table = tables.front();
  }
  if (tables.empty() || model.table.columns != subject.columns() || !model.has_rows()) {
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
ValueEdits other_specs(const ValueSubject& subject) {
  constexpr double likelier_bits = 0.5;  // than the same as an order of columns, or a shift
  ValueEdits edits;
  auto changes = spec_changes(subject.encoding);
  std::ranges::move(fitted_changes(
                        subject.encoding, [&](const OrderedJson& patch) { return misfit(subject, patch); },
                        [](std::string_view) { return true; }),
                    std::back_inserter(changes));
  const auto spec = subject.encoding.spec();
  for (auto& change : changes) {
    const auto tables = change.encoding->all<ExactTable>();
    if (tables.empty() || tables.front().columns != subject.columns()) {
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
    edits.push_back({std::move(change.finding), change.bits - likelier_bits, value_order::table,
                     [table = tables.front()](ValueModel& model) { model.table = table; }});
  }
  return edits;
}

ValueEdits column_orders(const ValueSubject& subject) {
  const auto count = subject.columns();
  ValueEdits edits;
  if (count < 2) {
    return edits;
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto add = [&](std::string sentence, double bits, const std::vector<std::size_t>& source) {
    edits.push_back({{nullptr, std::move(sentence)}, bits, value_order::columns, [source](ValueModel& model) {
                       reorder_columns(model, source);
                     }});
  };
  add("columns are in reverse order", flag_bits, {order.rbegin(), order.rend()});
  auto moved = order;
  std::ranges::rotate(moved, moved.begin() + 1);
  add("columns are moved by one to the left", variant_bits, moved);
  moved = order;
  std::ranges::rotate(moved, moved.end() - 1);
  add("columns are moved by one to the right", variant_bits, moved);
  for (std::size_t a = 0; subject.is("position_ids") && a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      moved = order;
      std::swap(moved[a], moved[b]);
      add(fmt::format("columns {} and {} are exchanged", a, b), flag_bits, moved);
    }
  }
  if (count % 2 == 0 && count > 2) {
    moved = order;
    std::ranges::rotate(moved, moved.begin() + static_cast<std::ptrdiff_t>(count / 2));
    add("the halves of the columns are exchanged", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i ^ 1;
    }
    add("neighbouring columns are exchanged", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1;
    }
    add("columns are laid out in halves, not interleaved", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i % 2 == 0 ? i / 2 : count / 2 + i / 2;
    }
    add("columns are interleaved, not laid out in halves", variant_bits, moved);
  }
  return edits;
}

ValueEdit with_factor(std::string sentence, double bits, double factor) {
  return {{nullptr, std::move(sentence)}, bits, value_order::amplitude, [factor](ValueModel& model) {
            map_factors(model, [exact = exact_rational(factor)](const Rational& value) {
              return Rational(value * exact);
            });
            // A product is rounded, what is read is not.
            if (factor != -1) {
              model.table.making = ExactTable::Making::quotient;
            }
          }};
}

ValueEdits value_factors(const ValueSubject& subject) {
  constexpr int most_digits = 7;
  constexpr double least_difference = 1e-6;
  const double root = std::sqrt(static_cast<double>(subject.columns()));
  ValueEdits edits;
  if (subject.columns() > 1) {
    edits.push_back(
        with_factor("every value is multiplied by the root of the number of columns", variant_bits, root));
    edits.push_back(
        with_factor("every value is divided by the root of the number of columns", variant_bits, 1 / root));
  }
  if (subject.is("log_coordinates")) {
    edits.push_back(with_factor("logarithms are natural, and divided by 3", variant_bits, std::numbers::ln2));
    edits.push_back(with_factor("logarithms are of base 2, and divided by the natural one of 8", variant_bits,
                                std::numbers::log2e));
  }
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
  if (std::isfinite(found) && std::fabs(found) > least_difference &&
      std::fabs(std::fabs(found) - 1) > least_difference) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      edits.push_back(with_factor(fmt::format("every value is multiplied by {}", decimal.text),
                                  decimal_bits(decimal.digits), decimal.value));
    }
  }
  return edits;
}

ValueEdits value_signs(const ValueSubject&) {
  return {with_factor("every value has the other sign", flag_bits, -1)};
}

ValueEdits two_valued(const ValueSubject& subject) {
  ValueEdits edits;
  if (subject.is("binary") || subject.is("one_hot")) {
    const auto add = [&](std::string sentence, std::function<Rational(const Rational&)> map) {
      edits.push_back({{nullptr, std::move(sentence)},
                       flag_bits + 1,
                       value_order::amplitude,
                       [map = std::move(map)](ValueModel& model) { map_factors(model, map); }});
    };
    add("zeros and ones are exchanged", [](const Rational& value) { return Rational(1 - value); });
    add("digits are -1 and 1, not 0 and 1", [](const Rational& value) { return Rational(2 * value - 1); });
  }
  return edits;
}

ValueEdits value_formats(const ValueSubject& subject) {
  ValueEdits edits;
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    if (traits(format).precision < traits(subject.tensor.stored()).precision) {
      edits.push_back({{nullptr, fmt::format("values are rounded to {}", traits(format).name)},
                       variant_bits,
                       value_order::storage,
                       [format](ValueModel& model) { model.format = format; }});
    }
  }
  return edits;
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

ValueEdits truncations(const ValueSubject& subject) {
  ValueEdits edits;
  const auto add = [&](std::string sentence, std::function<Rational(const Rational&)> map) {
    edits.push_back({{nullptr, std::move(sentence)},
                     variant_bits,
                     value_order::storage,
                     [map = std::move(map)](ValueModel& model) {
                       map_factors(model, map);
                       model.table.making = ExactTable::Making::lookup;
                     }});
  };
  if (!subject.tensor.table.is_rational()) {
    return edits;
  }
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    if (traits(format).precision <= traits(subject.tensor.stored()).precision) {
      add(fmt::format("values are cut off to {}, not rounded", traits(format).name),
          [format](const Rational& value) { return cut_off(format, value); });
    }
  }
  add("values are cut off to whole numbers",
      [](const Rational& value) { return Rational(std::trunc(approximately(value))); });
  add("values are rounded to whole numbers",
      [](const Rational& value) { return Rational(std::nearbyint(approximately(value))); });
  return edits;
}

ValueEdits integer_wraps(const ValueSubject& subject) {
  ValueEdits edits;
  if (!subject.is("integer_index")) {
    return edits;
  }
  for (const int bits : {8, 16, 32}) {
    for (const bool is_signed : {true, false}) {
      edits.push_back(
          {{nullptr, fmt::format("values wrap at the ends of {}int{}", is_signed ? "" : "u", bits)},
           variant_bits,
           value_order::storage,
           [bits, is_signed](ValueModel& model) {
             map_factors(model, [bits, is_signed](const Rational& value) {
               const auto count = std::int64_t{1} << bits;
               const auto low = is_signed ? -count / 2 : 0;
               const auto whole = as_integer(value).value_or(0);
               return Rational(((whole - low) % count + count) % count + low);
             });
           }});
    }
  }
  return edits;
}

constexpr std::array<ValueFault, 7> value_faults{{{"mapping/columns", column_orders},
                                                  {"amplitude/factor", value_factors},
                                                  {"direction/value-sign", value_signs},
                                                  {"amplitude/digits", two_valued},
                                                  {"storage/format", value_formats},
                                                  {"storage/truncated", truncations},
                                                  {"storage/wrapped", integer_wraps}}};

}  // namespace

ValueEdits value_edits(const ValueSubject& subject) {
  auto edits = other_specs(subject);
  append_edits(value_faults, subject, edits);
  return edits;
}

}  // namespace vernier
