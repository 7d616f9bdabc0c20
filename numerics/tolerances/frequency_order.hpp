#pragma once

#include <string_view>

#include "numerics/contracts/contract.hpp"

namespace vernier {

/// The order of operations by which frequencies b^(-i step) are computed.
enum class FrequencyOrder {
  contract,          ///< any that the contract lets: its own bound
  any,               ///< one of those of the direct contracts: the next four, or b^(-i step) as one power
  reciprocal_power,  ///< 1 / pow(b, i step)
  exp_log,           ///< exp(-i (ln(b) step)), the product of the logarithm and the step rounded
  rounded,           ///< the exact frequency, rounded once
  iterated,          ///< pow(b, -step), by which the phase is multiplied from pair to pair
  ratio_power,       ///< pow(pow(b, -step), i)
  interpolated       ///< exp((1 - i/(n-1)) L - L), L = ln(1 / the least frequency)
};

/// That of a recipe. \param id "float32-pow"
FrequencyOrder order_of_recipe(std::string_view id);
/// What a contract says of it.
FrequencyOrder order_of_contract(std::string_view id);

/// The order that bind_order() takes: the contract's where frequencies are no powers of a base from 1 on.
FrequencyOrder order_taken(const Frequencies& frequencies, FrequencyOrder order);

/// The contract bound to a table as Contract::bind() does, of one order of operations: with the relative
/// error that this order can give each frequency, where the contract's is more.
///
/// Functions are good to one ulp, so each returns one of the two numbers of the format beside the true value,
/// and all other operations are rounded to nearest. Every step is monotone in what it is given: so the least
/// and the greatest of these results, carried on from step to step, are the least and the greatest frequency
/// that any library gives, and the farther one from b^(-i step) is the bound. Some honest library attains it.
/// A contract's own bound holds for several orders at once and measures each rounding by u, not by half an
/// ulp of the number at hand, and is greater by up to a factor of two.
BudgetModel bind_order(const Contract& contract, const TrigTable& table, Format stored, FrequencyOrder order);

}  // namespace vernier
