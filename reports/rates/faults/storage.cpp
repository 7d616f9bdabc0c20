// Faults of what is stored: single elements, rows and columns, and how numbers are rounded.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reports/rates/budgets.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> truncated(Draw&, Design& design) {
  const auto format = design.stored();
  const bool is_narrow = traits(format).precision < traits(design.compute).precision;
  if (!has_products(design) || !is_narrow || traits(format).precision > 11) {
    return std::nullopt;
  }
  design.storing = [format](double value) {
    const double nearest = round_to(format, value);
    const bool is_away = std::fabs(nearest) > std::fabs(value);
    return !is_away ? nearest : value < 0 ? next_up(format, nearest) : next_down(format, nearest);
  };
  return Planted{"toward zero"};
}

std::optional<Planted> fewer_bits(Draw& draw, Design& design) {
  const auto stored = design.stored();
  if (!has_products(design) || traits(stored).precision < 24) {
    return std::nullopt;
  }
  const auto narrow = stored == Format::binary64 && draw.chance(0.5) ? Format::binary32
                      : draw.chance(0.5)                             ? Format::binary16
                                                                     : Format::bfloat16;
  design.storing = [narrow](double value) { return round_to(narrow, value); };
  return Planted{"the values of " + std::string(traits(narrow).name)};
}

std::optional<Planted> one_element(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  const auto position = draw_position(draw, design);
  const auto column = draw.index(2 * design.frequencies.size());
  const double budget = element_budget(design, position, column / 2);
  const double by = draw.sign() * draw.spread(4, 1e5) * budget;
  finish_rows(design, role, [position, column, by, role](std::int64_t p, std::span<double> row) {
    if (p == position) {
      // Elements of rotated vectors are as large as the vectors are.
      row[column % row.size()] += role == "rotated" ? 16 * by : by;
    }
  });
  return Planted{role + " at position " + std::to_string(position) + " by " + number(by), {position}};
}

std::optional<Planted> no_number(Draw& draw, Design& design) {
  if (!has_rows(design)) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  const auto position = draw_position(draw, design);
  const double value =
      draw.chance(0.5) ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  const auto column = draw.index(64);
  finish_rows(design, role, [position, column, value](std::int64_t p, std::span<double> row) {
    if (p == position) {
      row[column % row.size()] = value;
    }
  });
  return Planted{number(value) + " in " + role + " at position " + std::to_string(position), {position}};
}

std::optional<Planted> column(Draw& draw, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 4) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  const auto one = draw.index(design.frequencies.size());
  const auto other = (one + 1 + draw.index(design.frequencies.size() - 1)) % design.frequencies.size();
  const auto kind = draw.between(0, 2);
  finish_rows(design, role, [one, other, kind](std::int64_t, std::span<double> row) {
    auto& a = row[one % row.size()];
    auto& b = row[other % row.size()];
    if (kind == 0) {
      std::swap(a, b);
    } else {
      a = kind == 1 ? b : 0;
    }
  });
  static constexpr std::array<const char*, 3> names{"swapped with", "copied from", "zeroed, not as"};
  // Two columns that are exchanged are copies of each other.
  static const std::array<std::vector<std::string_view>, 3> ids{{
      {"damage/columns-swapped", "damage/column-copy"},
      {"damage/column-copy"},
      {"damage/column-zero"},
  }};
  Planted planted{role + ": column " + std::to_string(one) + " " + names[static_cast<std::size_t>(kind)] +
                      " " + std::to_string(other),
                  {greatest_position(design)},
                  ids[static_cast<std::size_t>(kind)]};
  if (kind == 2 && (role == "encoding" || (role == "sin" && hardly_turns(design, one)))) {
    planted.names.push_back("frequency/zero");
  }
  return planted;
}

std::optional<Planted> row_zeroed(Draw& draw, Design& design) {
  if (!has_rows(design) || design.length() < 8) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  const auto from = draw.chance(0.5) ? greatest_position(design) : draw_position(draw, design);
  const auto count = draw.one_of<std::int64_t>({1, 1, 8});
  finish_rows(design, role, [from, count](std::int64_t p, std::span<double> row) {
    if (p >= from && p < from + count) {
      std::ranges::fill(row, 0.0);
    }
  });
  return Planted{role + " at position " + std::to_string(from), {from}};
}

/// Rows of a tensor that hold other rows of it.
std::optional<Planted> rows_moved(Draw& draw, Design& design) {
  const auto last = design.length() - 1;
  if (!has_rows(design) || last < 8) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  const auto to = static_cast<std::size_t>(draw.between(1, last));
  const auto from =
      static_cast<std::size_t>(draw.chance(0.5) ? static_cast<std::int64_t>(to) - 1 : draw.between(0, last));
  const bool exchanges = draw.chance(0.4);
  if (from == to) {
    return std::nullopt;
  }
  design.finishing.push_back(
      [role, to, from, exchanges](const Question& question, std::size_t width, std::span<double> values) {
        const auto rows = question.positions.size();
        if (question.role != role || std::max(to, from) >= rows) {
          return;
        }
        const auto a = values.subspan(to * width, width);
        const auto b = values.subspan(from * width, width);
        if (exchanges) {
          std::ranges::swap_ranges(a, b);
        } else {
          std::ranges::copy(b, a.begin());
        }
      });
  const auto first = design.positions.at(static_cast<std::int64_t>(from));
  const auto second = design.positions.at(static_cast<std::int64_t>(to));
  return Planted{role + ": row " + std::to_string(to) + (exchanges ? " exchanged with " : " copied from ") +
                     std::to_string(from),
                 {first, second},
                 {exchanges ? "damage/rows-exchanged" : "damage/row-copy", "position/rows"}};
}

/// The second half of a table that holds every column twice.
std::optional<Planted> halves_disagree(Draw& draw, Design& design) {
  if (!has_products(design) || !design.rotates() || design.frequencies.size() < 2) {
    return std::nullopt;
  }
  const std::string role = draw.chance(0.5) ? "cos" : "sin";
  const auto kind = draw.between(0, 2);
  const auto pairs = design.frequencies.size();
  design.doubles_columns = true;
  finish_rows(design, role, [pairs, kind](std::int64_t, std::span<double> row) {
    if (row.size() != 2 * pairs) {
      return;
    }
    const auto second = row.subspan(pairs);
    if (kind == 0) {
      std::ranges::rotate(second, second.begin() + 1);
    } else {
      std::ranges::transform(second, second.begin(), [kind](double x) { return kind == 1 ? -x : 0.0; });
    }
  });
  static constexpr std::array<const char*, 3> names{"moved by one", "of the other sign", "zero"};
  // Halves disagree where columns of one of them are zero, negative or others.
  static constexpr std::array<std::string_view, 3> columns{"damage/column-copy", "damage/column-sign",
                                                           "damage/column-zero"};
  return Planted{"the second half of " + role + " is " + names[static_cast<std::size_t>(kind)],
                 {greatest_position(design)},
                 {"damage/halves", columns[static_cast<std::size_t>(kind)]}};
}

/// Values below the least normal number, taken for zero.
std::optional<Planted> subnormals_flushed(Draw&, Design& design) {
  if (!has_rows(design) || !design.has_turns() || design.stored() != Format::binary16) {
    return std::nullopt;
  }
  design.storing = [](double value) {
    const double stored = round_to(Format::binary16, value);
    return std::fabs(stored) < 0x1p-14 ? 0.0 : stored;
  };
  return Planted{"below 2^-14", {least_position(design), least_position(design) + 1}};
}

/// Cosines and sines are rounded to 16 bits, and multiplied by the amplitude afterwards.
std::optional<Planted> amplitude_late(Draw&, Design& design) {
  const auto format = design.stored();
  if (!has_products(design) || design.amplitude == 1 || traits(format).precision > 11) {
    return std::nullopt;
  }
  design.storing = [format, amplitude = design.amplitude](double value) {
    return round_to(format, round_to(format, value / amplitude) * round_to(format, amplitude));
  };
  return Planted{"after the values are rounded", {greatest_position(design)}};
}

std::optional<Planted> half_row_zeroed(Draw& draw, Design& design) {
  if (!has_products(design) || design.length() < 8) {
    return std::nullopt;
  }
  const auto role = draw_role(draw, design);
  finish_rows(design, role, [](std::int64_t, std::span<double> row) {
    std::ranges::fill(row.subspan(row.size() - std::max<std::size_t>(1, row.size() / 8)), 0.0);
  });
  return Planted{role};
}

std::optional<Planted> cut_off(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const double most = draw.spread(0.5, 0.99) * design.amplitude;
  for (const auto* role : {"cos", "sin", "encoding"}) {
    finish_rows(design, role, [most](std::int64_t, std::span<double> row) {
      std::ranges::transform(row, row.begin(), [most](double v) { return std::clamp(v, -most, most); });
    });
  }
  return Planted{"at " + number(most)};
}

}  // namespace

std::span<const Fault> storage_faults() {
  static const std::array all{
      Fault{"storage/truncated",
            "values are cut off where they should be rounded",
            Shows::values,
            truncated,
            {"storage/truncated"}},
      Fault{"storage/fewer-bits",
            "values went through a narrower type",
            Shows::values,
            fewer_bits,
            {"storage/format"}},
      Fault{"storage/one-element", "one element is damaged", Shows::values, one_element, {"damage/element"}},
      Fault{"storage/no-number",
            "one element is NaN or infinite",
            Shows::values,
            no_number,
            {"damage/non-finite"}},
      Fault{"storage/column", "a column is another's, or zero", Shows::values, column},
      Fault{"storage/row-zero", "rows are left unwritten", Shows::values, row_zeroed, {"damage/row-zero"}},
      Fault{"storage/tail-zero",
            "the last columns are left unwritten",
            Shows::values,
            half_row_zeroed,
            {"damage/column-zero", "frequency/zero"}},  // of a slow pair whose cosines are rounded to 1
      Fault{"damage/rows", "a row holds another row, or two are exchanged", Shows::values, rows_moved},
      Fault{"damage/halves",
            "the halves of a doubled table disagree",
            Shows::values,
            halves_disagree,
            {"damage/halves"},
            "rope"},
      Fault{"storage/flushed",
            "subnormal values are taken for zero",
            Shows::values,
            subnormals_flushed,
            {"storage/flushed"}},
      Fault{"storage/order",
            "the amplitude is applied after a rounding",
            Shows::values,
            amplitude_late,
            {"storage/order", "amplitude/factor"},
            "yarn"},
      Fault{"storage/cut-off",
            "values are cut off at a magnitude",
            Shows::values,
            cut_off,
            {"storage/clipped"}},
  };
  return all;
}

}  // namespace vernier::rates
