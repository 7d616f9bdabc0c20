#include "props/literature/facts.hpp"

#include <cassert>

#include "props/broken/broken.hpp"
#include "props/laws/run_law.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {

void Facts::add(bool established, const std::string& sentence) {
  auto& text = established ? told_ : failed_;
  text += (text.empty() ? "" : "; ") + sentence;
}

EvidenceResult Facts::conclude(Ruling finding) const {
  if (!failed_.empty()) {
    return {Ruling::undecided, std::string("not so: ") + failed_};
  }
  return {told_.empty() ? Ruling::undecided : finding, told_};
}

void add_law(Facts& facts, std::string_view law) {
  const auto* found = law_named(law);
  const auto reference = subject_named("reference");
  assert(found != nullptr && reference);
  const auto result = run_law(*found, *reference, options_from_environment());
  facts.add(result.status == CheckStatus::holds,
            "the law {}, {}, holds on the reference in {} of {} random cases conclusively", law,
            found->property->statement, result.conclusive, result.cases);
}

bool vanishes_to_120_bits(const Interval& residual) {
  return contains_zero(residual) && greatest_magnitude(residual) < 0x1p-120;
}

Interval within(double value, double error) {
  return enclose(value) + hull(-error, error);
}

TrigTable paper_table(std::int64_t d, const Rational& base) {
  return SinusoidalSpec{.d_model = d, .base = base}.table();
}

}  // namespace vernier
