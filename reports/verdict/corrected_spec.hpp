#pragma once

#include <string>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A spec with what was found in it.
struct CorrectedSpec {
  OrderedJson spec = nullptr;  ///< with all defaults; null if no spec is known that the tensors agree with
  /// Why there is none, or what the tensors have beside it that is no matter of a spec. May be empty.
  std::string remark = {};
};

/// The spec of the verdict after the edits of the likeliest explanation.
CorrectedSpec corrected_spec(const Verdict& verdict);

}  // namespace vernier
