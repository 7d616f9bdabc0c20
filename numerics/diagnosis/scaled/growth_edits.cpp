// What may be wrong with scales of the position.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "numerics/decoding/pair_signal.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// What scales of the position are made of: those of queries, and those of keys.
enum class ScaledOperand { queries, keys };

/// The operand of a tensor that grows.
ScaledOperand operand_of(const Suspect& suspect, std::size_t tensor) {
  const auto& growth = suspect.declared().growth[tensor];
  return growth != nullptr && growth->scale().is_reciprocal ? ScaledOperand::keys : ScaledOperand::queries;
}

/// So many rows tell how scales grow.
constexpr std::size_t most_measured_rows = 128;
constexpr std::size_t least_measured_rows = 4;
/// Beyond e^+-this the numbers of 16-bit formats lose their precision.
constexpr double greatest_logarithm = 8;

/// Reads what the first pair of an operand is multiplied by.
class ModulusOfFirstPair {
 public:
  ModulusOfFirstPair(const Suspect& suspect, const Computation& base, ScaledOperand operand)
      : suspect_(suspect), view_(suspect, base) {
    for (std::size_t t = 0; t < base.cells.size(); ++t) {
      if (operand_of(suspect, t) != operand) {
        continue;
      }
      const bool is_alone = suspect.tables()[t].is_scale_alone;
      for (std::size_t c = 0; c < base.cells[t].size(); ++c) {
        const auto& cell = base.cells[t][c];
        if (cell.pair == 0 && cell.component != Component::zero) {
          auto& place = is_alone ? scale_ : cell.component == Component::cosine ? cosine_ : sine_;
          place = place ? place : std::pair(t, c);
        }
      }
    }
  }

  std::optional<double> at(std::size_t row) const {
    if (suspect_.vectors() != nullptr) {
      const auto point = view_.is_complete(0) ? view_.grown_point(row, 0) : std::nullopt;
      return point ? std::optional(std::abs(point->z)) : std::nullopt;
    }
    if (cosine_ && sine_) {
      return std::hypot(number(*cosine_, row), number(*sine_, row));
    }
    return scale_ ? std::optional(number(*scale_, row)) : std::nullopt;
  }

 private:
  using ColumnOfTable = std::pair<std::size_t, std::size_t>;

  double number(const ColumnOfTable& place, std::size_t row) const {
    const auto& table = suspect_.tables()[place.first];
    return table.tensor->number(row * table.width() + place.second);
  }

  const Suspect& suspect_;
  PairView view_;
  std::optional<ColumnOfTable> cosine_;
  std::optional<ColumnOfTable> sine_;
  std::optional<ColumnOfTable> scale_;
};

/// What the logarithm of what multiplies the first pair of an operand, which is scaled most, is at places:
/// for scales z^((p - c)/B) a line.
struct GrowthLine {
  double growth;       ///< its slope, ln(z)/B
  double place;        ///< in the middle
  double logarithm;    ///< there
  double uncertainty;  ///< of the slope, relative

  /// Where nothing would be scaled if logarithms grew so.
  double centre(double slope) const { return place - logarithm / slope; }
};

/// By medians, which do not mind rows that are damaged. Nothing where too little can be measured. \param base
/// whose mapping and places it is measured by
std::optional<GrowthLine> growth_line(const Suspect& suspect, const Computation& base,
                                      ScaledOperand operand) {
  if (suspect.vectors() != nullptr && operand_of(suspect, 0) != operand) {
    return std::nullopt;
  }
  const ModulusOfFirstPair modulus(suspect, base, operand);
  std::vector<std::pair<double, double>> points;  // places and logarithms
  for (const auto row : spread_rows(suspect.rows(), most_measured_rows)) {
    const auto value = modulus.at(row);
    if (value && *value > 0 && std::fabs(std::log(*value)) <= greatest_logarithm) {
      points.emplace_back(base.places->front()[row], std::log(*value / std::fabs(base.amplitude)));
    }
  }
  std::ranges::stable_sort(points);
  if (points.size() < least_measured_rows || points.front().first == points.back().first) {
    return std::nullopt;
  }
  std::vector<double> slopes;
  const auto half = points.size() / 2;
  for (std::size_t i = 0; i + half < points.size(); ++i) {
    if (const auto by = points[i + half].first - points[i].first; by != 0) {
      slopes.push_back((points[i + half].second - points[i].second) / by);
    }
  }
  // Values are off by u in the median, or less; the slope by as much of what their logarithms differ by.
  const double u = std::max(traits(suspect.stored(0)).unit_roundoff(),
                            traits(base.parameters.front().compute).unit_roundoff());
  const double growth = median(std::move(slopes));
  GrowthLine result{growth, points[half].first, 0,
                    2 * u / std::fabs(growth * (points.back().first - points.front().first))};
  result.logarithm = median(mapped(points, [&](const auto& point) {
    return point.second - result.growth * (point.first - result.place);
  }));
  return result;
}

constexpr std::array<ScaledOperand, 2> both_operands{ScaledOperand::queries, ScaledOperand::keys};

/// Another scale of an operand; nothing for none.
using Change = std::function<std::optional<PositionScale>(ScaledOperand operand, PositionScale scale)>;

/// The scales of a base, beside those that are measured.
class GrowthClues {
 public:
  explicit GrowthClues(const KindEdits& edits) : edits_(edits) {
    for (std::size_t t = 0; t < edits.base.growth.size(); ++t) {
      if (edits.base.growth[t] != nullptr) {
        scales_.emplace(operand_of(edits.suspect, t), edits.base.growth[t]->scale());
      }
    }
    for (const auto operand : both_operands) {
      if (scales_.contains(operand)) {
        if (auto line = growth_line(edits.suspect, edits.base, operand)) {
          lines_.emplace(operand, *std::move(line));
        }
      }
    }
  }

  bool has(ScaledOperand operand) const { return scales_.contains(operand); }
  /// A line that is measured, and the scale of the base there; null if none is.
  const GrowthLine* line() const { return lines_.empty() ? nullptr : &lines_.begin()->second; }
  const PositionScale& scale() const { return scales_.at(lines_.begin()->first); }
  /// ln(z) of the first pair, with the sign that the operand has. \pre line() is not null
  double log_ratio() const {
    const double logarithm = std::log(approximately(scale().ratios.front()));
    return scale().is_reciprocal ? -logarithm : logarithm;
  }

  /// Appends the base with these scales.
  void propose(std::string_view kind, std::string sentence, double bits, const Change& change,
               const OrderedJson& patch = nullptr) const {
    edits_.of(kind).add(
        std::move(sentence), bits,
        [&](Computation& computation) {
          std::map<const Growth*, std::shared_ptr<const Growth>> changed;
          for (std::size_t t = 0; t < computation.growth.size(); ++t) {
            auto& growth = computation.growth[t];
            if (growth == nullptr) {
              continue;
            }
            const auto [entry, is_new] = changed.emplace(growth.get(), nullptr);
            if (is_new) {
              auto scale = change(operand_of(edits_.suspect, t), growth->scale());
              entry->second = scale ? growth->with(*std::move(scale)) : nullptr;
            }
            growth = entry->second;
          }
        },
        patch);
  }

 private:
  const KindEdits& edits_;
  std::map<ScaledOperand, PositionScale> scales_;
  std::map<ScaledOperand, GrowthLine> lines_;
};

/// A change of the scales of both operands.
template <class Edit>
Change of_both(const Edit& edit) {
  return [edit](ScaledOperand, PositionScale scale) {
    edit(scale);
    return std::optional(std::move(scale));
  };
}

/// Conventions have the centre at one of the two positions in the middle of a length.
OrderedJson centre_patch(const Encoding& encoding, std::int64_t centre) {
  for (const auto* name : {"torchscale", "flash_attn", "x_transformers"}) {
    auto patch = replacement("centre", name);
    const auto other = patched(encoding, patch);
    if (other != nullptr && other->first<TurnedTable>(&TurnedTable::scale)->scale->centre == centre) {
      return patch;
    }
  }
  return nullptr;
}

void propose_centres(const KindEdits& edits, const GrowthClues& growth) {
  const auto declared = growth.scale().centre;
  std::set<std::int64_t> seen{declared};
  const auto add = [&](std::int64_t centre, double bits) {
    const auto change = of_both([centre](PositionScale& scale) { scale.centre = centre; });
    if (seen.insert(centre).second) {
      growth.propose("amplitude/growth-centre",
                     fmt::format("nothing is scaled at position {}, not at {}", centre, declared), bits,
                     change, centre_patch(edits.suspect.encoding(), centre));
    }
  };
  add(0, flag_bits + 1);
  add(declared + 1, variant_bits);
  add(declared - 1, variant_bits);
  add(-declared, variant_bits);
  const double found = growth.line()->centre(growth.log_ratio() / approximately(growth.scale().base));
  constexpr double farthest = 0x1p31;
  if (std::fabs(found) < farthest) {
    for (const std::int64_t by : {0, 1, -1}) {
      add(std::llround(found) + by, variant_bits + integer_bits(std::llround(found) + by));
    }
  }
}

void propose_bases(const GrowthClues& growth) {
  const auto& declared = growth.scale().base;
  std::set<std::string> seen{to_string(declared)};
  const auto add = [&](double value, double bits) {
    const auto base = parse_rational(number_words(value));
    if (base && *base > 0 && seen.insert(to_string(*base)).second) {
      growth.propose("amplitude/growth-base",
                     fmt::format("the scale base is {}, not {}", to_string(*base), to_string(declared)), bits,
                     of_both([base = *base](PositionScale& scale) { scale.base = base; }),
                     replacement("scale_base", approximately(*base)));
    }
  };
  add(512, flag_bits + 1);
  const double found = growth.log_ratio() / growth.line()->growth;
  constexpr double greatest_base = 1e6;  // as good as no scale
  if (found > 0 && found < greatest_base) {
    add(std::exp2(std::round(std::log2(found))), variant_bits);
    if (const auto decimal = shortest_decimal(found, growth.line()->uncertainty)) {
      add(*decimal, number_bits(*decimal));
    }
  }
}

void propose_missing(const KindEdits& edits, const GrowthClues& growth) {
  growth.propose("amplitude/growth-missing", "the scale is left out", flag_bits,
                 [](ScaledOperand, const PositionScale&) { return std::optional<PositionScale>(); });
  for (const auto missing : both_operands) {
    if (edits.suspect.vectors() == nullptr && growth.has(missing)) {
      growth.propose(
          "amplitude/growth-missing",
          fmt::format("the scale of the {} is left out", missing == ScaledOperand::keys ? "keys" : "queries"),
          flag_bits + 1, [missing](ScaledOperand operand, const PositionScale& scale) {
            return operand == missing ? std::nullopt : std::optional(scale);
          });
    }
  }
}

/// z = (2i/d + g)/(1 + g), with another g than 0.4.
void propose_ratios(const GrowthClues& growth) {
  const auto& declared = growth.scale();
  const double least =
      std::exp(growth.line()->growth * approximately(declared.base) * (declared.is_reciprocal ? -1 : 1));
  const double found = least / (1 - least);
  if (!(found > 0) || !std::isfinite(found)) {
    return;
  }
  const auto decimal = shortest_decimal(found, 4 * growth.line()->uncertainty);
  const auto offset = decimal ? parse_rational(number_words(*decimal)) : std::nullopt;
  if (offset && *offset != Rational(2, 5)) {
    const auto pairs = static_cast<int>(declared.ratios.size());
    std::vector<Rational> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
      ratios.push_back((Rational(pair, pairs) + *offset) / (1 + *offset));
    }
    growth.propose("amplitude/growth-ratio",
                   fmt::format("scales start from {}, not from 0.4", number_words(*decimal)),
                   number_bits(*decimal) + flag_bits,
                   of_both([ratios](PositionScale& scale) { scale.ratios = ratios; }));
  }
}

void propose_growth(const KindEdits& edits) {
  if (edits.base.growth.empty()) {
    return;
  }
  const GrowthClues growth(edits);
  if (growth.line() != nullptr) {
    propose_centres(edits, growth);
    propose_bases(growth);
    propose_ratios(growth);
  }
  propose_missing(edits, growth);
}

void propose_operands(const KindEdits& edits) {
  if (edits.base.growth.empty() || edits.suspect.has_operation()) {
    return;
  }
  using Operands = std::set<ScaledOperand>;
  Operands there;
  for (std::size_t t = 0; t < edits.base.growth.size(); ++t) {
    there.insert(operand_of(edits.suspect, t));
  }
  const Operands queries{ScaledOperand::queries};
  const Operands keys{ScaledOperand::keys};
  for (const auto& [sentence, changed] :
       {std::pair("keys are scaled as queries are, not by the reciprocal", keys),
        {"queries are scaled as keys should be", queries},
        {"the scales of queries and of keys are exchanged", {ScaledOperand::queries, ScaledOperand::keys}}}) {
    if (!std::ranges::includes(there, changed)) {
      continue;
    }
    edits.add(sentence, flag_bits, [&](Computation& computation) {
      for (std::size_t t = 0; t < computation.growth.size(); ++t) {
        auto& growth = computation.growth[t];
        if (growth != nullptr && changed.contains(operand_of(edits.suspect, t))) {
          auto scale = growth->scale();
          scale.is_reciprocal = !scale.is_reciprocal;
          growth = growth->with(std::move(scale));
        }
      }
    });
  }
}

}  // namespace

StageEdits growth_edits() {
  // Which way scales grow comes before how much they do, and after all that is not theirs.
  return {{"amplitude/growth-keys", propose_operands, false, Stage::trigonometry},
          {"amplitude/growth-centre", propose_growth}};
}

}  // namespace vernier
