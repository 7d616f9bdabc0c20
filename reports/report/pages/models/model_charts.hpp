#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/report/pages/models/configuration.hpp"

namespace vernier {

/// Above everything on models: "87 of 226 model configurations have contexts that the usual float32 table
/// cannot serve". Says no more than what was examined shows.
std::string headline_of_models(const std::vector<Configuration>& all);

/// How many the usual table serves to the end, by context length; nothing where one was cut short, or all
/// contexts are of one length.
std::optional<Figure> served_by_context(const std::vector<Configuration>& all);

/// How many of all configurations each recipe serves to the end, of what was examined.
Figure served_by_recipe(const std::vector<FieldEncoding>& field);

/// "0.00772"; "over 1.99" where the search ended there; "not finite".
std::string error_text(const GreatestError& greatest);

}  // namespace vernier
