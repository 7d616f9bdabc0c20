#include "reports/measures/kill_matrix/mutant.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "reports/measures/rates/honest.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/measures/rates/specimen.hpp"

namespace vernier::kill_matrix {
namespace {

using rates::Design;
using rates::Draw;
using rates::Fault;
using rates::Faulty;

/// \name Streams of draws
/// @{
constexpr std::uint64_t honest_ones = 0;
constexpr std::uint64_t mutants = 1;
/// @}

/// A kind that so many designs cannot have gives way to the next.
constexpr int most_mutant_designs = 500;
/// So many kinds are tried for a second fault.
constexpr int most_seconds = 40;
/// One mutant in so many has two faults.
constexpr int seconds_every = 5;

Design draw_design(const DrawOptions& options, Draw& draw, std::string_view of) {
  return rates::draw_honest(draw, options.longest, options.elements, of);
}

PlantedFault planted_fault(const Fault& kind, const Faulty& faulty) {
  return {&kind, faulty.planted.words, faulty.planted.names.empty() ? kind.names : faulty.planted.names,
          faulty.size.value_or(0)};
}

/// Groups that work on the same numbers, so that the one would undo or hide the other.
std::string_view family_of(const Fault& kind) {
  const auto group = kind.group();
  return group == "scaling" || group == "layout"  ? "frequencies"
         : group == "trigonometry"                ? "phases"
         : group == "values" || group == "damage" ? "storage"
                                                  : group;
}

bool differ(const Design& one, const Design& other, std::uint64_t seed) {
  const auto a = rates::answers_of(one, {}, seed);
  const auto b = rates::answers_of(other, {}, seed);
  return !std::ranges::equal(a, b, [](const Asked& x, const Asked& y) {
    return std::ranges::equal(x.response.tensors, y.response.tensors, [](const auto& s, const auto& t) {
      return std::ranges::equal(s.second.bytes(), t.second.bytes());
    });
  });
}

/// Adds a fault that shows by itself, and beside the first one.
void add_second(Specimen& mutant, Draw& draw) {
  if (mutant.design.frequencies.size() != mutant.honest.frequencies.size()) {
    return;  // parameters are drawn for the pairs that there should be
  }
  for (int attempt = 0; attempt < most_seconds; ++attempt) {
    const auto& kind = *draw.any_of(stored_kinds());
    if (family_of(kind) == family_of(*mutant.faults.front().kind)) {
      continue;
    }
    auto replayed = draw;
    const auto alone = plant_in(kind, mutant.honest, mutant.honest, replayed);
    if (!alone) {
      continue;
    }
    auto both = plant_in(kind, mutant.design, mutant.honest, draw);
    if (both && both->planted.words == alone->planted.words &&
        differ(both->design, mutant.design, mutant.seed) &&
        differ(both->design, alone->design, mutant.seed)) {
      mutant.design = std::move(both->design);
      mutant.honest.doubles_columns = mutant.design.doubles_columns;
      mutant.faults.push_back(planted_fault(kind, *alone));
      return;
    }
  }
}

}  // namespace

const std::vector<const Fault*>& stored_kinds() {
  static const auto all = [] {
    std::vector<const Fault*> kinds;
    for (const auto& fault : rates::faults()) {
      if (fault.shows != rates::Shows::questions) {
        kinds.push_back(&fault);
      }
    }
    return kinds;
  }();
  return all;
}

Specimen draw_mutant(const DrawOptions& options, int index) {
  auto draw = rates::draw_of(options.seed, mutants, index);
  const auto& kinds = stored_kinds();
  for (auto turn = rates::kind_in_turn(index, kinds.size());; ++turn) {
    const auto& kind = *kinds[turn % kinds.size()];
    for (int attempt = 0; attempt < most_mutant_designs; ++attempt) {
      auto honest = draw_design(options, draw, kind.of);
      auto faulty = plant_in(kind, honest, honest, draw);
      if (!faulty) {
        continue;
      }
      auto fault = planted_fault(kind, *faulty);
      honest.doubles_columns = faulty->design.doubles_columns;
      Specimen mutant{
          index,      rates::description_of(honest), std::move(honest), std::move(faulty->design), {},
          draw.bits()};
      mutant.faults.push_back(std::move(fault));
      if (index % seconds_every == seconds_every - 1) {
        add_second(mutant, draw);
      }
      return mutant;
    }
  }
}

Specimen draw_honest_one(const DrawOptions& options, int index) {
  auto draw = rates::draw_of(options.seed, honest_ones, index);
  auto honest = draw_design(options, draw, {});
  auto words = rates::description_of(honest);
  auto design = honest;
  return {index, std::move(words), std::move(honest), std::move(design), {}, draw.bits()};
}

}  // namespace vernier::kill_matrix
