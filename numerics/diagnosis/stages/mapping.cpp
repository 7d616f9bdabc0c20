// Which element belongs to which pair and component; which dimensions of a head rotate, and what becomes of
// the others.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

void exchange_component(Cell& cell) {
  cell.component = cell.component == Component::sine     ? Component::cosine
                   : cell.component == Component::cosine ? Component::sine
                                                         : Component::zero;
}

/// The patch that declares the other order of sine and cosine; null where the scheme has but one.
OrderedJson other_order(const OrderedJson& spec) {
  return spec.contains("order") ? replacement("order", spec.at("order") == "sin_cos" ? "cos_sin" : "sin_cos")
                                : OrderedJson(nullptr);
}

void propose_components(const KindEdits& edits) {
  const std::string words = "sine and cosine are exchanged";
  if (edits.suspect.vectors() == nullptr) {
    edits.add(
        words, flag_bits, [](Computation& computation) { computation.change_cells(exchange_component); },
        other_order(edits.spec()));
  } else if (!edits.base.rotated.empty()) {
    // sin f and cos f in each other's place are a turn by a right angle less the phase.
    edits.add(words, flag_bits, [](Computation& computation) {
      computation.phase_shift = -std::numbers::pi / 2;
      computation.turn_round();
    });
  }
}

/// Only tables with two columns a pair show a layout.
bool shows_layout(const Computation& base) {
  return !base.cells.empty() && base.pairs() > 1 &&
         std::ranges::all_of(base.cells, [&](const std::vector<Cell>& cells) {
           return cells.size() == 2 * base.tones.size();
         });
}

/// \pre it shows a layout
bool is_interleaved(const Computation& base) {
  return base.cells.front()[0].pair == base.cells.front()[1].pair;
}

/// The columns of a table in the other layout. \param interleaved whether they are
void lay_out_otherwise(std::vector<Cell>& cells, bool interleaved) {
  const auto declared = cells;
  const auto half = cells.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    for (const std::size_t odd : {0U, 1U}) {
      const auto apart = i + odd * half;
      const auto together = 2 * i + odd;
      cells[interleaved ? apart : together] = declared[interleaved ? together : apart];
    }
  }
}

std::string_view layout_words(bool interleaved) {
  return interleaved ? "laid out in halves, not interleaved" : "interleaved, not laid out in halves";
}

void propose_table_layout(const KindEdits& edits) {
  if (!shows_layout(edits.base)) {
    return;
  }
  const bool interleaved = is_interleaved(edits.base);
  const auto spec = edits.spec();
  const auto halves = spec.at("scheme") == "sinusoidal" ? "halves" : "half";
  const auto patch = spec.contains("layout") ? replacement("layout", interleaved ? halves : "interleaved")
                                             : OrderedJson(nullptr);
  const auto laid_out = [](bool were_interleaved) {
    return [=](Computation& computation) {
      for (auto& cells : computation.cells) {
        lay_out_otherwise(cells, were_interleaved);
      }
    };
  };
  const auto words = fmt::format("the columns are {}", layout_words(interleaved));
  edits.add(words, flag_bits, laid_out(interleaved), patch);
  if (const auto order = other_order(spec); !order.is_null() && !patch.is_null()) {
    // As diffusers' flip_sin_to_cos has it beside the interleaved columns of the paper.
    auto both = patch;
    both.insert(both.end(), order.begin(), order.end());
    edits.add(
        words + ", and sine and cosine are exchanged", 2 * flag_bits,
        [&](Computation& computation) {
          laid_out(interleaved)(computation);
          computation.change_cells(exchange_component);
        },
        both);
  }
  edits.add(interleaved ? "the halves of the columns are interleaved once more"
                        : "every other column is put into the first half once more",
            variant_bits, laid_out(!interleaved));
}

enum class Pairing { half, interleaved };

std::string_view words(Pairing pairing) {
  return pairing == Pairing::half ? "half the width apart" : "interleaved";
}

/// The two dimensions of a pair among `pairs`.
std::array<std::size_t, 2> dimensions(Pairing pairing, std::size_t pair, std::size_t pairs) {
  return pairing == Pairing::half ? std::array{pair, pair + pairs} : std::array{2 * pair, 2 * pair + 1};
}

/// The pair whose column of a duplicated table a dimension takes.
int column_pair(Pairing pairing, std::size_t dimension, std::size_t pairs) {
  return static_cast<int>(pairing == Pairing::half ? dimension % pairs : dimension / 2);
}

/// The first dimension that rotates. \pre there is one
std::size_t first_rotated(const Computation& base) {
  return std::ranges::min(base.rotated, {}, &RotatedDimension::out).out;
}

/// \param before dimensions of the head before those that rotate
std::vector<RotatedDimension> rotated_dimensions(Pairing read, Pairing written, Pairing table,
                                                 std::size_t pairs, int sign, std::size_t before) {
  std::vector<RotatedDimension> result;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto in = dimensions(read, pair, pairs);
    const auto out = dimensions(written, pair, pairs);
    for (const std::size_t second : {0U, 1U}) {
      result.push_back({before + out[second], before + in[second], before + in[1 - second],
                        second == 0 ? sign : -sign, column_pair(table, in[second], pairs)});
    }
  }
  return result;
}

/// Whether the pairs are neighbouring dimensions in one of the two layouts, each with a frequency of its own.
std::optional<Pairing> pairing_of(const Computation& base) {
  const auto pairs = base.tones.size();
  if (pairs < 2 || base.rotated.size() != 2 * pairs) {
    return std::nullopt;
  }
  const auto before = first_rotated(base);
  for (const auto pairing : {Pairing::half, Pairing::interleaved}) {
    const bool all = std::ranges::all_of(base.rotated, [&](const RotatedDimension& d) {
      const auto expected = dimensions(pairing, static_cast<std::size_t>(d.pair), pairs);
      return d.out == d.own && std::ranges::find(expected, d.own - before) != expected.end();
    });
    if (all) {
      return pairing;
    }
  }
  return std::nullopt;
}

/// Where pairs are read, where their results are written, and how the columns of the table lie: as declared
/// or otherwise.
struct OtherPairing {
  std::string_view kind;
  std::string_view words;  ///< {0} of the other pairing, {1} of the declared one
  double bits;
  bool reads_otherwise;
  bool writes_otherwise;
  bool has_other_table;
};
constexpr std::array other_pairings{
    OtherPairing{"mapping/layout", "pairs are {0}, not {1}", flag_bits, true, true, true},
    OtherPairing{"mapping/table-layout", "the columns of the table are {0}, though the pairs are {1}",
                 variant_bits, false, false, true},
    OtherPairing{"mapping/table-layout", "pairs are {0}, though the columns of the table are {1}",
                 variant_bits, true, true, false},
    OtherPairing{"mapping/results", "the results of the pairs are written {0}, though they are read {1}",
                 variant_bits, false, true, false},
    OtherPairing{"mapping/results", "pairs are read {0}, though their results are written {1}", variant_bits,
                 true, false, true}};

/// Those of the kind.
void propose_pairings(const KindEdits& edits) {
  const auto own = pairing_of(edits.base);
  for (const auto& one : other_pairings) {
    if (!own || one.kind != edits.kind.id) {
      continue;
    }
    const auto other = *own == Pairing::half ? Pairing::interleaved : Pairing::half;
    const auto pairing = [&](bool is_other) { return is_other ? other : *own; };
    const bool is_of_spec = edits.kind.id == "mapping/layout" && edits.spec().contains("layout");
    edits.add(fmt::format(fmt::runtime(one.words), words(other), words(*own)), one.bits,
              setting(&Computation::rotated,
                      rotated_dimensions(pairing(one.reads_otherwise), pairing(one.writes_otherwise),
                                         pairing(one.has_other_table), edits.base.tones.size(),
                                         edits.base.rotated.front().sign, first_rotated(edits.base))),
              is_of_spec ? replacement("layout", other == Pairing::half ? "half" : "interleaved")
                         : OrderedJson(nullptr));
  }
}

void propose_layout(const KindEdits& edits) {
  propose_table_layout(edits);
  propose_pairings(edits);
}

/// One of several tables, which the others do not follow.
void propose_layout_of_one(const KindEdits& edits) {
  const auto tables = edits.suspect.tables();
  if (tables.size() < 2 || tables.size() != edits.base.cells.size() || !shows_layout(edits.base)) {
    return;
  }
  const bool interleaved = is_interleaved(edits.base);
  for (std::size_t table = 0; table < tables.size(); ++table) {
    edits.add(fmt::format("the columns of {} alone are {}", tables[table].role, layout_words(interleaved)),
              variant_bits,
              [&](Computation& computation) { lay_out_otherwise(computation.cells[table], interleaved); });
  }
}

void propose_table_columns(const KindEdits& edits) {
  propose_layout_of_one(edits);
  propose_pairings(edits);
}

void propose_padding(const KindEdits& edits) {
  bool has_padding = false;
  for (std::size_t row = 0; row < edits.suspect.rows(); ++row) {
    has_padding = has_padding || edits.suspect.is_zero_row(0, row);
  }
  if (has_padding) {
    edits.add("the row of the padding position is not zero: it holds its position", flag_bits,
              setting(&Computation::fills_padding, true));
  }
}

/// How many leading dimensions are not the input, at rows where something turns.
std::size_t moving_dimensions(const Suspect& suspect) {
  const auto& vectors = *suspect.vectors();
  const auto width = vectors.head_dim();
  std::size_t moving = 0;
  for (const auto row : telling_rows(suspect, 32)) {
    for (std::size_t d = width; d > moving; --d) {
      if (vectors.input.number(row * width + d - 1) != vectors.rotated.number(row * width + d - 1)) {
        moving = d;
      }
    }
  }
  return moving + moving % 2;
}

void propose_part(const KindEdits& edits) {
  if (edits.suspect.vectors() == nullptr || !edits.spec().contains("partial_rotary_factor")) {
    return;
  }
  const auto width = edits.suspect.vectors()->head_dim();
  const auto declared = edits.base.rotated.size();
  for (const auto part : std::set{width, width / 2, width / 4, declared / 2, moving_dimensions(edits.suspect),
                                  declared * declared / width}) {
    if (part < 2 || part == declared || part % 2 != 0 || part > width) {
      continue;
    }
    const double factor = static_cast<double>(part) / static_cast<double>(width);
    const auto patch = replacement("partial_rotary_factor", factor);
    if (const auto other = edits.suspect.declared_by(patch)) {
      edits.add(
          fmt::format("{} of {} dimensions rotate, not {}", part, width, declared), variant_bits,
          [&](Computation& computation) { computation = *other; }, patch);
    }
  }
}

/// How many dimensions of vectors do not rotate.
std::size_t passed_dimensions(const Clues& clues) {
  const auto* vectors = clues.suspect.vectors();
  return vectors == nullptr ? 0
                            : vectors->head_dim() - std::min(vectors->head_dim(), clues.base.rotated.size());
}

/// What dimensions that do not rotate are multiplied by, as a short decimal.
std::optional<double> passed_factor(const Clues& clues) {
  const auto& vectors = *clues.suspect.vectors();
  const auto width = vectors.head_dim();
  std::vector<bool> is_rotated(width);
  for (const auto& d : clues.base.rotated) {
    is_rotated[d.out] = true;
  }
  long double products = 0;
  long double squares = 0;
  for (const auto row : telling_rows(clues.suspect, 64)) {
    for (std::size_t d = 0; d < width; ++d) {
      if (!is_rotated[d]) {
        const long double in = vectors.input.number(row * width + d);
        products += in * vectors.rotated.number(row * width + d);
        squares += in * in;
      }
    }
  }
  const auto factor = static_cast<double>(products / squares);
  if (!std::isfinite(factor) || factor == 0 || std::fabs(factor - 1) < 1e-7) {
    return std::nullopt;
  }
  // A double is not the decimal.
  return shortest_decimal(factor, std::max(traits(vectors.stored()).unit_roundoff() / 4, 0x1p-52));
}

void propose_pass_through(const KindEdits& edits) {
  if (passed_dimensions(edits) == 0) {
    return;
  }
  const std::string which = "the dimensions that should pass through ";
  edits.add(which + "are zero", flag_bits, setting(&Computation::passed, Computation::Passed::zeroed));
  edits.add(which + "come out one place further", variant_bits, setting(&Computation::passed_shift, 1));
  edits.add(which + "come out one place before", variant_bits, setting(&Computation::passed_shift, -1));
  if (const auto factor = passed_factor(edits)) {
    edits.add(which + "are multiplied by " + number_words(*factor), number_bits(*factor),
              setting(&Computation::passed_factor, *factor));
  }
}

}  // namespace

StageEdits mapping_edits() {
  return {{"mapping/padding", propose_padding},          {"mapping/layout", propose_layout},
          {"mapping/components", propose_components},    {"mapping/table-layout", propose_table_columns},
          {"mapping/results", propose_pairings},         {"mapping/rotary-part", propose_part},
          {"mapping/pass-through", propose_pass_through}};
}

}  // namespace vernier
