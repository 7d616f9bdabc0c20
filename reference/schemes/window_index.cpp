#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The rows of a window's table of relative biases that pairs of its tokens use (Z. Liu et al., "Swin
/// Transformer", 2021), [tokens, tokens], tokens in raster order: (dy + H - 1)(2W - 1) + dx + W - 1 with (dy,
/// dx) the query's place less the key's. With a class token in front (BEiT) three rows follow those R of the
/// window: R where it is the query, R + 1 where it is the key, R + 2 where it is both.
struct WindowIndexSpec {
  static constexpr std::string_view scheme = "window_index";

  std::array<std::int64_t, 2> window{1, 1};  ///< H, W
  bool class_token = false;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  std::int64_t tokens() const { return window[0] * window[1] + (class_token ? 1 : 0); }
  /// \param query, key below tokens()
  std::int64_t index(std::int64_t query, std::int64_t key) const;
};

void WindowIndexSpec::keys(KeyVisitor& visit) {
  const std::string words = "two integers of at least 1, height and width, with a product of at most 65536";
  visit.required({"window", "H and W, the height and the width of the window", "positions"}, window,
                 list_of(whole_numbers(1, largest_dimension, words), of_size(2), words));
  visit.require(window[0] * window[1] <= largest_dimension, "window", words);
  visit.defaulted({"class_token", "whether a class token is in front of the window's"}, class_token,
                  boolean());
}

std::int64_t WindowIndexSpec::index(std::int64_t query, std::int64_t key) const {
  const auto [height, width] = window;
  const auto rows = (2 * height - 1) * (2 * width - 1);
  if (class_token && (query == 0 || key == 0)) {
    return rows + (query == 0 && key == 0 ? 2 : query == 0 ? 0 : 1);
  }
  const auto first = class_token ? 1 : 0;
  const auto down = (query - first) / width - (key - first) / width;
  const auto across = (query - first) % width - (key - first) % width;
  return (down + height - 1) * (2 * width - 1) + across + width - 1;
}

std::vector<TensorDefinition> WindowIndexSpec::tensors() const {
  const auto factor = [spec = *this](std::int64_t query, std::size_t key) {
    return Rational(spec.index(query, static_cast<std::int64_t>(key)));
  };
  return {ExactTable{.role = "index",
                     .columns = static_cast<std::size_t>(tokens()),
                     .factor = factor,
                     .first_position = 0,
                     .last_position = tokens() - 1}};
}

std::string WindowIndexSpec::summary() const {
  return fmt::format("relative index of a window, {} by {}{}", window[0], window[1],
                     class_token ? ", and a class token" : "");
}

}  // namespace

Scheme window_index_scheme() {
  return {"window_index",
          "which row of a table of relative biases two tokens of a window use (Swin, BEiT)",
          {R"({"scheme":"window_index","window":[2,3]})",
           R"({"scheme":"window_index","window":[3,2],"class_token":true})"},
          {form_of<WindowIndexSpec>()}};
}

}  // namespace vernier
