#pragma once

#include <span>
#include <string>
#include <string_view>

#include "numerics/tensors/case.hpp"

namespace vernier {

inline constexpr std::string_view positions_role = "positions";
inline constexpr std::string_view relative_positions_role = "relative_positions";

/// \throws InputError if the case names a contract that does not exist
void require_known_contract(const CaseInput& parts);

/// Whether a tensor is only what others are judged by: positions, vectors before their rotation.
/// \throws InputError unless those others are there
bool is_accompanying(const CaseInput& parts, std::string_view role);

/// Adds the tensor of a role as what it claims to hold: among the definitions of that role the one that has
/// its width, with the contract that it is held to. Leading dimensions become rows: tables are [rows,
/// columns]. What is made of keys has an input of its own, or that of the queries. Positions of vectors are
/// left out. \param definitions of the encoding, for rows with positions like those of the case
/// \throws InputError for a tensor of no definition's role, of another shape or type, and for a contract that
/// says nothing of it
void add_fitted(CaseTensors& tensors, const CaseInput& parts, const Encoding& encoding,
                std::span<const TensorDefinition> definitions, const std::string& role,
                const NamedTensor& named);

}  // namespace vernier
