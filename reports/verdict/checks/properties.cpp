#include "reports/verdict/checks/properties.hpp"

#include <fmt/core.h>

#include "numerics/tensors/engine_forms.hpp"
#include "props/judging/property_tally.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/bucket_view.hpp"
#include "props/properties/turn_view.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// What a property finds in a tensor whose scheme has it: its judge is asked of the reference first, and
/// a property that this does not have, or of which the rows asked for say nothing, is not required.
template <class View>
PropertyTally judged_like_reference(void (*judge)(const View&, PropertyTally&), const View& reference,
                                    const View& view) {
  PropertyTally truth;
  judge(reference, truth);
  PropertyTally tally;
  if (truth.failing() == 0 && truth.judged() > 0) {
    judge(view, tally);
  }
  return tally;
}

PropertyTally tally_of_biases(const Property& property, const RowView& biases) {
  return judged_like_reference(property.biases, reference_view(biases), view_of(biases));
}

/// What it finds in all tensors of a case. All turns are by fixed frequencies, which is what properties of
/// them rest on: they are asked of no reference.
PropertyTally tally_of(const Property& property, const AuditedCase& audited) {
  PropertyTally tally;
  for (const auto& viewed : *audited.views) {
    const auto& part = viewed.view.parts().front();
    if (property.buckets != nullptr && part.holds_indices) {
      const auto& rule = *audited.subject.encoding->bucket_rule();
      tally.merge(
          judged_like_reference(property.buckets, reference_view(viewed, rule), view_of(viewed, rule)));
    }
    if (property.biases != nullptr && viewed.has_keys() && part.role != frequencies_role) {
      tally.merge(tally_of_biases(property, viewed.view));
    }
  }
  if (property.turns != nullptr) {
    for (const auto& view : turn_views(*audited.views)) {
      PropertyTally of_view;
      property.turns(view, of_view);
      tally.merge(of_view);
    }
  }
  return tally;
}

constexpr std::string_view why_undecided = "budgets are too large, or elements are not finite";

Check check_of(const Property& property, std::string_view scheme, const PropertyTally& tally) {
  auto check = property_check(property, scheme);
  check.counts = {tally.judged() + tally.undecided(), tally.judged(), tally.failing(), 0};
  const auto compared = counted(tally.judged(), "comparison", "comparisons");
  const auto undecided = tally.undecided() == 0 ? std::string()
                                                : "; " + std::to_string(tally.undecided()) +
                                                      " more are undecided: " + std::string(why_undecided);
  if (tally.judged() == 0) {
    check.status = Status::skipped;
    check.reason = fmt::format("{} undecided: {}",
                               counted(tally.undecided(), "comparison is", "comparisons are"), why_undecided);
    return check;
  }
  check.greatest_budget_ratio = tally.greatest_budget_ratio();
  if (tally.failing() > 0) {
    check.status = Status::fail;
    check.counterexample = tally.counterexample();
    check.reason =
        fmt::format("fails in {} of {}{}: {}", tally.failing(), compared, undecided, property.counterexample);
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("holds in {}{}", compared, undecided);
  }
  return check;
}

void append(const Property& property, std::string_view scheme, const PropertyTally& tally,
            std::vector<Check>& out) {
  if (tally.judged() + tally.undecided() > 0) {
    out.push_back(check_of(property, scheme, tally));
  }
}

}  // namespace

std::string requirement_of(const Property& property) {
  return fmt::format("{}: {} ({})", property.name, property.statement, property.citation);
}

Check property_check(const Property& property, std::string_view scheme) {
  return {.id = fmt::format("property/{}/{}", scheme, property.id), .required = requirement_of(property)};
}

void judge_property(const Property& property, const AuditedCase& audited, std::vector<Check>& out) {
  const auto& subject = audited.subject;
  if (property.id == "constant-norm" && judge_constant_norm_of_tables(audited, out)) {
    return;
  }
  append(property, subject.encoding->scheme(), tally_of(property, audited), out);
}

void judge_property_of_biases(const Property& property, std::string_view scheme, const RowView& biases,
                              std::vector<Check>& out) {
  append(property, scheme, tally_of_biases(property, biases), out);
}

}  // namespace vernier
