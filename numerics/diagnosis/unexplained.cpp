#include "numerics/diagnosis/unexplained.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

constexpr std::size_t most_told = 8;

/// Behind the last of a few numbers.
std::string and_more(std::size_t all) {
  return all > most_told ? fmt::format(" and {} more", all - most_told) : std::string();
}

/// Of one axis, from the first row on that holds another position than its own.
std::string held_positions(const Suspect& suspect, std::size_t axis) {
  PositionDecoder decoder(suspect, suspect.declared(), axis);
  if (!decoder.can_tell()) {
    return {};
  }
  decoder.read_all();
  const auto declared = decoder.declared();
  std::size_t others = 0;
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
    ++others;
    if (held.size() < most_told) {
      rows.push_back(row);
      held.push_back(simple_numbers(numbers.front()).front().words);
      own.push_back(fmt::format("{:.9g}", declared[row]));
    }
  }
  if (held.empty()) {
    return {};
  }
  const auto of_axis = suspect.positions().size() > 1 ? fmt::format("along axis {} ", axis) : std::string();
  return fmt::format("{}rows {}{}: expected positions {}, got {}", of_axis, fmt::join(rows, ", "),
                     and_more(others), fmt::join(own, ", "), fmt::join(held, ", "));
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
  std::vector<int> pairs;
  std::vector<std::string> found;
  std::vector<std::string> declared;
  std::size_t others = 0;
  for (const auto& one : frequencies) {
    if (std::fabs(one.found - one.declared) <= one.uncertainty + one.allowed) {
      continue;
    }
    ++others;
    if (found.size() < most_told) {
      pairs.push_back(one.pair);
      found.push_back(fmt::format("{:.6g}", one.found));
      declared.push_back(fmt::format("{:.6g}", one.declared));
    }
  }
  return found.empty()
             ? std::string()
             : fmt::format("pairs {}{}: expected {} radians per position, got {}{}", fmt::join(pairs, ", "),
                           and_more(others), fmt::join(declared, ", "), fmt::join(found, ", "),
                           others == frequencies.size()
                               ? std::string()
                               : fmt::format("; {} pairs turn as declared", frequencies.size() - others));
}

}  // namespace vernier
