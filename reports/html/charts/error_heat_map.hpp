#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "numerics/errors/error_map.hpp"
#include "reports/html/charts/chart.hpp"

namespace vernier {

/// An element that a heat map of errors points out.
struct ElementOnMap {
  std::int64_t position;
  int pair;
};

/// How much of their budgets errors use, by pair and octave of positions, drawn for half the width of a page:
/// a line goes round the cells that hold an element beyond its budget.
/// \param map with an element at least \param title what it is of \param story one or more sentences, the
/// first and the worst element named \param first marked by a square \param worst marked by a ring
Figure error_heat_map(std::string id, std::string title, const std::string& story, const ErrorMap& map,
                      const std::optional<ElementOnMap>& first, const std::optional<ElementOnMap>& worst);

}  // namespace vernier
