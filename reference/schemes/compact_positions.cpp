#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/numbers/powers.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of Zipformer (Z. Yao et al. 2023; icefall, zipformer.py,
/// CompactRelPositionalEncoding): an offset x is compressed to y = sign(x) sqrt(D) ln(1 + |x|/sqrt(D)), and
/// that to the angle a = atan(2 pi y/(f D)). Columns 2k - 2 and 2k - 1 are cos(k a) and sin(k a), but the
/// last column is 1.
struct CompactPositionsSpec {
  static constexpr std::string_view scheme = "compact_positions";

  std::int64_t d_model = 2;    ///< D
  Rational length_factor = 1;  ///< f

  void keys(KeyVisitor& visit) {
    static const NumberRange factors{1, 1'000'000, "a number from 1 to 1e6"};
    visit.required("d_model", d_model, integer(2, largest_dimension));
    visit.require(d_model % 2 == 0, "d_model", "an even number, as columns are cosines and sines in turn");
    visit.defaulted("length_factor", length_factor, number(factors));
  }

  std::string summary() const {
    return fmt::format("compact relative positions, d_model {}{}", d_model,
                       length_factor == 1 ? "" : ", length factor " + to_string(length_factor));
  }

  std::vector<TensorDefinition> tensors() const {
    const auto entry = [spec = *this](std::int64_t offset, std::size_t column) {
      return spec.at(offset, column);
    };
    return {ExactTable{.role = "encoding", .columns = static_cast<std::size_t>(d_model), .computed = entry}};
  }

  /// With s = sqrt(D) and r = |x| + s: s is good to u of itself and r to 2u, so that ln r is off by 2u and 2u
  /// of itself, ln s by u and 2u of itself; their difference l is rounded. The product with s, the quotient
  /// by f D over a rounded 2 pi, and the roundings of f and s make t = 2 pi y/(f D) off by 7u of itself
  /// besides. The arctangent passes that on by 1/(1 + t^2) and adds 2u of itself, and the product with k
  /// another u; the trigonometry is good to 2u. The factor of 1 + 16u covers the products of errors.
  ComputedReal at(std::int64_t offset, std::size_t column) const {
    if (column + 1 == static_cast<std::size_t>(d_model)) {
      return {[] { return enclose(std::int64_t{1}); }, 1};
    }
    const auto k = static_cast<std::int64_t>(column / 2) + 1;
    const bool is_sine = column % 2 == 1;
    if (offset == 0) {
      return {[is_sine] { return enclose(std::int64_t{is_sine ? 0 : 1}); }, is_sine ? 0.0 : 1.0};
    }
    const double root = std::sqrt(static_cast<double>(d_model));
    const double reached = std::fabs(static_cast<double>(offset)) + root;
    const double scale =
        2 * std::numbers::pi * root / (approximately(length_factor) * static_cast<double>(d_model));
    const double logarithm = std::log1p(std::fabs(static_cast<double>(offset)) / root);
    const double t = scale * logarithm;
    const double a = std::copysign(std::atan(t), static_cast<double>(offset));
    const double phase = static_cast<double>(k) * a;
    const auto error = [=, k = static_cast<double>(k)](double u) {
      const double of_logarithm = (3 + 2 * std::log(reached) + 2 * std::log(root) + logarithm) * u;
      const double of_t = scale * of_logarithm + 7 * u * t;
      const double of_angle = of_t / (1 + t * t) + 2 * u * std::fabs(a);
      return (k * of_angle + u * std::fabs(phase) + 2 * u) * (1 + 16 * u);
    };
    const auto value = [spec = *this, offset, k, is_sine] {
      const Interval turned = enclose(k) * spec.angle(offset);
      return is_sine ? Interval(sin(turned)) : Interval(cos(turned));
    };
    return {value, is_sine ? std::sin(phase) : std::cos(phase), error};
  }

 private:
  Interval angle(std::int64_t offset) const {
    const Interval root = sqrt(enclose(d_model));
    const Interval compressed = root * log(Interval(1 + enclose(std::abs(offset)) / root));
    const Interval magnitude =
        atan(Interval(2 * pi() * compressed / enclose(Rational(length_factor * d_model))));
    return offset < 0 ? Interval(-magnitude) : magnitude;
  }
};

}  // namespace

std::vector<Scheme> compact_positions_schemes() {
  return schemes_of<CompactPositionsSpec>();
}

}  // namespace vernier
