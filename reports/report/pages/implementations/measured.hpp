#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/implementations/comparison.hpp"

namespace vernier {

using MeasuredEntries = std::vector<const ComparedImplementation*>;

/// All that have a result: those that break their contract first, then the further they carry.
MeasuredEntries measured(const std::vector<ComparedImplementation>& comparison);

/// Whether some element is off by more than the contract allows that it is held to.
bool breaks_contract(const ComparedImplementation& entry);

/// The names of those that do, each once, in order; and of all that were measured.
std::vector<std::string> names_of_breaking(const std::vector<ComparedImplementation>& comparison);
std::vector<std::string> names_of_measured(const std::vector<ComparedImplementation>& comparison);

/// "broken", "kept", or "kept where conclusive".
std::string_view contract_tag(const ComparedImplementation& entry);
/// "bad", "good" or "neutral".
std::string_view contract_class(const ComparedImplementation& entry);

/// "all 131 072", the last usable position, or "none".
std::string reach_text(const ComparedImplementation& entry);

/// What a model sees of it: how far the tables carry, beside those that keep the contract.
std::string meaning_of(const ComparedImplementation& entry,
                       const std::vector<ComparedImplementation>& comparison);

/// How the errors of some grow with the position, of one encoding. Those that grow alike share a line.
Figure growth_figure(const MeasuredEntries& entries, const std::string& id);

/// The page of an implementation: "implementation-pytorch-rotate-half.html".
std::string implementation_page_file(const std::string& name);

}  // namespace vernier
