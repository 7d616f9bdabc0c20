// Positions along the axes of a grid: rows of zeros that are missing, and the end of a range of coordinates.

#include <optional>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/position_maps.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

/// The declared places, of rows that stand so many numbers further along the grid; nothing unless the rows
/// are numbered from the first row of zeros on.
std::optional<Computation::Places> places_behind(const Suspect& suspect, std::int64_t prefix) {
  const auto& encoding = suspect.encoding();
  const auto axes = encoding.tables_of_axes().front().axes->positions;
  const auto rows = static_cast<std::int64_t>(suspect.rows());
  const auto range = encoding.default_positions(rows);
  Computation::Places result(axes.count);
  try {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto own = axes.of_position(range.at(row));
      const auto held = axes.of_position(range.at(row) + prefix).value();
      const auto index = static_cast<std::size_t>(row);
      if (suspect.is_zero_row(0, index) == own.has_value()) {
        return std::nullopt;
      }
      for (std::size_t axis = 0; axis < axes.count; ++axis) {
        const auto& map = encoding.positions_along(axis);
        if (own && suspect.positions()[axis][index] != map.place((*own)[axis])) {
          return std::nullopt;
        }
        result[axis].push_back(static_cast<double>(map.place(held[axis])));
      }
    }
  } catch (const InputError&) {
    return std::nullopt;  // beyond the grid
  }
  return result;
}

void propose_zero_prefix(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto spec = clues.suspect.encoding().spec();
  const bool is_table = clues.suspect.vectors() == nullptr && clues.suspect.encoding().has_tables_of_axes();
  const auto prefix =
      is_table && spec.contains("zero_prefix") ? spec.at("zero_prefix").get<std::int64_t>() : 0;
  if (prefix == 0) {
    return;
  }
  if (auto places = places_behind(clues.suspect, prefix)) {
    propose_edit(
        clues, kind,
        fmt::format("{} of zeros before the first position {} missing",
                    prefix == 1 ? "the row" : fmt::format("the {} rows", prefix), prefix == 1 ? "is" : "are"),
        flag_bits, out,
        [&](Computation& computation) {
          computation.places = std::make_shared<const Computation::Places>(*std::move(places));
          computation.fills_padding = true;
        },
        replacement("zero_prefix", 0));
  }
}

void propose_endpoint(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto& suspect = clues.suspect;
  std::size_t plain = 0;
  for (std::size_t axis = 0; axis < suspect.positions().size(); ++axis) {
    plain += suspect.encoding().positions_along(axis).is_plain() ? 1 : 0;
  }
  const bool has_grid = suspect.encoding().spec().contains("grid");
  if (suspect.rows() < 2 || (plain == suspect.positions().size() && !has_grid)) {
    return;  // positions of text have no end
  }
  // With b = a + n s: (b (n - 1)/n - a)/(n - 1) = s - a/(n (n - 1)), and (b - a)/(n - 1) = s n/(n - 1).
  propose_lines(
      clues, kind,
      "coordinates are those of linspace(a, b (n - 1)/n, n), a the first of n and b the end: their step is "
      "not (b - a)/n",
      [](const CoordinateLine& own, double n) {
        const auto [s, a] = own;
        return n > 1 ? CoordinateLine{s - a / (n * (n - 1)), a} : own;
      },
      true, out);
  const std::string reach = "coordinates reach the end: their step is (b - a)/(n - 1), not (b - a)/n";
  const auto to_the_end = [](const CoordinateLine& own, double n) {
    return n > 1 ? CoordinateLine{own.scale * n / (n - 1), own.offset} : own;
  };
  if (plain < suspect.positions().size()) {
    propose_lines(clues, kind, reach, to_the_end, false, out);
  }
  if (plain > 0) {
    propose_lines(clues, kind, reach + ", along all axes", to_the_end, true, out);
  }
}

}  // namespace

StageEdits grid_position_edits() {
  return {{"mapping/zero-prefix", propose_zero_prefix}, {"position/endpoint", propose_endpoint}};
}

}  // namespace vernier
