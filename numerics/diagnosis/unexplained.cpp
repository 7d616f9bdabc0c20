#include "numerics/diagnosis/unexplained.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <ranges>
#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/computation/position_decoder.hpp"
#include "numerics/computation/row_sums.hpp"
#include "reference/support/counted.hpp"

namespace vernier {

namespace {

constexpr ClosedRange nothing{std::numeric_limits<std::int64_t>::max(),
                              std::numeric_limits<std::int64_t>::min()};

/// What fails, of some rows.
struct Unpredicted {
  std::uint64_t elements = 0;
  std::uint64_t failing = 0;
  std::set<std::size_t> columns = {};
  ClosedRange rows = nothing;
  ClosedRange positions = nothing;

  void append(Unpredicted later) {
    elements += later.elements;
    failing += later.failing;
    columns.merge(later.columns);
    rows.include(later.rows);
    positions.include(later.positions);
  }
};

}  // namespace

std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation, unsigned threads) {
  const Predictor predictor(suspect, computation);
  const auto all = sum_of_rows<Unpredicted>(suspect.rows(), threads, [&](std::size_t row, Unpredicted& sum) {
    predictor.visit(row, [&](const PredictedElement& one) {
      ++sum.elements;
      if (one.fails()) {
        ++sum.failing;
        sum.columns.insert(one.column);
        const auto index = static_cast<std::int64_t>(row);
        const auto position = suspect.positions().front()[row];
        sum.rows.include({index, index});
        sum.positions.include({position, position});
      }
    });
    return true;
  });
  if (all.failing == 0) {
    return "No single element fails.";
  }
  // Of rows with several positions none says where they are.
  const auto& places = suspect.encoding().positions();
  const auto where = suspect.positions().size() > 1
                         ? fmt::format("in rows from {} to {}", all.rows.least, all.rows.greatest)
                         : fmt::format("at positions from {} to {}", places.text(all.positions.least),
                                       places.text(all.positions.greatest));
  return fmt::format(
      "{} of {} fail, in {} from {} to {}, {}.", all.failing, counted(all.elements, "element", "elements"),
      counted(all.columns.size(), "column", "columns"), *all.columns.begin(), *all.columns.rbegin(), where);
}

namespace {

constexpr std::size_t most_told = 6;

/// Behind the last of a few numbers.
std::string and_more(std::size_t all) {
  return all > most_told ? fmt::format(" and {} more", all - most_told) : std::string();
}

/// Whether most of the pairs of a row that tell a place so far from the declared one say that it is not the
/// declared one: two at least, as one alone may be wrong itself.
bool is_elsewhere(const Predictor& as_declared, const Computation& declared, std::size_t row,
                  std::size_t axis, double places_off) {
  std::size_t telling = 0;
  std::size_t failing = 0;
  const auto pairs = as_declared.pairs(row);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double chord = 2 * std::fabs(std::sin(declared.frequency(static_cast<int>(i)) * places_off / 2));
    if (declared.axes[i] == static_cast<int>(axis) && chord * pairs[i].predicted > pairs[i].allowed) {
      ++telling;
      failing += pairs[i].fails ? 1 : 0;
    }
  }
  return failing >= 2 && 2 * failing > telling;
}

/// Of one axis, from the first row on that holds another position than its own.
std::string held_positions(const Suspect& suspect, std::size_t axis) {
  PositionDecoder decoder(suspect, suspect.declared(), axis);
  if (!decoder.can_tell()) {
    return {};
  }
  decoder.read_all();
  const auto declared = decoder.declared();
  const auto& map = suspect.encoding().positions_along(axis);
  const Predictor as_declared(suspect, suspect.declared());
  std::size_t in_copies = 0;
  std::set<std::size_t> others;  // the same, each row of all copies once
  std::vector<std::size_t> rows;
  std::vector<std::string> held;
  std::vector<std::string> own;
  for (std::size_t row = 0; row < declared.size(); ++row) {
    if (decoder.fits(row, declared[row])) {
      continue;
    }
    const auto numbers = decoder.numbers(row);
    if (numbers.size() != 1) {
      return {};  // what some rows may hold says nothing of all
    }
    const auto number = simple_numbers(numbers.front()).front();
    const double places_off = real_place(map, number.value) - real_place(map, declared[row]);
    if (!is_elsewhere(as_declared, suspect.declared(), row, axis, places_off)) {
      return {};
    }
    ++in_copies;
    const auto in_copy = suspect.grid().row(row);
    if (others.insert(in_copy).second && held.size() < most_told) {
      rows.push_back(in_copy);
      held.push_back(number.words);
      own.push_back(fmt::format("{:.9g}", declared[row]));
    }
  }
  if (held.empty()) {
    return {};
  }
  const auto of_axis = suspect.positions().size() > 1 ? fmt::format("along axis {} ", axis) : std::string();
  const bool is_one = others.size() == 1;
  const auto copies = in_copies == others.size() * suspect.grid().copies() ? "" : " of some copies";
  return fmt::format("{}{} {}{}{}: expected {} {}, got {}", of_axis, is_one ? "row" : "rows",
                     fmt::join(rows, ", "), and_more(others.size()), copies,
                     is_one ? "position" : "positions", fmt::join(own, ", "), fmt::join(held, ", "));
}

}  // namespace

std::string what_is_held(const Suspect& suspect, std::span<const RecoveredFrequency> frequencies) {
  std::string text;
  for (std::size_t axis = 0; axis < suspect.positions().size(); ++axis) {
    const auto of_axis = held_positions(suspect, axis);
    text += (text.empty() || of_axis.empty() ? "" : "; ") + of_axis;
  }
  if (!text.empty()) {
    return text;
  }
  std::vector<RecoveredFrequency> others;
  std::ranges::copy_if(frequencies, std::back_inserter(others), &RecoveredFrequency::differs);
  if (others.empty()) {
    return {};
  }
  const auto first_few = [&](auto member) {
    const auto number = [=](const RecoveredFrequency& one) { return static_cast<double>(one.*member); };
    const auto few = others | std::views::take(most_told) | std::views::transform(number);
    return fmt::format("{:.8g}", fmt::join(few.begin(), few.end(), ", "));
  };
  const bool is_one = others.size() == 1;
  return fmt::format("{} {}{} {} by {} radians per position, fitted to +- {:.1g} by the budgets, not by {}{}",
                     is_one ? "pair" : "pairs", first_few(&RecoveredFrequency::pair), and_more(others.size()),
                     is_one ? "turns" : "turn", first_few(&RecoveredFrequency::found),
                     std::ranges::max(others | std::views::transform(&RecoveredFrequency::uncertainty)),
                     first_few(&RecoveredFrequency::declared),
                     others.size() == frequencies.size()
                         ? std::string()
                         : fmt::format("; {} as declared", counted(frequencies.size() - others.size(),
                                                                   "pair turns", "pairs turn")));
}

}  // namespace vernier
