#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "reference/frequencies/frequency_families.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Fourier position embedding (E. Hua et al. 2024; vLLM, fope.py, at c215d1e6): the cosine of a pair is the
/// sum over k of cos(p w_k) C[h][k][j] and its sine that of sin(p w_k) S[h][k][j], with learned coefficients
/// of each head h and the first frequencies of RoPE, w_k = theta^(-2k/D). Pairs j beyond those of the
/// coefficients have the cosine 1 and a sine that the authors set to 1 too (their issue 6), others to 0.
struct FourierSumsSpec {
  static constexpr std::string_view scheme = "fourier_sums";

  std::int64_t head_dim = 2;
  Rational rope_theta = 10000;
  std::int64_t rotary_dim = 2;      ///< D
  std::vector<NumberRows> cosines;  ///< C: head by head a row for each frequency, a column for each pair
  std::vector<NumberRows> sines;    ///< S, of the same shape
  std::int64_t padding_sine = 1;

  void keys(KeyVisitor& visit) {
    static const NumberRange each{-1'000'000, 1'000'000, "a number from -1e6 to 1e6"};
    visit.required("head_dim", head_dim, integer(2, largest_dimension));
    visit.require(head_dim % 2 == 0, "head_dim", "an even number, as dimensions rotate in pairs");
    visit.fallback(rotary_dim, head_dim);
    visit.defaulted("rotary_dim", rotary_dim, integer(2, head_dim));
    visit.defaulted("rope_theta", rope_theta, number(base_range()));
    const auto lists = [&](ListCount heads, ListCount numbers) {
      auto domain = heads_of(each, heads, numbers,
                             "1 to 256 lists, one a head, of rows, one a frequency, of numbers, one a pair");
      domain.may_have_heads = true;
      return domain;
    };
    const auto most = static_cast<std::size_t>(largest_dimension);
    visit.required("cosine_coefficients", cosines, lists({1, 256}, {1, most}));
    const bool has_cosines = !cosines.empty() && !cosines.front().empty();
    const auto numbers = has_cosines ? cosines.front().size() * cosines.front().front().size() : 1;
    visit.required("sine_coefficients", sines,
                   lists(of_size(std::max<std::size_t>(1, cosines.size())), of_size(numbers)));
    const auto fits = [&](const std::vector<NumberRows>& one) {
      return has_cosines && !one.empty() && one.front().size() == cosines.front().size() &&
             one.front().size() <= static_cast<std::size_t>(rotary_dim + 1) / 2 &&
             one.front().front().size() <= static_cast<std::size_t>(head_dim) / 2;
    };
    visit.require(fits(cosines), "cosine_coefficients",
                  "no more rows than rotary_dim/2 and no more columns than head_dim/2");
    visit.require(fits(sines), "sine_coefficients", "as many rows and columns as cosine_coefficients has");
    visit.defaulted("padding_sine", padding_sine, integer(0, 1));
  }

  std::string summary() const {
    return fmt::format("Fourier sums of {} frequencies, head_dim {}, base {}{}", cosines.front().size(),
                       head_dim, to_string(rope_theta),
                       cosines.size() == 1 ? "" : fmt::format(", {} heads", cosines.size()));
  }

  std::vector<TensorDefinition> tensors() const;
};

/// The sums of one component, with the sines of the position that was asked for last.
class FourierSums {
 public:
  FourierSums(const FourierSumsSpec& spec, bool is_sine)
      : frequencies_{spec.rope_theta, Rational(2, spec.rotary_dim),
                     static_cast<int>(spec.cosines.front().size())},
        is_sine_(is_sine),
        pairs_(static_cast<std::size_t>(spec.head_dim / 2)),
        padding_(is_sine ? spec.padding_sine : 1),
        numbers_(is_sine ? spec.sines : spec.cosines) {
    for (const auto& head : numbers_) {
      auto& rows = approximate_.emplace_back();
      for (const auto& row : head) {
        auto& doubles = rows.emplace_back();
        for (const auto& number : row) {
          doubles.push_back(approximately(number));
        }
      }
    }
  }

  std::size_t columns() const { return numbers_.size() * pairs_; }

  /// \param self keeps what the number is made of
  static ComputedReal entry(const std::shared_ptr<const FourierSums>& self, std::int64_t position,
                            std::size_t column) {
    const auto head = column / self->pairs_;
    const auto pair = column % self->pairs_;
    const auto& rows = self->approximate_[head];
    if (pair >= rows.front().size()) {
      return {[padding = self->padding_] { return enclose(padding); }, static_cast<double>(self->padding_)};
    }
    double estimate = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      estimate += rows[k][pair] * self->turned(position, k);
    }
    return {[self, position, head, pair] { return self->sum(position, head, pair); }, estimate,
            [self, position, head, pair](double u) { return self->error(position, head, pair, u); }};
  }

 private:
  Interval sum(std::int64_t position, std::size_t head, std::size_t pair) const {
    const auto digits = Interval::default_precision();
    if (known_.values.empty() || known_.position != position || known_.digits != digits) {
      known_ = {position, digits, {}};
      for (const auto& frequency : frequencies_.enclosures()) {
        const Interval phase = enclose(position) * frequency;
        known_.values.push_back(is_sine_ ? Interval(sin(phase)) : Interval(cos(phase)));
      }
    }
    Interval result = enclose(std::int64_t{0});
    for (std::size_t k = 0; k < known_.values.size(); ++k) {
      result += known_.values[k] * enclose(numbers_[head][k][pair]);
    }
    return result;
  }

  double turned(std::int64_t position, std::size_t k) const {
    const double phase = static_cast<double>(position) * frequencies_.approximate(static_cast<int>(k));
    return is_sine_ ? std::sin(phase) : std::cos(phase);
  }

  /// A frequency is a quotient by a power of a rounded exponent: off by (2 |ln w| + 3) u of itself; its
  /// product with the position by another u, as is a position beyond 1/u; the sine by 2u of its greatest.
  /// Each of n products is rounded, and so are n - 1 sums, in any order: n roundings of each term. The factor
  /// of 1 + 16u covers the products of errors.
  double error(std::int64_t position, std::size_t head, std::size_t pair, double u) const {
    const auto terms = static_cast<double>(frequencies_.pairs);
    double result = 0;
    for (int k = 0; k < frequencies_.pairs; ++k) {
      const auto row = static_cast<std::size_t>(k);
      const double phase = std::fabs(static_cast<double>(position)) * frequencies_.approximate(k);
      const double of_position = std::fabs(static_cast<double>(position)) * u > 1 ? 1 : 0;
      const double of_frequency =
          frequencies_.is_one(k) ? 0 : 2 * std::fabs(frequencies_.log_magnitude(k)) + 4;
      const double of_phase = phase * (of_position + of_frequency) * u;
      const double of_sine = position == 0 ? 0 : std::fmin(of_phase, 2) + 2 * u;
      result += std::fabs(approximate_[head][row][pair]) *
                (of_sine + growth_by(terms, u) * (std::fabs(turned(position, row)) + of_sine));
    }
    return result * (1 + 16 * u);
  }

  struct Known {
    std::int64_t position = 0;
    unsigned digits = 0;
    std::vector<Interval> values;
  };

  GeometricFrequencies frequencies_;
  bool is_sine_;
  std::size_t pairs_;  ///< of a head
  std::int64_t padding_;
  std::vector<NumberRows> numbers_;
  std::vector<std::vector<std::vector<double>>> approximate_;
  mutable Known known_;  ///< guarded by the lock of the working precision
};

std::vector<TensorDefinition> FourierSumsSpec::tensors() const {
  const auto table = [&](std::string role, bool is_sine) {
    const auto sums = std::make_shared<const FourierSums>(*this, is_sine);
    return ExactTable{.role = std::move(role),
                      .columns = sums->columns(),
                      .computed = [sums](std::int64_t position, std::size_t column) {
                        return FourierSums::entry(sums, position, column);
                      }};
  };
  return {table("cos", false), table("sin", true)};
}

}  // namespace

std::vector<Scheme> fourier_sums_schemes() {
  return schemes_of<FourierSumsSpec>();
}

}  // namespace vernier
