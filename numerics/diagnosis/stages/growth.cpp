// What may be wrong with scales of the position.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/computation/spec_changes.hpp"
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

using Operands = std::set<ScaledOperand>;

bool are_scaled(const KindEdits& edits) {
  return !edits.base.growth.empty();
}

/// The base with the scales that a spec has.
std::optional<Computation> with_scales_of(const Computation& base, const Encoding* other) {
  const auto* table = other == nullptr ? nullptr : other->first<TurnedTable>(&TurnedTable::scale);
  if (table == nullptr) {
    return std::nullopt;
  }
  auto result = base;
  for (auto& growth : result.growth) {
    if (growth != nullptr && growth->scale().ratios.size() == table->scale->ratios.size()) {
      auto scale = *table->scale;
      scale.is_reciprocal = growth->scale().is_reciprocal;
      growth = growth->with(std::move(scale));
    }
  }
  return result;
}

/// How far the elements of some rows are from those of a computation, relative to their size.
double misfit_of_scales(const Suspect& suspect, const Computation& computation) {
  constexpr std::size_t looked_at = 8;
  constexpr double greatest_share = 1;
  const Predictor predictor(suspect, computation);
  double sum = 0;
  for (const auto row : spread_rows(suspect.rows(), looked_at)) {
    predictor.visit(row, [&](const PredictedElement& one) {
      const double error =
          std::fabs(one.got - one.predicted) / (std::fabs(one.got) + std::fabs(one.predicted));
      sum += std::isfinite(error) ? std::min(error, greatest_share) : 0;
    });
  }
  return sum;
}

/// Keys of the spec that say how scales grow, with the values that they have elsewhere, and numbers of theirs
/// that are fitted to the elements.
void propose_other_scales(const KindEdits& edits) {
  if (!are_scaled(edits)) {
    return;
  }
  const auto& encoding = edits.suspect.encoding();
  const auto misfit_of = [&](const OrderedJson& spec) {
    const auto other = with_scales_of(edits.base, encoding_of(spec).get());
    return other ? misfit_of_scales(edits.suspect, *other) : std::numeric_limits<double>::infinity();
  };
  const auto spec = encoding.spec();
  const double declared_misfit = misfit_of(spec);
  auto changes = fitted_changes(encoding, misfit_of, [&](std::string_view path) {
    // Where nothing else is wrong with scales, what is a little smaller and what is a little larger are both
    // farther off: then a fit, which takes its time, would find the number that is there.
    const auto is_nearer = [&](double by) {
      const auto number = spec.at(path).get<double>() + by;
      return misfit_of(patched_spec(spec, replacement(path, number))) < declared_misfit;
    };
    const bool is_of_scales = path == "scale_base" || path == "sequence_length";
    return is_of_scales && (is_nearer(-2) || is_nearer(2));
  });
  std::ranges::move(choice_changes(encoding), std::back_inserter(changes));
  for (const auto& change : changes) {
    const auto& id = change.finding.kind->id;
    const auto other = with_scales_of(edits.base, change.encoding.get());
    if (other && (id == "amplitude/growth-base" || id == "amplitude/growth-centre")) {
      edits.of(id).add(change.finding.sentence, change.bits, setting(&Computation::growth, other->growth),
                       change.finding.edit);
    }
  }
  edits.of("amplitude/growth-centre")
      .add("nothing is scaled at position 0", flag_bits + 1, [](Computation& computation) {
        for (auto& growth : computation.growth) {
          auto scale = growth == nullptr ? PositionScale() : growth->scale();
          scale.centre = 0;
          growth = growth == nullptr ? nullptr : growth->with(std::move(scale));
        }
      });
}

void propose_missing(const KindEdits& edits) {
  const auto propose = [&](std::string_view words, double bits, const Operands& missing) {
    edits.add(fmt::format("the scale {}is left out", words), bits, [&](Computation& computation) {
      for (std::size_t t = 0; t < computation.growth.size(); ++t) {
        auto& growth = computation.growth[t];
        growth = missing.contains(operand_of(edits.suspect, t)) ? nullptr : growth;
      }
    });
  };
  if (are_scaled(edits)) {
    propose("", flag_bits, {ScaledOperand::queries, ScaledOperand::keys});
  }
  if (are_scaled(edits) && edits.suspect.vectors() == nullptr) {
    propose("of the queries ", flag_bits + 1, {ScaledOperand::queries});
    propose("of the keys ", flag_bits + 1, {ScaledOperand::keys});
  }
}

void propose_operands(const KindEdits& edits) {
  if (!are_scaled(edits) || edits.suspect.has_operation()) {
    return;
  }
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
          {"amplitude/growth-missing", propose_missing},
          {"amplitude/growth-base", propose_other_scales}};
}

}  // namespace vernier
