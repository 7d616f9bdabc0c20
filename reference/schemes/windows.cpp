#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/parameters.hpp"
#include "reference/numbers/powers.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The rows of a window's table of relative biases that pairs of its tokens use (Z. Liu et al., "Swin
/// Transformer", 2021), [tokens, tokens], tokens in raster order: (dy + H - 1)(2W - 1) + dx + W - 1 with (dy,
/// dx) the query's place less the key's. With a class token in front (BEiT) three rows follow those R of the
/// window: R where it is the query, R + 1 where it is the key, R + 2 where it is both. A window of a video or
/// a volume has a depth (Video Swin, video_swin_transformer.py; MONAI, SwinUNETR): (dd + D - 1)(2H - 1)(2W -
/// 1) and the same.
struct WindowIndexSpec {
  static constexpr std::string_view scheme = "window_index";

  std::vector<std::int64_t> window{1, 1};  ///< H, W; or D, H, W
  bool class_token = false;

  void keys(KeyVisitor& visit) {
    const std::string words =
        "two integers of at least 1, height and width, or three, depth, height and width, with a product of "
        "at "
        "most 65536";
    visit.required("window", window,
                   list_of(whole_numbers(1, largest_dimension, words), {2, 3, true}, words));
    visit.require((window.size() == 2 || window.size() == 3) && product(window) <= largest_dimension,
                  "window", words);
    visit.defaulted("class_token", class_token, boolean());
  }

  std::string summary() const {
    return fmt::format("relative index of a window, {}{}", fmt::join(window, " by "),
                       class_token ? ", and a class token" : "");
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [spec = *this](std::int64_t query, std::size_t key) {
      return Rational(spec.index(query, static_cast<std::int64_t>(key)));
    };
    return {ExactTable{.role = "index",
                       .columns = static_cast<std::size_t>(tokens()),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = tokens() - 1}};
  }

  std::int64_t tokens() const { return product(window) + (class_token ? 1 : 0); }

  /// \param query, key below tokens()
  std::int64_t index(std::int64_t query, std::int64_t key) const {
    if (class_token && (query == 0 || key == 0)) {
      std::int64_t rows = 1;
      for (const auto side : window) {
        rows *= 2 * side - 1;
      }
      return rows + (query == 0 && key == 0 ? 2 : query == 0 ? 0 : 1);
    }
    auto of_query = query - (class_token ? 1 : 0);
    auto of_key = key - (class_token ? 1 : 0);
    std::int64_t result = 0;
    std::int64_t step = 1;
    for (auto side = window.rbegin(); side != window.rend(); ++side) {
      result += step * (of_query % *side - of_key % *side + *side - 1);
      step *= 2 * *side - 1;
      of_query /= *side;
      of_key /= *side;
    }
    return result;
  }

 private:
  static std::int64_t product(const std::vector<std::int64_t>& of) {
    return std::accumulate(of.begin(), of.end(), std::int64_t{1}, std::multiplies<>());
  }
};

using Sides = std::array<std::int64_t, 2>;

/// The coordinates that Swin v2 makes biases of (Z. Liu et al., "Swin Transformer V2", 2022; transformers,
/// modeling_swinv2, create_coords_table_and_index): one row for each offset (dy, dx) of two tokens of a
/// window, from -(H - 1), -(W - 1) on, dx faster, and two columns, of dy and of dx. With t = 8 d/(N - 1), N
/// the side of the window of training, a coordinate is sign(t) log2(1 + |t|)/3.
struct LogCoordinatesSpec {
  static constexpr std::string_view scheme = "log_coordinates";

  Sides window{2, 2};                      ///< H, W
  std::optional<Sides> pretrained_window;  ///< the sides N; else those of the window

  void keys(KeyVisitor& visit) {
    const std::string words =
        "two integers of at least 2, height and width, as offsets are divided by one less, with at most "
        "65536 "
        "offsets";
    const auto sides = list_of(whole_numbers(2, largest_dimension, words), of_size(2), words);
    const auto require_offsets = [&](std::string_view key, const Sides& of) {
      visit.require((2 * of[0] - 1) * (2 * of[1] - 1) <= largest_dimension, key, words);
    };
    visit.required("window", window, sides);
    require_offsets("window", window);
    visit.optional("pretrained_window", pretrained_window, sides);
    require_offsets("pretrained_window", pretrained_window.value_or(window));
  }

  std::string summary() const {
    const auto told = pretrained_window ? fmt::format(", trained on {} by {}", (*pretrained_window)[0],
                                                      (*pretrained_window)[1])
                                        : std::string();
    return fmt::format("logarithmic coordinates of a window, {} by {}{}", window[0], window[1], told);
  }

  std::vector<TensorDefinition> tensors() const {
    const auto entry = [spec = *this](std::int64_t row, std::size_t axis) { return spec.at(row, axis); };
    return {ExactTable{.role = "coordinates",
                       .columns = 2,
                       .first_position = 0,
                       .last_position = rows() - 1,
                       .computed = entry}};
  }

  std::int64_t rows() const { return (2 * window[0] - 1) * (2 * window[1] - 1); }

  /// \param row below rows() \param axis 0 or 1
  /// The quotient and the sum with 1 are rounded, which moves the argument of the logarithm by 2u and log2 by
  /// that over ln 2. The logarithm is good to 2u of itself; one by another base takes a constant and a
  /// quotient more; the division by 3, or by a rounded logarithm of 8, is two.
  ComputedReal at(std::int64_t row, std::size_t axis) const {
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
};

}  // namespace

std::vector<Scheme> window_schemes() {
  return schemes_of<WindowIndexSpec, LogCoordinatesSpec>();
}

}  // namespace vernier
