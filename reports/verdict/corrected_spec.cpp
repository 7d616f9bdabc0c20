#include "reports/verdict/corrected_spec.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The operations of all edits, each once, and the findings that have none.
struct Edits {
  OrderedJson operations = OrderedJson::array();
  std::vector<std::string> beside = {};
  bool contradictory = false;  ///< tensors of one case agree with different specs
};

void add_edit(Edits& edits, const OrderedJson& operation) {
  const auto same_path = std::ranges::find_if(
      edits.operations, [&](const OrderedJson& other) { return other.at("path") == operation.at("path"); });
  if (same_path == edits.operations.end()) {
    edits.operations.push_back(operation);
  } else if (*same_path != operation) {
    edits.contradictory = true;
  }
}

Edits edits_of(const Verdict& verdict) {
  Edits edits;
  for (const auto& diagnosis : verdict.diagnosis) {
    for (const auto& finding : diagnosis.explanations.front().findings) {
      if (finding.edit.is_null()) {
        edits.beside.push_back(finding.sentence);
        continue;
      }
      for (const auto& operation : finding.edit) {
        add_edit(edits, operation);
      }
    }
  }
  return edits;
}

}  // namespace

CorrectedSpec corrected_spec(const Verdict& verdict) {
  if (verdict.diagnosis.empty()) {
    return {.remark = outcome(verdict) == Conclusion::conforms
                          ? "the tensors conform, so the spec needs no edit"
                          : "nothing was found in the tensors that an edit of the spec could mend"};
  }
  if (!std::ranges::all_of(verdict.diagnosis, &Diagnosis::is_explained)) {
    return {.remark = "no spec is known that the tensors agree with: what is wrong with them is unexplained"};
  }
  const auto edits = edits_of(verdict);
  const auto beside = joined(edits.beside, " and ");
  if (edits.contradictory) {
    return {.remark = "the tensors agree with different specs: " + sentence_of(verdict)};
  }
  if (edits.operations.empty()) {
    return {.remark = "no edit of the spec is known that mends this: " + beside};
  }
  try {
    const auto text = verdict.spec.patch(edits.operations).dump();
    return {.spec = parse_spec(text, "the edited spec")->spec(),
            .remark = beside.empty() ? "" : "beside this spec, and no matter of it: " + beside};
  } catch (const OrderedJson::exception& error) {
    return {.remark = fmt::format("the edits do not fit the spec ({})", error.what())};
  } catch (const InputError& error) {
    return {.remark = error.what()};
  }
}

}  // namespace vernier
