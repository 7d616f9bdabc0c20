#pragma once

#include <string>
#include <string_view>

#include "props/matrix/matrix.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// The encoding of a spec written as JSON.
std::unique_ptr<Encoding> encoding_of(const std::string& spec);

/// A member that is the first table of a spec, scored by dot products.
MatrixMember table_member(const std::string& name, const std::string& spec);
/// A member that is the table of values of a spec. \param trained see ValueCode
MatrixMember value_member(const std::string& name, const std::string& spec, bool trained = false);
/// A member that is the bucket rule of a spec. \param causal whether keys ahead of the query are masked
MatrixMember bucket_member(const std::string& name, const std::string& spec, bool causal);

}  // namespace vernier
