#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include <fmt/core.h>

#include "reference/logarithm.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Sides = std::array<std::int64_t, 2>;

/// The coordinates that Swin v2 makes biases of (Z. Liu et al., "Swin Transformer V2", 2022; transformers,
/// modeling_swinv2, create_coords_table_and_index): one row for each offset (dy, dx) of two tokens of a
/// window, from -(H - 1), -(W - 1) on, dx faster, and two columns, of dy and of dx. With t = 8 d/(N - 1), N
/// the side of the window of training, a coordinate is sign(t) log2(1 + |t|)/3.
struct LogCoordinatesSpec {
  Sides window{};                          ///< H, W, at least 2; (2 H - 1)(2 W - 1) at most 2^16
  std::optional<Sides> pretrained_window;  ///< sides N of at least 2; else those of the window

  std::int64_t rows() const { return (2 * window[0] - 1) * (2 * window[1] - 1); }
  /// \param row below rows() \param axis 0 or 1
  ComputedReal at(std::int64_t row, std::size_t axis) const;
};

class LogCoordinatesEncoding final : public Encoding {
 public:
  explicit LogCoordinatesEncoding(const LogCoordinatesSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "log_coordinates"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  LogCoordinatesSpec spec_;
};

Sides read_sides(ObjectReader& reader, std::string_view key) {
  constexpr std::string_view expected =
      "two integers of at least 2, height and width, as offsets are divided by one less, with at most 65536 "
      "offsets";
  const auto numbers = read_exact_numbers(
      reader, std::string(key), reader.array(key, expected),
      [](const Rational& x) { return x >= 2 && x <= largest_dimension && denominator(x) == 1; }, expected);
  Sides sides{};
  if (numbers.size() != sides.size()) {
    reader.refuse(key, expected);
  }
  std::ranges::transform(numbers, sides.begin(), [](const Rational& x) { return *as_integer(x); });
  if ((2 * sides[0] - 1) * (2 * sides[1] - 1) > largest_dimension) {
    reader.refuse(key, expected);
  }
  return sides;
}

std::unique_ptr<Encoding> parse_log_coordinates(ObjectReader& reader) {
  LogCoordinatesSpec spec{read_sides(reader, "window"), std::nullopt};
  if (reader.has("pretrained_window")) {
    spec.pretrained_window = read_sides(reader, "pretrained_window");
  }
  return std::make_unique<LogCoordinatesEncoding>(spec);
}

/// The quotient and the sum with 1 are rounded, which moves the argument of the logarithm by 2u and log2 by
/// that over ln 2. The logarithm is good to 2u of itself; one by another base takes a constant and a quotient
/// more; the division by 3, or by a rounded logarithm of 8, is two.
ComputedReal LogCoordinatesSpec::at(std::int64_t row, std::size_t axis) const {
  const auto columns = 2 * window[1] - 1;
  const auto offset = (axis == 0 ? row / columns : row % columns) - (window[axis] - 1);
  if (offset == 0) {
    return {[] { return enclose(std::int64_t{0}); }};
  }
  const Rational argument =
      1 + Rational(8 * std::abs(offset), (pretrained_window ? *pretrained_window : window)[axis] - 1);
  const std::int64_t sign = offset > 0 ? 1 : -1;
  const double magnitude = std::log2(approximately(argument)) / 3;
  return {[argument, sign] { return Interval(enclose(sign) * log_of(argument) / log_of(Rational(8))); },
          static_cast<double>(sign) * magnitude,
          [magnitude](double u) {
            return magnitude * growth_by(6, u) +
                   growth_by(2, u) / std::numbers::ln2 / 3 * (1 + growth_by(6, u));
          }};
}

std::vector<TensorDefinition> LogCoordinatesEncoding::define_tensors() const {
  const auto computed = [spec = spec_](std::int64_t row, std::size_t axis) { return spec.at(row, axis); };
  return {ExactTable{.role = "coordinates",
                     .columns = 2,
                     .first_position = 0,
                     .last_position = spec_.rows() - 1,
                     .computed = computed}};
}

std::string LogCoordinatesEncoding::summary() const {
  const auto told =
      spec_.pretrained_window
          ? fmt::format(", trained on {} by {}", (*spec_.pretrained_window)[0], (*spec_.pretrained_window)[1])
          : std::string();
  return fmt::format("logarithmic coordinates of a window, {} by {}{}", spec_.window[0], spec_.window[1],
                     told);
}

OrderedJson LogCoordinatesEncoding::spec() const {
  OrderedJson result{{"scheme", "log_coordinates"}, {"window", spec_.window}};
  if (spec_.pretrained_window) {
    result["pretrained_window"] = *spec_.pretrained_window;
  }
  return result;
}

}  // namespace

Scheme log_coordinates_scheme() {
  return {"log_coordinates",
          "the offsets in a window, on a logarithmic scale, that biases are computed from (Swin v2)",
          parse_log_coordinates,
          {R"({"scheme":"log_coordinates","window":[2,3]})",
           R"({"scheme":"log_coordinates","window":[4,3],"pretrained_window":[2,9]})"}};
}

}  // namespace vernier
