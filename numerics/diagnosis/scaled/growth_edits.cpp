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

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

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

/// What the first pair of an operand is multiplied by, which is scaled most, at some places.
class GrowthLine {
 public:
  /// Nothing where too little can be measured. \param base whose mapping and places it is measured by
  static std::optional<GrowthLine> of(const Suspect& suspect, const Computation& base, ScaledOperand operand);

  /// The slope of the logarithms on the line that fits them best, as the scale is z^((p - c)/B): ln(z)/B.
  double growth() const { return growth_; }
  /// Where nothing would be scaled if logarithms grew so.
  double centre(double growth) const { return place_ - logarithm_ / growth; }
  /// Whether a scale is as measured, in most of the rows. \param scale null for none
  bool fits(const PositionScale* scale) const;

 private:
  struct Point {
    double place;
    double logarithm;
  };

  explicit GrowthLine(std::vector<Point> points, double tolerance);
  /// The median of what the logarithms of the points exceed those of the scale by.
  double excess(const PositionScale* scale, std::size_t first, std::size_t last) const;

  std::vector<Point> points_;  ///< by places
  double tolerance_;
  double growth_ = 0;
  double place_ = 0;      ///< in the middle
  double logarithm_ = 0;  ///< there
};

std::optional<GrowthLine> GrowthLine::of(const Suspect& suspect, const Computation& base,
                                         ScaledOperand operand) {
  if (suspect.vectors() != nullptr && operand_of(suspect, 0) != operand) {
    return std::nullopt;
  }
  const ModulusOfFirstPair modulus(suspect, base, operand);
  std::vector<Point> points;
  for (const auto row : spread_rows(suspect.rows(), most_measured_rows)) {
    const auto value = modulus.at(row);
    if (value && *value > 0 && std::fabs(std::log(*value)) <= greatest_logarithm) {
      points.push_back({base.places->front()[row], std::log(*value / std::fabs(base.amplitude))});
    }
  }
  std::ranges::stable_sort(points, {}, &Point::place);
  if (points.size() < least_measured_rows || points.front().place == points.back().place) {
    return std::nullopt;
  }
  // The medians of many values are off by less than their last bit; but they may all be cut off alike.
  const double u = std::max(traits(suspect.stored(0)).unit_roundoff(),
                            traits(base.parameters.front().compute).unit_roundoff());
  return GrowthLine(std::move(points), 0x1p-12 + u);
}

// The medians of slopes and of what they leave do not mind rows that are damaged.
GrowthLine::GrowthLine(std::vector<Point> points, double tolerance)
    : points_(std::move(points)), tolerance_(tolerance) {
  std::vector<double> slopes;
  const auto half = points_.size() / 2;
  for (std::size_t i = 0; i + half < points_.size(); ++i) {
    const auto& a = points_[i];
    const auto& b = points_[i + half];
    if (a.place != b.place) {
      slopes.push_back((b.logarithm - a.logarithm) / (b.place - a.place));
    }
  }
  growth_ = slopes.empty() ? 0 : median_of(std::move(slopes));
  place_ = points_[half].place;
  std::vector<double> levels;
  for (const auto& point : points_) {
    levels.push_back(point.logarithm - growth_ * (point.place - place_));
  }
  logarithm_ = median_of(std::move(levels));
}

double GrowthLine::excess(const PositionScale* scale, std::size_t first, std::size_t last) const {
  double slope = 0;
  double centre = 0;
  if (scale != nullptr) {
    slope = std::log(approximately(scale->ratios.front())) / approximately(scale->base) *
            (scale->is_reciprocal ? -1 : 1);
    centre = static_cast<double>(scale->centre);
  }
  std::vector<double> excesses;
  for (auto i = first; i < last; ++i) {
    excesses.push_back(points_[i].logarithm - slope * (points_[i].place - centre));
  }
  return median_of(std::move(excesses));
}

bool GrowthLine::fits(const PositionScale* scale) const {
  const auto half = points_.size() / 2;
  return std::fabs(excess(scale, 0, half)) <= tolerance_ &&
         std::fabs(excess(scale, half, points_.size())) <= tolerance_;
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
        if (auto line = GrowthLine::of(edits.suspect, edits.base, operand)) {
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

  /// Appends the base with these scales, if those measured may be they.
  void propose(std::string_view kind, std::string sentence, double bits, const Change& change,
               const OrderedJson& patch = nullptr) const {
    if (!fits(change)) {
      return;
    }
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
  bool fits(const Change& change) const {
    return std::ranges::all_of(lines_, [&](const auto& line) {
      const auto scale = change(line.first, scales_.at(line.first));
      return line.second.fits(scale ? &*scale : nullptr);
    });
  }

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
    const auto nearest = std::llround(found);
    for (const std::int64_t by : {0, 1, -1, 2, -2}) {
      add(nearest + by, variant_bits + integer_bits(nearest + by));
    }
  }
}

void propose_bases(const GrowthClues& growth) {
  const auto& declared = growth.scale().base;
  std::set<std::string> seen{to_string(declared)};
  const auto add = [&](const std::string& text, double bits) {
    const auto base = parse_rational(text);
    if (base && *base > 0 && seen.insert(to_string(*base)).second) {
      growth.propose("amplitude/growth-base",
                     fmt::format("the scale base is {}, not {}", to_string(*base), to_string(declared)), bits,
                     of_both([base = *base](PositionScale& scale) { scale.base = base; }),
                     replacement("scale_base", approximately(*base)));
    }
  };
  add("512", flag_bits + 1);
  const double found = growth.log_ratio() / growth.line()->growth();
  constexpr int most_digits = 5;
  constexpr double greatest_base = 1e6;  // as good as no scale
  if (found > 0 && found < greatest_base) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      add(decimal.text, decimal_bits(decimal.digits));
    }
    const auto nearest = std::llround(std::min(found, 1e9));
    for (const std::int64_t by : {0, 1, -1}) {
      add(std::to_string(nearest + by), integer_bits(nearest + by));
    }
    add(std::to_string(std::int64_t{1} << std::llround(std::clamp(std::log2(found), 0.0, 40.0))),
        variant_bits);
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
      std::exp(growth.line()->growth() * approximately(declared.base) * (declared.is_reciprocal ? -1 : 1));
  const double found = least / (1 - least);
  if (!(found > 0) || !std::isfinite(found)) {
    return;
  }
  constexpr int most_digits = 3;
  const auto pairs = static_cast<int>(declared.ratios.size());
  for (const auto& decimal : short_decimals(found, most_digits)) {
    const auto offset = parse_rational(decimal.text);
    if (!offset || *offset == Rational(2, 5)) {
      continue;
    }
    std::vector<Rational> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
      ratios.push_back((Rational(pair, pairs) + *offset) / (1 + *offset));
    }
    growth.propose("amplitude/growth-ratio", fmt::format("scales start from {}, not from 0.4", decimal.text),
                   decimal_bits(decimal.digits) + flag_bits,
                   of_both([ratios](PositionScale& scale) { scale.ratios = ratios; }));
  }
}

/// Frequencies and scales tell one number apart if it multiplies positions.
void propose_scaled_positions(const KindEdits& edits) {
  const FittedPhasor* best = nullptr;
  double found = 1;
  for (std::size_t i = 0; i < edits.recovery.phasors.size(); ++i) {
    const auto& phasor = edits.recovery.phasors[i];
    const double declared = edits.base.frequency(static_cast<int>(i));
    if (phasor && phasor->frequency > 0 &&
        (best == nullptr || phasor->uncertainty / phasor->frequency < best->uncertainty / best->frequency)) {
      best = &*phasor;
      found = phasor->frequency / declared;
    }
  }
  constexpr int most_digits = 4;
  if (best == nullptr || std::fabs(best->frequency - best->frequency / found) <= 4 * best->uncertainty) {
    return;
  }
  for (const auto& decimal : short_decimals(found, most_digits)) {
    edits.of("position/scaled")
        .add(fmt::format("positions are multiplied by {}", decimal.text), decimal_bits(decimal.digits),
             [&](Computation& computation) {
               auto places = std::make_shared<Computation::Places>(*computation.places);
               for (auto& axis : *places) {
                 std::ranges::transform(axis, axis.begin(), [&](double p) { return p * decimal.value; });
               }
               computation.places = std::move(places);
             });
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
  propose_scaled_positions(edits);
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
