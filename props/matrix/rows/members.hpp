#pragma once

#include <string>
#include <string_view>

#include "props/matrix/matrix.hpp"
#include "props/specs.hpp"

namespace vernier {

/// A member that is the first table of a spec, scored by dot products.
MatrixMember table_member(const std::string& name, const std::string& spec);
/// A member that is the table of values of a spec. \param trained see ValueCode
MatrixMember value_member(const std::string& name, const std::string& spec, bool trained = false);
/// A member that is the bucket rule of a spec. \param causal whether keys ahead of the query are masked
MatrixMember bucket_member(const std::string& name, const std::string& spec, bool causal);

/// A row for each of the schemes that none of the other rows stands for, of those of its examples that have
/// something to judge: a table of one position, values, buckets or biases.
std::vector<MatrixRow> example_rows(std::span<const Scheme> schemes, std::span<const MatrixRow> others);

}  // namespace vernier
