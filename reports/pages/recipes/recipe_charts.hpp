#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "numerics/searches/accuracy_study.hpp"
#include "numerics/searches/field_study.hpp"
#include "reports/html/charts/chart.hpp"

namespace vernier {

/// The share of a recipe's elements by how many ulp of its own format they are off.
Figure ulp_histogram(const std::vector<TableStudy>& tables, std::string_view recipe);

/// Errors of the sines of some pairs with their signs, at positions spread over a table.
Figure signed_errors(const TableStudy& study, const Recipe& recipe);

/// How far a score departs from depending on the offset alone, by the context of each configuration. Nothing
/// where models are not judged with the recipe.
std::optional<Figure> drift_by_context(const std::vector<FieldEncoding>& field, std::string_view recipe);

}  // namespace vernier
