#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/html/template.hpp"
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

/// The page of an implementation, which is that of its library: "implementation-pytorch.html".
std::string implementation_page_file(const std::string& name);

/// What an implementation did on one encoding in one format: a run whose label is its date.
struct RecordedResult : RecordedRun {
  std::string encoding = {};  ///< in words
  std::string stored = {};    ///< the type of its tables
  std::string domain = {};    ///< "131072 positions"

  /// Whether an element is beyond the budget of its contract.
  bool is_broken() const { return conclusion == Conclusion::does_not_conform; }
};

/// The results in the tree, which `make comparisons` records.
const std::vector<RecordedResult>& recorded_results();

/// Fewer libraries are no comparison.
constexpr std::size_t fewest_libraries = 3;

/// "SLEEF" of "SLEEF, functions of 1.0 ulp".
std::string_view library_of(std::string_view implementation);

/// Of how many libraries this run has a result.
std::size_t libraries_measured(const std::vector<ComparedImplementation>& comparison);

/// The matrix of implementations by encoding and format: the recorded results, and beside each what this run
/// measured.
Json recorded_matrix(const std::vector<ComparedImplementation>& live);

/// "2 of 13 implementations broke their contract when they were recorded"
std::string recorded_headline();

}  // namespace vernier
