#pragma once

#include <string>

#include "reports/comparisons/run_history.hpp"
#include "reports/interop/comparison.hpp"

namespace vernier {

/// The judgement of an implementation's tables as a history holds it. The case is all that the figures depend
/// on: encoding, format, contract and positions. \param label empty for the implementation's name and version
/// in its own words \pre it has a result
HistoryEntry history_entry(const ComparedImplementation& judged, const std::string& label);

/// Of a list the entries that have a result.
RunHistory history_entries(const std::vector<ComparedImplementation>& list, const std::string& label);

/// The runs of a history that can be compared with a judgement: of its case, on its spec.
RunHistory runs_like(const RunHistory& history, const ComparedImplementation& judged);

}  // namespace vernier
