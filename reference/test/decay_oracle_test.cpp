// The decay integrals again in Arb: by its cosine and sine integrals and its confluent hypergeometric
// function, and by its rigorous quadrature, which knows no closed form at all.

#include <array>
#include <string>

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <gtest/gtest.h>
#include <mpfi.h>

#include "reference/decay/theta_family.hpp"

namespace vernier {
namespace {

constexpr slong decay_oracle_bits = 160;

class ComplexBall {
 public:
  ComplexBall() { acb_init(value_); }
  ComplexBall(const ComplexBall&) = delete;
  ComplexBall& operator=(const ComplexBall&) = delete;
  ~ComplexBall() { acb_clear(value_); }
  acb_struct* get() { return value_; }

 private:
  acb_t value_;
};

void set_fraction(arb_t out, const Rational& value) {
  fmpq_t fraction;
  fmpq_init(fraction);
  ASSERT_EQ(fmpq_set_str(fraction, value.str().c_str(), 10), 0);
  arb_set_fmpq(out, fraction, 2 * decay_oracle_bits);
  fmpq_clear(fraction);
}

bool overlaps(const Interval& ours, const arb_t theirs) {
  const auto* ends = ours.backend().data();
  arb_t ball;
  arb_init(ball);
  arb_set_interval_mpfr(ball, &ends->left, &ends->right, 4 * decay_oracle_bits);
  const bool result = arb_overlaps(ball, theirs) != 0;
  arb_clear(ball);
  return result;
}

/// Both enclosures are narrow, and they overlap.
void expect_same(const ComplexInterval& ours, ComplexBall& theirs, const std::string& where) {
  const double narrow = 0x1p-90;
  EXPECT_LT(radius(ours.real), narrow) << where;
  EXPECT_LT(radius(ours.imaginary), narrow) << where;
  EXPECT_GT(acb_rel_accuracy_bits(theirs.get()), 80) << where;
  EXPECT_TRUE(overlaps(ours.real, acb_realref(theirs.get()))) << where;
  EXPECT_TRUE(overlaps(ours.imaginary, acb_imagref(theirs.get()))) << where;
}

const std::array<Rational, 12>& arguments() {
  static const std::array<Rational, 12> values{
      Rational(1, 1000), Rational(1, 2), 1, 10, 64, 99, 101, 128, 1000, 31416, 100000, 1000000};
  return values;
}

/// ([Ci(x) - Ci(x/c)] + i [Si(x) - Si(x/c)]) / ln c in Arb.
void closed_form(ComplexBall& result, const Rational& base, const Rational& x) {
  arb_t fast, slow, part;
  arb_init(fast);
  arb_init(slow);
  arb_init(part);
  set_fraction(fast, x);
  set_fraction(slow, Rational(x / base));
  arb_hypgeom_ci(acb_realref(result.get()), fast, decay_oracle_bits);
  arb_hypgeom_si(acb_imagref(result.get()), fast, decay_oracle_bits);
  arb_hypgeom_ci(part, slow, decay_oracle_bits);
  arb_sub(acb_realref(result.get()), acb_realref(result.get()), part, decay_oracle_bits);
  arb_hypgeom_si(part, slow, decay_oracle_bits);
  arb_sub(acb_imagref(result.get()), acb_imagref(result.get()), part, decay_oracle_bits);
  set_fraction(part, base);
  arb_log(part, part, decay_oracle_bits);
  acb_div_arb(result.get(), result.get(), part, decay_oracle_bits);
  arb_clear(fast);
  arb_clear(slow);
  arb_clear(part);
}

TEST(DecayOracle, ExponentialFamiliesEqualArbsCosineAndSineIntegrals) {
  for (const Rational& base : {Rational(10000), Rational(1000), Rational(3, 2)}) {
    for (const auto& x : arguments()) {
      ComplexBall theirs;
      closed_form(theirs, base, x);
      const WorkingPrecision precision(128);
      expect_same(exponential_family(base).mean_rotation(enclose(x)), theirs,
                  base.str() + ", x = " + x.str());
    }
  }
}

/// The mean over t^alpha is 1F1(s; s + 1; i x) with s = 1 / alpha.
TEST(DecayOracle, PowerFamiliesEqualArbsConfluentFunction) {
  for (const Rational& alpha : {Rational(1, 2), Rational(1), Rational(2), Rational(7, 5), Rational(1, 9)}) {
    for (const auto& x : arguments()) {
      ComplexBall theirs, first, second, argument;
      set_fraction(acb_realref(first.get()), Rational(1 / alpha));
      acb_add_ui(second.get(), first.get(), 1, 2 * decay_oracle_bits);
      set_fraction(acb_imagref(argument.get()), x);
      acb_hypgeom_m(theirs.get(), first.get(), second.get(), argument.get(), 0, decay_oracle_bits);
      const WorkingPrecision precision(128);
      expect_same(power_family(alpha).mean_rotation(enclose(x)), theirs,
                  std::string("t^") + alpha.str() + ", x = " + x.str());
    }
  }
}

/// What Arb's quadrature integrates over t: exp(i x base^-t), or exp(i x t^2) where there is no base.
struct Integrand {
  double x;
  double base;
};

int integrand(acb_ptr out, const acb_t t, void* parameters, slong /*order*/, slong precision) {
  const auto& [x, base] = *static_cast<const Integrand*>(parameters);
  if (base == 0) {
    acb_mul(out, t, t, precision);
  } else {
    ComplexBall logarithm;
    acb_set_d(logarithm.get(), base);
    acb_log(logarithm.get(), logarithm.get(), precision);
    acb_mul(out, t, logarithm.get(), precision);
    acb_neg(out, out);
    acb_exp(out, out, precision);
  }
  ComplexBall factor;
  acb_set_d_d(factor.get(), 0, x);
  acb_mul(out, out, factor.get(), precision);
  acb_exp(out, out, precision);
  return 0;
}

TEST(DecayOracle, BothEqualArbsQuadrature) {
  for (const double x : {1.0, 10.0, 128.0, 1000.0}) {
    for (const double base : {10000.0, 0.0}) {
      Integrand parameters{x, base};
      ComplexBall theirs, from, to;
      acb_set_ui(to.get(), 1);
      mag_t tolerance;
      mag_init(tolerance);
      mag_set_ui_2exp_si(tolerance, 1, -110);
      acb_calc_integrate(theirs.get(), integrand, &parameters, from.get(), to.get(), 110, tolerance, nullptr,
                         decay_oracle_bits);
      mag_clear(tolerance);
      const WorkingPrecision precision(128);
      const auto family = base == 0 ? power_family(2) : exponential_family(exact_rational(base));
      expect_same(family.mean_rotation(enclose(x)), theirs, family.name + ", x = " + std::to_string(x));
    }
  }
}

}  // namespace
}  // namespace vernier
