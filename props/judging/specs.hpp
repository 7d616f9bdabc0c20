#pragma once

#include <string>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The encoding of a spec written as JSON, as a stranger would ask for it.
std::unique_ptr<Encoding> encoding_of(const std::string& spec);

}  // namespace vernier
