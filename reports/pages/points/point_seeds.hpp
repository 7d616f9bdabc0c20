#pragma once

#include <span>

#include "reports/html/template.hpp"
#include "reports/pages/models/configuration.hpp"

namespace vernier {

/// A configuration whose points a reader can try, and the table of its cosines.
struct TriedConfiguration {
  Configuration configuration;
  TrigTable table;
  std::optional<std::int64_t> sequence_length;  ///< positions from it on have no meaning
};

/// Those of all configurations that have one table of cosines.
std::vector<TriedConfiguration> tried_configurations(const std::vector<Configuration>& all);

/// From what a page computes points (web/points.mjs): the frequencies and amplitude of each rotation to so
/// many decimal places, proved; what each recipe makes phases from; and of each configuration the place of
/// the worst element of its usual table.
Json point_seeds(std::span<const TriedConfiguration> configurations);

}  // namespace vernier
