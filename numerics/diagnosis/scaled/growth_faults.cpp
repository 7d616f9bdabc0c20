// What may be wrong with scales of the position, and with the positions and frequencies beside them.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/scaled/growth_model.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

/// Edits of one order exclude each other.
namespace growth_order {
constexpr int turns = 0;
constexpr int ratio = 1;
constexpr int base = 2;
constexpr int operands = 3;
constexpr int centre = 4;
constexpr int offset = 5;
}  // namespace growth_order

constexpr std::array<ScaledOperand, 2> both{ScaledOperand::queries, ScaledOperand::keys};

std::string_view name_of(ScaledOperand operand) {
  return operand == ScaledOperand::keys ? "keys" : "queries";
}

/// A line that the scales of some operand lie on, and the declared scale of it.
struct Measurement {
  ScaleLine line;
  const PositionScale* declared = nullptr;

  /// ln(z) of the first pair, with the sign that the operand has.
  double log_ratio() const {
    const double logarithm = std::log(approximately(declared->ratios.front()));
    return declared->is_reciprocal ? -logarithm : logarithm;
  }
  /// The position at which nothing would be scaled if scales grow as declared.
  double centre() const {
    return line.mean_position - line.mean_logarithm * approximately(declared->base) / log_ratio();
  }
};

std::optional<Measurement> measurement_of(const GrowthSubject& subject) {
  for (const auto operand : both) {
    const auto line = subject.line(operand);
    if (line && subject.declared(operand) != nullptr) {
      return Measurement{*line, subject.declared(operand)};
    }
  }
  return std::nullopt;
}

/// An edit of the scales of both operands.
template <class Change>
GrowthEdit with_both(std::string sentence, double bits, int order, OrderedJson patch, Change change) {
  return {{nullptr, std::move(sentence), std::move(patch)}, bits, order, [change](GrowthModel& model) {
            change(model.queries);
            change(model.keys);
          }};
}

/// Conventions have the centre at one of the two positions in the middle of a length.
OrderedJson centre_patch(const Encoding& encoding, std::int64_t centre) {
  for (const auto* name : {"torchscale", "flash_attn", "x_transformers"}) {
    auto patch = replacement("centre", name);
    const auto other = patched(encoding, patch);
    if (other != nullptr && other->all<ScaledTable>().front().scale.centre == centre) {
      return patch;
    }
  }
  return nullptr;
}

GrowthEdits other_centres(const GrowthSubject& subject) {
  const auto measured = measurement_of(subject);
  if (!measured) {
    return {};
  }
  const auto declared = measured->declared->centre;
  GrowthEdits edits;
  std::set<std::int64_t> seen{declared};
  const auto add = [&](std::int64_t centre, double bits) {
    if (seen.insert(centre).second) {
      edits.push_back(with_both(fmt::format("nothing is scaled at position {}, not at {}", centre, declared),
                                bits, growth_order::centre, centre_patch(subject.encoding(), centre),
                                [centre](GrowthModel::Edit& edit) { edit.centre = centre; }));
    }
  };
  add(0, flag_bits + 1);
  add(declared + 1, variant_bits);
  add(declared - 1, variant_bits);
  add(-declared, variant_bits);
  const double found = measured->centre();
  constexpr double farthest = 0x1p31;
  if (std::fabs(found) < farthest) {
    const auto nearest = std::llround(found);
    for (const std::int64_t by : {0, 1, -1, 2, -2}) {
      add(nearest + by, variant_bits + integer_bits(nearest + by));
    }
  }
  return edits;
}

GrowthEdits other_bases(const GrowthSubject& subject) {
  const auto measured = measurement_of(subject);
  if (!measured) {
    return {};
  }
  const auto& declared = measured->declared->base;
  GrowthEdits edits;
  std::set<std::string> seen{to_string(declared)};
  const auto add = [&](const std::string& text, double bits) {
    const auto base = parse_rational(text);
    if (base && *base > 0 && seen.insert(to_string(*base)).second) {
      edits.push_back(
          with_both(fmt::format("the scale base is {}, not {}", to_string(*base), to_string(declared)), bits,
                    growth_order::base, replacement("scale_base", approximately(*base)),
                    [base = *base](GrowthModel::Edit& edit) { edit.base = base; }));
    }
  };
  add("512", flag_bits + 1);
  const double found = measured->log_ratio() / measured->line.growth;
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
  return edits;
}

GrowthEdits other_operands(const GrowthSubject& subject) {
  GrowthEdits edits;
  const auto add = [&](std::string_view sentence, double bits, bool queries, bool keys) {
    edits.push_back(
        {{nullptr, std::string(sentence)}, bits, growth_order::operands, [queries, keys](GrowthModel& model) {
           model.queries.is_inverted = queries;
           model.keys.is_inverted = keys;
         }});
  };
  const bool has_queries = subject.declared(ScaledOperand::queries) != nullptr;
  const bool has_keys = subject.declared(ScaledOperand::keys) != nullptr;
  if (has_keys) {
    add("keys are scaled as queries are, not by the reciprocal", flag_bits, false, true);
  }
  if (has_queries) {
    add("queries are scaled as keys should be", flag_bits, true, false);
  }
  if (has_keys && has_queries) {
    add("the scales of queries and of keys are exchanged", flag_bits, true, true);
  }
  return edits;
}

GrowthEdits missing_scales(const GrowthSubject& subject) {
  GrowthEdits edits;
  const auto add = [&](std::string sentence, double bits, bool queries, bool keys) {
    edits.push_back(
        {{nullptr, std::move(sentence)}, bits, growth_order::operands, [queries, keys](GrowthModel& model) {
           model.queries.is_missing = queries;
           model.keys.is_missing = keys;
         }});
  };
  add("the scale is left out", flag_bits, true, true);
  if (!subject.is_of_vectors()) {
    for (const auto operand : both) {
      if (subject.declared(operand) != nullptr) {
        const bool is_keys = operand == ScaledOperand::keys;
        add(fmt::format("the scale of the {} is left out", name_of(operand)), flag_bits + 1, !is_keys,
            is_keys);
      }
    }
  }
  return edits;
}

/// z = (2i/d + g)/(1 + g), with another g than 0.4.
GrowthEdits other_ratios(const GrowthSubject& subject) {
  const auto measured = measurement_of(subject);
  if (!measured) {
    return {};
  }
  const double logarithm = measured->line.growth * approximately(measured->declared->base) *
                           (measured->declared->is_reciprocal ? -1 : 1);
  const double least = std::exp(logarithm);
  const double found = least / (1 - least);
  GrowthEdits edits;
  if (!(found > 0) || !std::isfinite(found)) {
    return edits;
  }
  constexpr int most_digits = 3;
  const auto pairs = static_cast<int>(measured->declared->ratios.size());
  for (const auto& decimal : short_decimals(found, most_digits)) {
    const auto offset = parse_rational(decimal.text);
    if (!offset || *offset == Rational(2, 5)) {
      continue;
    }
    std::vector<Rational> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
      ratios.push_back((Rational(pair, pairs) + *offset) / (1 + *offset));
    }
    edits.push_back(with_both(fmt::format("scales start from {}, not from 0.4", decimal.text),
                              decimal_bits(decimal.digits) + flag_bits, growth_order::ratio, nullptr,
                              [ratios](GrowthModel::Edit& edit) { edit.ratios = ratios; }));
  }
  return edits;
}

GrowthEdits offsets(const GrowthSubject& subject) {
  std::set<std::int64_t> candidates{1, -1, 2, -2};
  const auto measured = measurement_of(subject);
  if (measured) {
    const double found = static_cast<double>(measured->declared->centre) - measured->centre();
    constexpr double farthest = 0x1p31;
    if (std::fabs(found) < farthest) {
      const auto nearest = std::llround(found);
      candidates.insert({nearest, nearest + 1, nearest - 1});
    }
  }
  candidates.erase(0);
  GrowthEdits edits;
  for (const auto offset : candidates) {
    const auto by = std::abs(offset);
    edits.push_back({{nullptr, fmt::format("positions are {} by {}", offset > 0 ? "larger" : "smaller", by)},
                     by == 1 ? variant_bits : variant_bits + integer_bits(by),
                     growth_order::offset,
                     [offset](GrowthModel& model) { model.offset = offset; }});
  }
  return edits;
}

GrowthEdits other_frequencies(const GrowthSubject& subject) {
  GrowthEdits edits;
  const auto declared = subject.encoding().spec()["rope_theta"];
  for (const std::int64_t base : {10000, 500000, 1000000}) {
    auto patch = replacement("rope_theta", base);
    const std::shared_ptr<const Encoding> other = patched(subject.encoding(), patch);
    if (declared != base && other != nullptr) {
      edits.push_back(
          {{nullptr, fmt::format("the base is {}, not {}", base, declared.dump()), std::move(patch)},
           listed_bits,
           growth_order::turns,
           [other](GrowthModel& model) { model.turns = other; }});
    }
  }
  return edits;
}

constexpr std::string_view decay =
    "The product of the scales of a query and a key does not fall with their distance as it was trained to.";

constexpr std::array<GrowthFault, 5> growth_faults{{
    {{"amplitude/growth-centre", Stage::amplitude, "another centre of the scale",
      "Scores are the same if queries and keys have one centre; beside a cache that was made with another, "
      "and "
      "in narrow formats, which numbers far from the centre overflow, they are not.",
      "Libraries have the centre at 0 or in the middle of a length, rounded down or up: declare it as "
      "\"centre\" and \"sequence_length\"."},
     other_centres},
    {{"amplitude/growth-base", Stage::amplitude, "another scale base", decay,
      "If it is intended, declare \"scale_base\"."},
     other_bases},
    {{"amplitude/growth-keys", Stage::amplitude, "the scale of the other operand",
      "Scores grow with the positions themselves instead of falling with their distance.",
      "Queries are multiplied by the scale, keys by its reciprocal."},
     other_operands},
    {{"amplitude/growth-missing", Stage::amplitude, "the scale left out", decay,
      "Look at whether sines and cosines are multiplied by the scale, in both paths."},
     missing_scales},
    {{"amplitude/growth-ratio", Stage::amplitude, "scales that start from another number", decay,
      "The scale of a pair is (2i/d + 0.4)/1.4 to the power of the position."},
     other_ratios},
}};

/// Edits of a kind that other tensors have too.
void append(const GrowthSubject& subject, std::string_view id, GrowthEdits (*propose)(const GrowthSubject&),
            GrowthEdits& edits) {
  for (auto& edit : propose(subject)) {
    edit.finding.kind = fault_kind_named(id);
    edits.push_back(std::move(edit));
  }
}

}  // namespace

FaultKinds growth_kinds() {
  return kinds_of(growth_faults);
}

GrowthEdits growth_edits(const GrowthSubject& subject) {
  GrowthEdits edits;
  append_edits(growth_faults, subject, edits);
  append(subject, "position/offset", offsets, edits);
  append(subject, "frequency/base", other_frequencies, edits);
  return edits;
}

}  // namespace vernier
