// Which element belongs to which pair and component.

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

bool has_key(const Clues& clues, const char* key) {
  return clues.suspect.encoding().spec().contains(key);
}

void exchange_components(std::vector<Cell>& cells) {
  for (auto& cell : cells) {
    cell.component = cell.component == Component::sine     ? Component::cosine
                     : cell.component == Component::cosine ? Component::sine
                                                           : Component::zero;
  }
}

/// The patch that declares the other order of sine and cosine; null where the scheme has but one.
OrderedJson other_order(const OrderedJson& spec) {
  return spec.contains("order") ? replacement("order", spec.at("order") == "sin_cos" ? "cos_sin" : "sin_cos")
                                : OrderedJson(nullptr);
}

void propose_components(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.suspect.vectors() != nullptr) {
    if (!clues.base.rotated.empty()) {
      // sin f and cos f in each other's place are a turn by a right angle less the phase.
      propose_edit(clues, kind, "sine and cosine are exchanged", flag_bits, out,
                   [](Computation& computation) {
                     computation.phase_shift = -std::numbers::pi / 2;
                     for (auto& d : computation.rotated) {
                       d.sign = -d.sign;
                     }
                   });
    }
    return;
  }
  propose_edit(
      clues, kind, "sine and cosine are exchanged", flag_bits, out,
      [](Computation& computation) { std::ranges::for_each(computation.cells, exchange_components); },
      other_order(clues.suspect.encoding().spec()));
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

void propose_table_layout(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto& base = clues.base;
  if (!shows_layout(base)) {
    return;
  }
  const bool interleaved = is_interleaved(base);
  const auto spec = clues.suspect.encoding().spec();
  OrderedJson patch = nullptr;
  if (spec.contains("layout")) {
    patch = replacement("layout", !interleaved                        ? "interleaved"
                                  : spec.at("scheme") == "sinusoidal" ? "halves"
                                                                      : "half");
  }
  propose_edit(
      clues, kind, fmt::format("the columns are {}", layout_words(interleaved)), flag_bits, out,
      [&](Computation& computation) {
        for (auto& cells : computation.cells) {
          lay_out_otherwise(cells, interleaved);
        }
      },
      patch);
  if (const auto order = other_order(spec); !order.is_null() && !patch.is_null()) {
    // As diffusers' flip_sin_to_cos has it beside the interleaved columns of the paper.
    auto both = patch;
    both.insert(both.end(), order.begin(), order.end());
    propose_edit(
        clues, kind,
        fmt::format("the columns are {}, and sine and cosine are exchanged", layout_words(interleaved)),
        2 * flag_bits, out,
        [&](Computation& computation) {
          for (auto& cells : computation.cells) {
            lay_out_otherwise(cells, interleaved);
            exchange_components(cells);
          }
        },
        both);
  }
  propose_edit(clues, kind,
               interleaved ? "the halves of the columns are interleaved once more"
                           : "every other column is put into the first half once more",
               variant_bits, out, [&](Computation& computation) {
                 for (auto& cells : computation.cells) {
                   lay_out_otherwise(cells, !interleaved);
                 }
               });
}

enum class Pairing { half, interleaved };

Pairing other(Pairing pairing) {
  return pairing == Pairing::half ? Pairing::interleaved : Pairing::half;
}

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

/// Where pairs are read, where their results are written, and how the columns of the table lie.
struct Pairings {
  Pairing read;
  Pairing written;
  Pairing table;
};

std::vector<RotatedDimension> rotated_dimensions(const Pairings& pairings, std::size_t pairs, int sign) {
  std::vector<RotatedDimension> result;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto in = dimensions(pairings.read, pair, pairs);
    const auto out = dimensions(pairings.written, pair, pairs);
    for (const std::size_t second : {0U, 1U}) {
      result.push_back({out[second], in[second], in[1 - second], second == 0 ? sign : -sign,
                        column_pair(pairings.table, in[second], pairs)});
    }
  }
  return result;
}

/// Whether the pairs are the first dimensions in one of the two layouts, each with a frequency of its own.
std::optional<Pairing> pairing_of(const Computation& base) {
  const auto pairs = base.tones.size();
  if (pairs < 2 || base.rotated.size() != 2 * pairs) {
    return std::nullopt;
  }
  for (const auto pairing : {Pairing::half, Pairing::interleaved}) {
    const bool all = std::ranges::all_of(base.rotated, [&](const RotatedDimension& d) {
      const auto expected = dimensions(pairing, static_cast<std::size_t>(d.pair), pairs);
      return d.out == d.own && std::ranges::find(expected, d.own) != expected.end();
    });
    if (all) {
      return pairing;
    }
  }
  return std::nullopt;
}

/// \param pairings in terms of the declared pairing
void propose_pairings(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                      const Pairings& pairings, Proposals& out, const OrderedJson& patch = nullptr) {
  const int sign = clues.base.rotated.front().sign;
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) {
        computation.rotated = rotated_dimensions(pairings, computation.tones.size(), sign);
      },
      patch);
}

void propose_layout(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_table_layout(clues, kind, out);
  if (const auto own = pairing_of(clues.base)) {
    const auto another = other(*own);
    const auto patch = has_key(clues, "layout")
                           ? replacement("layout", another == Pairing::half ? "half" : "interleaved")
                           : OrderedJson(nullptr);
    propose_pairings(clues, kind, fmt::format("pairs are {}, not {}", words(another), words(*own)), flag_bits,
                     {another, another, another}, out, patch);
  }
}

/// One of several tables, which the others do not follow.
void propose_layout_of_one(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto tables = clues.suspect.tables();
  if (tables.size() < 2 || tables.size() != clues.base.cells.size() || !shows_layout(clues.base)) {
    return;
  }
  const bool interleaved = is_interleaved(clues.base);
  for (std::size_t table = 0; table < tables.size(); ++table) {
    propose_edit(clues, kind,
                 fmt::format("the columns of {} alone are {}", tables[table].role, layout_words(interleaved)),
                 variant_bits, out,
                 [&](Computation& computation) { lay_out_otherwise(computation.cells[table], interleaved); });
  }
}

void propose_table_columns(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_layout_of_one(clues, kind, out);
  if (const auto own = pairing_of(clues.base)) {
    const auto another = other(*own);
    propose_pairings(
        clues, kind,
        fmt::format("the columns of the table are {}, though the pairs are {}", words(another), words(*own)),
        variant_bits, {*own, *own, another}, out);
    propose_pairings(
        clues, kind,
        fmt::format("pairs are {}, though the columns of the table are {}", words(another), words(*own)),
        variant_bits, {another, another, *own}, out);
  }
}

void propose_results(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (const auto own = pairing_of(clues.base)) {
    const auto another = other(*own);
    propose_pairings(clues, kind,
                     fmt::format("the results of the pairs are written {}, though they are read {}",
                                 words(another), words(*own)),
                     variant_bits, {*own, another, *own}, out);
    propose_pairings(
        clues, kind,
        fmt::format("pairs are read {}, though their results are written {}", words(another), words(*own)),
        variant_bits, {another, *own, another}, out);
  }
}

void propose_padding(const Clues& clues, const FaultKind& kind, Proposals& out) {
  bool has_padding = false;
  for (std::size_t row = 0; row < clues.suspect.rows(); ++row) {
    has_padding = has_padding || clues.suspect.is_zero_row(0, row);
  }
  if (has_padding) {
    propose_edit(clues, kind, "the row of the padding position is not zero: it holds its position", flag_bits,
                 out, [](Computation& computation) { computation.fills_padding = true; });
  }
}

}  // namespace

StageEdits mapping_edits() {
  return {{"mapping/padding", propose_padding},
          {"mapping/layout", propose_layout},
          {"mapping/components", propose_components},
          {"mapping/table-layout", propose_table_columns},
          {"mapping/results", propose_results}};
}

}  // namespace vernier
