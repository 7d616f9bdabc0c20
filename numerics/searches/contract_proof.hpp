#pragma once

#include <optional>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe.hpp"
#include "numerics/searches/greatest_error.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

enum class ContractFate { kept, broken, undecided };

/// Whether a recipe keeps a contract at every position from 0 to 2^31 - 1, which is decided without a look at
/// the positions.
struct ContractProof {
  ContractFate fate = ContractFate::undecided;
  double frequency_share = 0;  ///< the greatest error of a frequency, as a share of what is allowed to it
  int pair = 0;                ///< whose it is
  std::optional<ErrorPlace> witness = {};  ///< an element beyond its budget, where the contract is broken
};

/// A recipe keeps a contract (see BudgetModel) if of every cause of error it allows as much as the recipe
/// makes:
///
/// * The frequency that the recipe uses is off by no more than `frequency_error`, which is seen for each
/// pair.
/// * A phase is rounded no more often than `phase_rounding` allows: once, or not at all where the frequency
/// is
///   a power of two; of recursive recipes as often as there are steps, and once where it is divided.
/// * Positions are rounded to formats that hold all numbers of the contract's, so that the nearest of theirs
///   is no farther than the contract's nearest.
/// * The sine is that of a format as precise as the contract's, and off by less than 1 ulp of it: in float32
/// as
///   SingleSineErrors finds, narrower formats round that, in float64 as the C library documents. The contract
///   allows two: the true phase and the one used may have values in neighbouring binades.
/// * The amplitude and its product are rounded in such a format, and so is what is stored, or the contract
///   allows half an ulp for it.
///
/// Where one of these does not hold, an element beyond its budget is looked for at some positions. If none is
/// found, nothing is decided.
ContractProof prove_contract(const Recipe& recipe, const TrigTable& table, Format stored,
                             const Contract& contract);

}  // namespace vernier
