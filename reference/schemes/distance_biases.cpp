#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/numbers/powers.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> kind_names{"log", "power"};

/// KERPLE (T.-C. Chi et al., 2022): biases that a head learns the shape of, with d the distance of query and
/// key and b, a, p the head's numbers.
/// log: -b ln(1 + a d^p); the paper has p = 1, NeMo learns it. power: -b d^p.
struct KerpleSpec {
  enum class Kind { log, power };
  struct Head {
    Rational scale;
    Rational a;
    Rational p;
  };

  static constexpr std::string_view scheme = "kerple";

  Kind kind = Kind::log;
  std::vector<Rational> scale;  ///< b of each head
  std::vector<Rational> a;      ///< as many, of log
  std::vector<Rational> p;      ///< as many

  void keys(KeyVisitor& visit) {
    constexpr std::string_view words = "an array of numbers, one a head";
    static const NumberRange exponents{0, 2, "a number greater than 0 and at most 2", true};
    const auto require_all_heads = [&](std::string_view key, const std::vector<Rational>& numbers) {
      visit.require(!numbers.empty(), key, "an array of numbers, one a head, at least one");
      visit.require_all(numbers.size() == scale.size(),
                        fmt::format("{}: found {} numbers, expected {}, as many as scale has", key,
                                    numbers.size(), scale.size()));
    };
    visit.defaulted("kind", kind, one_of(kind_names));
    visit.required("scale", scale,
                   list_of(positive_range(), {.fewest = 1, .has_own_words = true}, std::string(words)));
    require_all_heads("scale", scale);
    const ListCount as_many{scale.size(), scale.size(), true};
    if (kind == Kind::log) {
      visit.fallback(a, std::vector<Rational>(scale.size(), 1));
      visit.defaulted("a", a, list_of(positive_range(), as_many, std::string(words)));
      require_all_heads("a", a);
    }
    visit.fallback(p, std::vector<Rational>(scale.size(), 1));
    visit.defaulted("p", p, list_of(exponents, as_many, std::string(words)));
    require_all_heads("p", p);
  }

  std::string summary() const {
    return fmt::format("KERPLE, {} of the distance, {} heads", kind == Kind::log ? "logarithm" : "power",
                       scale.size());
  }

  std::vector<TensorDefinition> tensors() const;
};

using Head = KerpleSpec::Head;

/// What d^p is off by, in roundings: d, which counts p times; p, which moves the power by p ln d, twice, as
/// its product with a logarithm is rounded too; and the power itself, two. Nothing where p is 1.
double power_roundings(double distance, double p) {
  return p == 1 ? 1 : 2 + p + 2 * p * std::log(distance);
}

/// Beside d^p: b and the product. Of log: a and its product move the argument of the logarithm too, and so
/// does the sum with 1, all of which moves it absolutely; the logarithm is good to 2u of itself.
ComputedReal bias_of(KerpleSpec::Kind kind, const KerpleSpec::Head& head, std::int64_t distance) {
  if (distance == 0) {
    return {[] { return enclose(std::int64_t{0}); }};
  }
  const double d = static_cast<double>(distance);
  const double scale = approximately(head.scale);
  const double p = approximately(head.p);
  const double roundings = power_roundings(d, p);
  if (kind == KerpleSpec::Kind::power) {
    const double value = scale * std::pow(d, p);
    return {rational_power(Rational(distance), head.p, -head.scale), -value,
            [value, roundings](double u) { return value * growth_by(roundings + 2, u); }};
  }
  const double value = scale * std::log1p(approximately(head.a) * std::pow(d, p));
  return {[head, power = rational_power(Rational(distance), head.p, head.a)] {
            return Interval(-enclose(head.scale) * log(1 + power()));
          },
          -value,
          [value, scale, roundings](double u) {
            // What moves the argument by a share moves the logarithm by -ln(1 - share), twice it at most.
            const double of_argument = 2 * growth_by(roundings + 3, u);
            return value * growth_by(4, u) + scale * of_argument * (1 + growth_by(4, u));
          }};
}

std::vector<TensorDefinition> KerpleSpec::tensors() const {
  BiasTable table{"bias", {}, BiasTable::Factor::distance};
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const KerpleSpec::Head head{scale[i], kind == KerpleSpec::Kind::log ? a[i] : Rational(1), p[i]};
    table.curves.emplace_back(
        [of = kind, head](std::int64_t multiplier) { return bias_of(of, head, std::abs(multiplier)); });
  }
  return {std::move(table)};
}

constexpr std::int64_t largest_head_dim = 1024;

/// Sandwich (T.-C. Chi et al., "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field
/// Analysis", 2023): the dot product of two sinusoids at distance d as a bias. With S(d) = sum over j = 1 ..
/// D/2 of cos(d base^(-2j/D)), head h of H, counted from 1, has (S(d) - D/2)/(8 h/H). No frequency is 1, and
/// the last is 1/base.
struct SandwichSpec {
  static constexpr std::string_view scheme = "sandwich";

  std::int64_t num_heads = 1;
  std::int64_t head_dim = 2;  ///< D
  Rational base = 10000;

  void keys(KeyVisitor& visit) {
    visit.required("num_heads", num_heads, integer(1, most_heads));
    visit.required("head_dim", head_dim, integer(2, largest_head_dim));
    visit.require(head_dim % 2 == 0, "head_dim", "an even number");
    visit.defaulted("base", base, number(base_range()));
  }

  std::string summary() const {
    return fmt::format("Sandwich, {} heads, head_dim {}, base {}", num_heads, head_dim, to_string(base));
  }

  std::vector<TensorDefinition> tensors() const;
};

/// S(d) - D/2, which all heads share.
class Sums {
 public:
  explicit Sums(const SandwichSpec& spec) {
    for (std::int64_t j = 1; j <= spec.head_dim / 2; ++j) {
      const Rational exponent(-2 * j, spec.head_dim);
      frequencies_.push_back(rational_power(spec.base, exponent));
      approximate_.push_back(std::pow(approximately(spec.base), approximately(exponent)));
      const double w = approximate_.back();
      phase_error_ += w * (4 * std::fabs(std::log(w)) + 4);
    }
  }

  Interval at(std::int64_t distance) const {
    const std::lock_guard lock(mutex_);
    const auto precision = Interval::default_precision();
    auto& known = known_[precision];
    if (known.frequencies.empty()) {
      known.frequencies = mapped(frequencies_, [&](const Real& frequency) { return frequency(); });
    }
    const auto [found, is_new] = known.sums.try_emplace(distance);
    if (is_new) {
      const auto d = enclose(distance);
      Interval sum = -enclose(static_cast<std::int64_t>(frequencies_.size()));
      for (const auto& w : known.frequencies) {
        sum += cos(Interval(d * w));
      }
      found->second = sum;
    }
    return found->second;
  }

  double approximately_at(double distance) const {
    double sum = 0;
    for (const double w : approximate_) {
      sum += std::cos(distance * w) - 1;
    }
    return sum;
  }

  /// A frequency is off by (4 |ln w| + 3) u of itself, as in every table of sines, and its product with the
  /// distance by u more; cosines are good to 2u; and a sum of n numbers of magnitude one at most, added one
  /// by one, takes n roundings of n at most.
  double error(double distance, double u) const {
    const auto n = static_cast<double>(frequencies_.size());
    return (distance * phase_error_ + 2 * n + n * n) * u;
  }

 private:
  struct Known {
    std::vector<Interval> frequencies;
    std::map<std::int64_t, Interval> sums;
  };

  std::vector<Real> frequencies_;
  std::vector<double> approximate_;
  double phase_error_ = 0;  ///< of all phases together, over u and the distance
  mutable std::mutex mutex_;
  mutable std::map<unsigned, Known> known_;  ///< by precision
};

/// The difference of S and D/2 is rounded, 8 h/H twice, and their quotient.
ComputedReal bias_of(const std::shared_ptr<const Sums>& sums, const Rational& divisor,
                     std::int64_t distance) {
  if (distance == 0) {
    return {[] { return enclose(std::int64_t{0}); }};
  }
  const double d = static_cast<double>(distance);
  const double by = approximately(divisor);
  const double value = sums->approximately_at(d) / by;
  return {[sums, divisor, distance] { return Interval(sums->at(distance) / enclose(divisor)); }, value,
          [sums, d, by, value](double u) {
            const double of_sum = sums->error(d, u) / by;
            return of_sum + (std::fabs(value) + of_sum) * growth_by(5, u);
          }};
}

std::vector<TensorDefinition> SandwichSpec::tensors() const {
  const auto sums = std::make_shared<const Sums>(*this);
  BiasTable table{"bias", {}, BiasTable::Factor::distance};
  for (std::int64_t head = 1; head <= num_heads; ++head) {
    table.curves.emplace_back([sums, divisor = Rational(8 * head, num_heads)](std::int64_t multiplier) {
      return bias_of(sums, divisor, std::abs(multiplier));
    });
  }
  return {std::move(table)};
}

}  // namespace

std::vector<Scheme> distance_bias_schemes() {
  return schemes_of<KerpleSpec, SandwichSpec>();
}

}  // namespace vernier
