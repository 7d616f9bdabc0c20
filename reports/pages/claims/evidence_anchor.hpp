#pragma once

#include <string>

namespace vernier {

/// The id of a computation on the page of evidence, which HTML and addresses accept: "shift-matrix".
std::string evidence_anchor(const std::string& evidence);

}  // namespace vernier
