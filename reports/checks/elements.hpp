#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "numerics/contract.hpp"
#include "numerics/elementwise_report.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// Names and values that tell where something is: {"row", "12"}.
using Described = std::vector<std::pair<std::string, std::string>>;

/// The check of a tensor whose elements were judged one by one against a contract: what was required, the
/// first failing or else the worst element, and what follows from all.
/// \param place tells where the element of an index is
Check elementwise_check(std::string id, const Contract& contract, Format stored,
                        const ElementwiseReport& report,
                        const std::function<Described(std::size_t index)>& place);

}  // namespace vernier
