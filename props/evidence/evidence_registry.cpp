#include <algorithm>

#include "props/evidence/topics.hpp"

namespace vernier {
namespace {

std::vector<Evidence> all_topics() {
  std::vector<Evidence> all;
  for (const auto topic : {
           alternative_evidence, attention_evidence,     bilinear_evidence,
           collision_evidence,   concatenation_evidence, decay_integral_evidence,
           decay_sum_evidence,   dot_product_evidence,   example_evidence,
           figure_evidence,      identity_evidence,      linear_bias_evidence,
           listing_evidence,     recipe_error_evidence,  relative_scheme_evidence,
           return_evidence,      rotary_evidence,        rounded_table_evidence,
           scaling_evidence,     shift_evidence,         sine_only_evidence,
           sinusoid_evidence,    step_evidence,          taylor_evidence,
           uniqueness_evidence,  wavelength_evidence,
       }) {
    const auto some = topic();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace

std::span<const Evidence> evidence() {
  static const auto all = all_topics();
  return all;
}

const Evidence* evidence_named(std::string_view id) {
  const auto found = std::ranges::find(evidence(), id, &Evidence::id);
  return found == evidence().end() ? nullptr : &*found;
}

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::holds:
      return "holds";
    case Finding::conditional:
      return "conditional";
    case Finding::approximate:
      return "approximate";
    case Finding::refuted:
      return "refuted";
    case Finding::undecided:
      break;
  }
  return "undecided";
}

std::string_view name_of(Method method) {
  switch (method) {
    case Method::exact:
      return "exact";
    case Method::interval:
      return "interval";
    case Method::exhaustive:
      return "exhaustive";
    case Method::search:
      break;
  }
  return "search";
}

}  // namespace vernier
