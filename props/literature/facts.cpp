#include "props/literature/facts.hpp"

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
