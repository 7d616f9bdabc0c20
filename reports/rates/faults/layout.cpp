// Faults of layout, order, sign and direction.

#include <algorithm>
#include <array>
#include <cmath>

#include "props/specs.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> components_swapped(Draw&, Design& design) {
  if (!design.has_turns()) {
    return std::nullopt;
  }
  design.turning.push_back([](std::int64_t, std::size_t, Turn turn) { return Turn{turn.sine, turn.cosine}; });
  return Planted{"everywhere"};
}

std::optional<Planted> wrong_sign(Draw& draw, Design& design) {
  if (!design.has_turns()) {
    return std::nullopt;
  }
  const bool one = draw.chance(0.5);
  const auto chosen = draw.index(design.frequencies.size());
  design.turning.push_back([one, chosen](std::int64_t, std::size_t pair, Turn turn) {
    return one && pair != chosen ? turn : Turn{turn.cosine, -turn.sine};
  });
  return Planted{
      one ? "of pair " + std::to_string(chosen) : "of every sine",
      {greatest_position(design)},
      one ? std::vector<std::string_view>{"direction/one-pair", "damage/column-sign", "frequency/one-pair"}
          : std::vector<std::string_view>{"direction/sign", "position/reversed"}};
}

std::optional<Planted> direction(Draw&, Design& design) {
  if (!design.rotates() || design.encoding->has_tables_of_axes()) {
    return std::nullopt;
  }
  design.direction = -design.direction;
  return Planted{"vectors turn the other way"};
}

std::optional<Planted> rotated_layout(Draw&, Design& design) {
  const auto pairs = design.pairs.size();
  if (!design.rotates() || design.encoding->has_tables_of_axes() || pairs < 2) {
    return std::nullopt;
  }
  const bool is_half = design.pairs[0].second == pairs;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    design.pairs[pair] = is_half ? std::pair(2 * pair, 2 * pair + 1) : std::pair(pair, pair + pairs);
  }
  return Planted{is_half ? "neighbours are paired" : "halves are paired"};
}

/// The columns of a table in the order of the other layout.
std::optional<Planted> table_layout(Draw& draw, Design& design) {
  if (design.encoding->scheme() != "sinusoidal" || design.frequencies.size() < 4) {
    return std::nullopt;
  }
  const bool from_halves = draw.chance(0.5);
  design.finishing.push_back(
      [from_halves](const Question& question, std::size_t width, std::span<double> values) {
        std::vector<double> row(width);
        for (std::size_t r = 0; r < question.positions.size(); ++r) {
          const auto here = values.subspan(r * width, width);
          std::ranges::copy(here, row.begin());
          const auto half = (width + 1) / 2;
          for (std::size_t c = 0; c < width; ++c) {
            const auto other = c % 2 == 0 ? c / 2 : half + c / 2;
            (from_halves ? here[c] : here[other]) = row[from_halves ? other : c];
          }
        }
      });
  return Planted{from_halves ? "halves interleaved" : "neighbours apart"};
}

std::optional<Planted> pass_through(Draw& draw, Design& design) {
  if (!design.rotates() || design.encoding->has_tables_of_axes()) {
    return std::nullopt;
  }
  const auto from = design.rotary_dim;
  const auto width =
      static_cast<std::size_t>(OrderedJson::parse(design.spec)["head_dim"].get<std::int64_t>());
  if (from == width) {
    return std::nullopt;
  }
  const auto kind = draw.between(0, 2);
  design.finishing.push_back(
      [from, kind](const Question& question, std::size_t columns, std::span<double> values) {
        if (question.role != "rotated") {
          return;
        }
        for (std::size_t start = from; start < values.size(); start += columns) {
          const auto rest = values.subspan(start, columns - from);
          if (kind == 0) {
            std::ranges::fill(rest, 0.0);
          } else if (kind == 1) {
            std::ranges::rotate(rest, rest.begin() + 1);
          } else {
            std::ranges::transform(rest, rest.begin(), [](double x) { return x * 1.01; });
          }
        }
      });
  static constexpr std::array<const char*, 3> names{"zeroed", "moved by one", "scaled by 1.01"};
  return Planted{names[static_cast<std::size_t>(kind)]};
}

/// Partial rotation whose frequencies are those of the whole head.
std::optional<Planted> head_for_rotary(Draw&, Design& design) {
  const auto spec = OrderedJson::parse(design.spec);
  if (!has_products(design) || !spec.contains("partial_rotary_factor") || spec.contains("rope_scaling")) {
    return std::nullopt;
  }
  const double share = static_cast<double>(design.rotary_dim) / spec["head_dim"].get<double>();
  for (auto& frequency : design.frequencies) {
    frequency = round_to(design.compute, std::pow(frequency, share));
  }
  return Planted{"exponents by head_dim", {greatest_position(design)}};
}

std::size_t head_of(const Design& design) {
  return OrderedJson::parse(design.spec)["head_dim"].get<std::size_t>();
}

bool rotates_one_part(const Design& design) {
  return design.rotates() && !design.encoding->has_tables_of_axes();
}

std::optional<Planted> last_dimensions(Draw&, Design& design) {
  if (!rotates_one_part(design) || design.rotary_dim == head_of(design)) {
    return std::nullopt;
  }
  const auto by = head_of(design) - design.rotary_dim;
  for (auto& [first, second] : design.pairs) {
    first += by;
    second += by;
  }
  return Planted{"the first " + std::to_string(by) + " pass through"};
}

/// The part is ignored, and the whole head rotates by frequencies of its own.
std::optional<Planted> whole_head(Draw&, Design& design) {
  auto spec = OrderedJson::parse(design.spec);
  if (!rotates_one_part(design) || !has_products(design) || design.rotary_dim == head_of(design) ||
      spec.contains("rope_scaling")) {
    return std::nullopt;
  }
  spec.erase("partial_rotary_factor");
  const auto rotation = encoding_of(spec.dump())->all<HeadRotation>().front();
  design.pairs.assign(rotation.pairs.begin(), rotation.pairs.end());
  design.rotary_dim = rotation.rotated.size();
  design.frequencies.clear();
  for (int pair = 0; pair < rotation.table.frequencies.pairs(); ++pair) {
    design.frequencies.push_back(round_to(design.compute, rotation.table.frequencies.approximate(pair)));
  }
  return Planted{"all " + std::to_string(head_of(design)) + " dimensions", {greatest_position(design)}};
}

/// Every dimension rotates with the cosine and sine of its own place in a table, whose columns lie as in the
/// other layout.
std::optional<Planted> columns_apart(Draw&, Design& design) {
  const auto pairs = design.pairs.size();
  if (!rotates_one_part(design) || design.rule || design.growing || pairs < 2) {
    return std::nullopt;
  }
  const bool is_half = design.pairs[0].second == pairs;
  design.finishing.push_back(
      [is_half, pairs, places = design.pairs, frequencies = design.frequencies, direction = design.direction,
       amplitude = design.amplitude](const Question& question, std::size_t width, std::span<double> values) {
        if (question.role != "rotated") {
          return;
        }
        for (std::size_t row = 0; row < question.positions.size(); ++row) {
          const auto position = static_cast<double>(question.positions[row]);
          const auto input = question.input.subspan(row * width, width);
          for (std::size_t pair = 0; pair < pairs; ++pair) {
            const auto [a, b] = places[pair];
            const auto turned = [&](std::size_t dimension, std::size_t other, double sign) {
              const double phase = position * frequencies[is_half ? dimension / 2 : dimension % pairs];
              return amplitude *
                     (input[dimension] * std::cos(phase) + sign * direction * input[other] * std::sin(phase));
            };
            values[row * width + a] = turned(a, b, -1);
            values[row * width + b] = turned(b, a, 1);
          }
        }
      });
  return Planted{is_half ? "each twice in a row" : "all, and all again", {greatest_position(design)}};
}

/// Pairs are read in one layout and written in the other.
std::optional<Planted> results_apart(Draw&, Design& design) {
  const auto pairs = design.pairs.size();
  if (!rotates_one_part(design) || pairs < 2) {
    return std::nullopt;
  }
  const bool is_half = design.pairs[0].second == pairs;
  design.finishing.push_back(
      [is_half, pairs](const Question& question, std::size_t width, std::span<double> values) {
        if (question.role != "rotated") {
          return;
        }
        std::vector<double> row(2 * pairs);
        for (std::size_t start = 0; start < values.size(); start += width) {
          const auto here = values.subspan(start, 2 * pairs);
          std::ranges::copy(here, row.begin());
          for (std::size_t pair = 0; pair < pairs; ++pair) {
            here[is_half ? 2 * pair : pair] = row[is_half ? pair : 2 * pair];
            here[is_half ? 2 * pair + 1 : pair + pairs] = row[is_half ? pair + pairs : 2 * pair + 1];
          }
        }
      });
  return Planted{is_half ? "interleaved" : "in halves"};
}

/// Pairs that turn by the wrong one of a token's positions.
std::optional<Planted> axes_apart(Draw& draw, Design& design) {
  const auto tables = design.encoding->tables_of_axes();
  if (tables.empty()) {
    return std::nullopt;
  }
  const auto count = static_cast<int>(tables.front().axes->positions.count);
  const auto pairs = design.frequencies.size();
  switch (draw.between(0, 2)) {
    case 0:
      design.steering = [](std::size_t, int) { return 0; };
      return Planted{"all by the first position"};
    case 1:
      design.steering = [count](std::size_t, int axis) { return count - 1 - axis; };
      return Planted{"the last position for the first"};
    default:
      // Sections for interleaved ones, or the other way round.
      design.steering = [count, pairs](std::size_t pair, int axis) {
        const auto other = static_cast<int>(pair * static_cast<std::size_t>(count) / pairs);
        return other == axis ? static_cast<int>(pair % static_cast<std::size_t>(count)) : other;
      };
      return Planted{"in other sections"};
  }
}

std::optional<Planted> first_position(Draw&, Design& design) {
  const auto spec = OrderedJson::parse(design.spec);
  if (!spec.contains("padding_idx") || spec["padding_idx"].is_null()) {
    return std::nullopt;
  }
  const auto padding = spec["padding_idx"].get<std::int64_t>();
  design.finishing.push_back(
      [padding](const Question& question, std::size_t width, std::span<double> values) {
        for (std::size_t row = 0; row < question.positions.size(); ++row) {
          if (question.positions[row] == padding) {
            std::ranges::fill(values.subspan(row * width, width), 0.25);
          }
        }
      });
  return Planted{"the row of padding is not zero", {padding}};
}

}  // namespace

std::span<const Fault> layout_faults() {
  static const std::array all{
      Fault{"layout/components",
            "sines and cosines are swapped",
            Shows::values,
            components_swapped,
            // The cosine and the sine of pi/2 less the phase.
            {"mapping/components", "direction/sign", "phase/shift"}},
      Fault{"layout/sign", "sines have the wrong sign", Shows::values, wrong_sign},
      Fault{"layout/direction",
            "vectors turn the other way",
            Shows::values,
            direction,
            {"direction/sign"},
            "rope"},
      Fault{"layout/rotated",
            "vectors are paired in the other layout",
            Shows::values,
            rotated_layout,
            {"mapping/layout"},
            "rope"},
      Fault{"layout/table",
            "columns are in the other layout",
            Shows::values,
            table_layout,
            {"mapping/layout", "mapping/table-layout"},
            "sinusoidal"},
      Fault{"layout/pass-through",
            "what should pass through does not",
            Shows::values,
            pass_through,
            {"mapping/pass-through"},
            "partial"},
      Fault{"layout/head-for-rotary",
            "partial rotation by the frequencies of the whole head",
            Shows::values,
            head_for_rotary,
            {"frequency/head-dim", "frequency/exponent", "frequency/base"},
            "partial"},
      Fault{"layout/last-dimensions",
            "the last dimensions rotate, not the first",
            Shows::values,
            last_dimensions,
            {"mapping/last-dimensions"},
            "partial"},
      Fault{"layout/whole-head",
            "the whole head rotates, not its part",
            Shows::values,
            whole_head,
            {"mapping/rotary-part", "frequency/head-dim", "frequency/exponent", "frequency/base",
             "mapping/pass-through"},
            "partial"},
      Fault{"layout/table-columns",
            "the columns of the table lie otherwise than the pairs",
            Shows::values,
            columns_apart,
            {"mapping/table-layout"},
            "rope"},
      Fault{"layout/results",
            "results are written to other dimensions than were read",
            Shows::values,
            results_apart,
            {"mapping/results"},
            "rope"},
      Fault{"layout/axes",
            "pairs turn by other positions of a token",
            Shows::values,
            axes_apart,
            {"mapping/axes", "spec/key"},  // where another reading of the spec has the axes so
            "axes"},
      Fault{"layout/padding",
            "the row of padding is not zero",
            Shows::values,
            first_position,
            {"mapping/padding", "damage/element"},
            "sinusoidal"},
  };
  return all;
}

}  // namespace vernier::rates
