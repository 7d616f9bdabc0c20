#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/artefacts/gguf.hpp"
#include "numerics/artefacts/onnx.hpp"
#include "numerics/artefacts/stored_tensor.hpp"
#include "reports/inspection/inspection.hpp"

// What each kind of file adds to an inspection.

namespace vernier {

/// \param key the file's own
template <class... Parts>
void add_finding(std::vector<InspectionFinding>& findings, const std::string& key,
                 fmt::format_string<Parts...> sentence, Parts&&... parts) {
  findings.push_back({fmt::format(sentence, std::forward<Parts>(parts)...), key});
}

/// Adds those of keys that have none so far.
void add_new_keys(std::span<const InspectionFinding> found, std::vector<InspectionFinding>& findings);

void inspect_gguf(const Gguf& file, const Expectation& expected, Inspection& inspection);
void inspect_onnx(const Onnx& file, const Expectation& expected, Inspection& inspection);

/// A remark for each reason why elements cannot be had, with the first tensor that it holds for.
void tell_obstacles(std::span<const StoredTensor> tensors, Inspection& inspection);

/// Frequencies, tables of cosines and sines, and trained positions among the tensors of a file.
void inspect_tensors(std::span<const StoredTensor> tensors, const Expectation& expected,
                     Inspection& inspection);

/// A pair of tables. \throws InputError for none that a spec of `expected` has
void inspect_tables(const StoredTensor& cosines, const StoredTensor& sines, const Expectation& expected,
                    Inspection& inspection);

}  // namespace vernier
