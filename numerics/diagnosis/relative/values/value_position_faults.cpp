// Rows of a table of values that hold other positions.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "numerics/decoding/axis_rules.hpp"
#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "numerics/diagnosis/stages/position.hpp"

namespace vernier {
namespace {

using MovedPosition = std::function<std::int64_t(std::int64_t position)>;

ValueEdit with_positions(std::string sentence, double bits, const MovedPosition& map) {
  return {{nullptr, std::move(sentence)}, bits, value_order::positions, [map](ValueModel& model) {
            std::ranges::transform(model.positions, model.positions.begin(), map);
          }};
}

/// Rows of values, each of which is that of a position.
class HeldValueRows final : public HeldNumbers {
 public:
  explicit HeldValueRows(const ValueSubject& subject)
      : subject_(subject), own_(subject.declared()), known_(subject.rows()) {}

  std::size_t rows() const override { return subject_.rows(); }
  bool fits(std::size_t row, double number) const override {
    const auto position = static_cast<std::int64_t>(number);
    if (static_cast<double>(position) != number || std::fabs(number) > largest_position ||
        !own_.table.defined(position)) {
      return false;
    }
    auto& held = own_.positions[row];
    const auto declared = std::exchange(held, position);
    bool all = true;
    for (std::size_t column = 0; all && column < subject_.columns(); ++column) {
      all = may_predict(subject_, own_, row, column);
    }
    held = declared;
    return all;
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

/// The integers of one column.
class HeldColumn final : public HeldNumbers {
 public:
  HeldColumn(const ValueSubject& subject, std::size_t column) {
    for (std::size_t row = 0; row < subject.rows(); ++row) {
      const double got = subject.at(row, column);
      held_.push_back({got, got});
    }
  }
  std::size_t rows() const override { return held_.size(); }
  bool fits(std::size_t row, double number) const override { return held_[row].low == number; }
  std::span<const HeldRange> numbers(std::size_t row) const override {
    return std::span(held_).subspan(row, 1);
  }

 private:
  std::vector<HeldRange> held_;
};

ValueEdits value_row_rules(const ValueSubject& subject) {
  constexpr std::size_t most_rows = 1 << 14;
  ValueEdits edits;
  // Beside another fault the rows may not be recognised.
  for (const std::int64_t by : {1, -1}) {
    edits.push_back(with_positions(fmt::format("positions are {} by 1", by > 0 ? "larger" : "smaller"),
                                   flag_bits + 1, [by](std::int64_t p) { return p + by; }));
    edits.back().finding.kind = &fault_kind("position/offset");
  }
  if (subject.rows() > most_rows) {
    return edits;
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
  return edits;
}

ValueEdits value_position_formats(const ValueSubject&) {
  ValueEdits edits;
  for (const auto format : {Format::binary16, Format::bfloat16}) {
    edits.push_back(with_positions(fmt::format("positions are rounded to {}", traits(format).name),
                                   variant_bits, [format](std::int64_t p) {
                                     constexpr double most = 65504;
                                     return static_cast<std::int64_t>(
                                         std::clamp(round_to(format, static_cast<double>(p)), -most, most));
                                   }));
  }
  return edits;
}

ValueEdits gray_codes(const ValueSubject& subject) {
  if (!subject.is("binary")) {
    return {};
  }
  return {with_positions("the digits are those of a Gray code", variant_bits,
                         [](std::int64_t p) { return p ^ (p >> 1); })};
}

constexpr std::array<ValueFault, 2> value_position_faults{
    {{"position/format", value_position_formats}, {"mapping/gray-code", gray_codes}}};

}  // namespace

std::vector<Explanation> rules_of_ids(const ValueSubject& subject) {
  std::vector<Explanation> result;
  if (!subject.is("position_ids")) {
    return result;
  }
  const RowGrid grid{{}, subject.rows()};
  const auto declared = subject.declared();
  std::vector<std::vector<double>> positions(subject.columns());
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    for (std::size_t row = 0; row < subject.rows(); ++row) {
      positions[column].push_back(declared.estimate(row, column));
    }
  }
  std::vector<AxisRules> axes;
  for (std::size_t column = 0; column < subject.columns(); ++column) {
    const HeldColumn held(subject, column);
    axes.push_back(
        {column, learn_rows(held, grid, row_features(grid, subject.columns(), positions, column))});
    for (std::size_t row = 0; row < subject.rows() && axes.back().rules.empty(); ++row) {
      if (!held.fits(row, positions[column][row])) {
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

ValueEdits value_position_edits(const ValueSubject& subject) {
  auto edits = value_row_rules(subject);
  append_edits(value_position_faults, subject, edits);
  return edits;
}

}  // namespace vernier
