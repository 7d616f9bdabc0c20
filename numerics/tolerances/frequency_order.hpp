#pragma once

#include <optional>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"

namespace vernier {

/// The named recipes (recipes()), and behind them those that orders of operations (program/ways.cpp) are by
/// themselves: each in float32 and in float64, all else plain, as "float32:exp2", unless it has a name. Its
/// contract is the first of that format that its phases keep; an order that keeps none is no recipe.
std::span<const Recipe> every_recipe();

/// The orders of operations by which programs that keep a contract compute frequencies b^(-i step), by any
/// library good to one ulp. \param recipe of which only its own, or null. Nothing where only the contract
/// says what they may be off by: of frequencies that descend from 1 in no geometric progression, of recipes
/// that round them further.
std::optional<program::Program> frequency_orders(const Frequencies& frequencies, const Contract& contract,
                                                 const Recipe* recipe = nullptr);

/// The contract bound to a table as Contract::bind() does, of some orders of operations: with the relative
/// error that these can give each frequency, where that is known.
///
/// What programs reach (reach.hpp) some honest library attains. A contract's own bound holds for orders that
/// nobody listed and measures each rounding by u, not by half an ulp of the number at hand, and is greater by
/// up to a factor of two.
BudgetModel bind_orders(const Contract& contract, const TrigTable& table, Format stored,
                        const std::optional<program::Program>& orders);

}  // namespace vernier
