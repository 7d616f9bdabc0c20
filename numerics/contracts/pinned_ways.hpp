#pragma once

#include <string>
#include <string_view>

#include "numerics/contracts/arithmetic_stages.hpp"
#include "numerics/contracts/contract.hpp"

namespace vernier {

/// What the contract of an arithmetic begins with: "arithmetic:table=nearest,products=float32-each".
inline constexpr std::string_view arithmetic_contract = "arithmetic:";

/// The ways that a contract pins, with or without its prefix; stages that are free are not there. Its clauses
/// are parted by ';', or by ',' if it has no ';'. A clause is STAGE=WAY in the ids of arithmetic_stages.json,
/// STAGE=WAY@VERSION for a way of a library, or the words of a way as sentence_of() writes them. "products"
/// and "store" are those of y0 and y1. \throws InputError for a stage or a way that there is not, a version
/// that this machine's library has not, and for a stage that is pinned twice; it lists the stages and their
/// ways
ArithmeticWays pinned_ways(std::string_view contract);

/// Whether a computation takes these ways at the stages that both have.
bool takes(const ArithmeticWays& one, const ArithmeticWays& pinned);

/// The contract that pins these ways, with the versions of libraries.
std::string contract_pinning(const ArithmeticWays& pinned);

/// A contract that somebody declares: one of contracts(), or one that pins an arithmetic. The bits of sines
/// and of vectors are then judged; budgets are those of each format's default contract. One text is one
/// contract, which lives as long as the program.
/// \return null for an id that neither is \throws InputError as pinned_ways() does
const Contract* declared_contract(std::string_view id);

}  // namespace vernier
