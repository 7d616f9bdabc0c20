#include "reports/measures/kill_matrix/naming.hpp"

#include <algorithm>

namespace vernier::kill_matrix {
namespace {

/// What findings without an explanation are called.
constexpr std::string_view no_name = "unexplained";

bool names(std::string_view id, const PlantedFault& fault) {
  return std::ranges::find(fault.names, id) != fault.names.end();
}

bool is_told(const PlantedFault& fault, std::span<const std::string_view> told) {
  return std::ranges::any_of(told, [&](std::string_view id) { return names(id, fault); });
}

}  // namespace

std::vector<std::string_view> told_ids(std::span<const Diagnosis> diagnosis) {
  std::vector<std::string_view> ids;
  for (const auto& one : diagnosis) {
    if (!one.is_explained()) {
      continue;
    }
    for (const auto& finding : one.explanations.front().findings) {
      const std::string_view id = finding.kind->id;
      if (id != no_name && std::ranges::find(ids, id) == ids.end()) {
        ids.push_back(id);
      }
    }
  }
  return ids;
}

std::vector<std::string_view> untrue_ids(std::span<const std::string_view> told,
                                         std::span<const PlantedFault> faults) {
  std::vector<std::string_view> untrue;
  std::ranges::copy_if(told, std::back_inserter(untrue), [&](std::string_view id) {
    return std::ranges::none_of(faults, [&](const PlantedFault& fault) { return names(id, fault); });
  });
  return untrue;
}

namespace {

/// Whether an explanation that is told, first or as equally likely, says nothing but what was planted.
bool tells_the_truth(const Diagnosis& diagnosis, std::span<const PlantedFault> faults) {
  return !diagnosis.is_explained() ||
         std::ranges::any_of(diagnosis.explanations, [&](const Explanation& explanation) {
           std::vector<std::string_view> ids;
           for (const auto& finding : explanation.findings) {
             if (finding.kind->id != no_name) {
               ids.push_back(finding.kind->id);
             }
           }
           return untrue_ids(ids, faults).empty();
         });
}

}  // namespace

Naming naming_of(std::span<const Diagnosis> diagnosis, std::span<const PlantedFault> faults) {
  const auto told = told_ids(diagnosis);
  if (told.empty()) {
    return Naming::unexplained;
  }
  if (!untrue_ids(told, faults).empty()) {
    const bool is_among_equals =
        std::ranges::all_of(diagnosis, [&](const Diagnosis& one) { return tells_the_truth(one, faults); });
    return is_among_equals ? Naming::in_part : Naming::falsely_named;
  }
  const bool all_told =
      std::ranges::all_of(faults, [&](const PlantedFault& fault) { return is_told(fault, told); });
  const bool all_explained = std::ranges::all_of(diagnosis, [](const Diagnosis& one) {
    return one.is_explained() && one.explanations.front().findings.front().kind->id != no_name;
  });
  return all_told && all_explained ? Naming::named : Naming::in_part;
}

}  // namespace vernier::kill_matrix
