#pragma once

#include <string>
#include <string_view>

#include "numerics/cases/case.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

inline constexpr std::string_view positions_role = "positions";
inline constexpr std::string_view buckets_role = "buckets";
inline constexpr std::string_view relative_positions_role = "relative_positions";
inline constexpr std::string_view input_role = "input";
inline constexpr std::string_view rotated_role = "rotated";
inline constexpr std::string_view keys_input_role = "input_k";
inline constexpr std::string_view rotated_keys_role = "rotated_k";

/// Whether a contract says anything of some kind of tensor.
using ContractApplies = bool (*)(const Contract& contract);

/// \throws InputError if the case names a contract that does not exist
void require_known_contract(const CaseInput& parts);

/// \throws InputError: the encoding has no such tensor
[[noreturn]] void refuse_role(const Encoding& encoding, std::string_view role, const std::string& source);

/// \name Tensors as what they claim to hold
/// Each finds, among what the encoding defines for the role, that which has the tensor's width, and the
/// contract that the tensor is held to. \throws InputError for a tensor of another shape or type, and for a
/// contract that says nothing of such tensors
/// Leading dimensions become rows: the tensors are [rows, columns].
/// @{
TableTensor fit_table(const CaseInput& parts, const Encoding& encoding, const std::string& role,
                      const NamedTensor& named);
StreamedTensor fit_streamed(const CaseInput& parts, const Encoding& encoding, const StreamedTables& streamed,
                            const std::string& role, const NamedTensor& named);
BiasTensor fit_bias(const CaseInput& parts, BiasTable table, const NamedTensor& named);
ValueTensor fit_values(const CaseInput& parts, const Encoding& encoding, ValueTable table,
                       const NamedTensor& named);
ScaledTensor fit_scaled(const CaseInput& parts, const Encoding& encoding, const std::string& role,
                        const NamedTensor& named);
/// The input and what was made of it, positions left out. Keys have an input of their own, or that of the
/// queries. \param role rotated or rotated_k
RotatedTensor fit_rotated(const CaseInput& parts, const Encoding& encoding, const NamedTensor& rotated,
                          const std::string& role);
/// Checks that vectors before a rotation have some that were rotated. \param role input or input_k
void require_rotated(const CaseInput& parts, const std::string& role);
/// \pre the case has a tensor of the role buckets
BucketTensor fit_buckets(const CaseInput& parts, const Encoding& encoding);
/// @}

}  // namespace vernier
