#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The rows of a window's table of relative biases that pairs of its tokens use (Z. Liu et al., "Swin
/// Transformer", 2021), [tokens, tokens], tokens in raster order: (dy + H - 1)(2W - 1) + dx + W - 1 with (dy,
/// dx) the query's place less the key's. With a class token in front (BEiT) three rows follow those R of the
/// window: R where it is the query, R + 1 where it is the key, R + 2 where it is both.
struct WindowIndexSpec {
  std::int64_t height = 0;  ///< H
  std::int64_t width = 0;   ///< W; H W at most 2^16
  bool class_token = false;

  std::int64_t tokens() const { return height * width + (class_token ? 1 : 0); }
  /// \param query, key below tokens()
  std::int64_t index(std::int64_t query, std::int64_t key) const;
};

class WindowIndexEncoding final : public Encoding {
 public:
  explicit WindowIndexEncoding(const WindowIndexSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "window_index"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  WindowIndexSpec spec_;
};

constexpr std::string_view expected_window =
    "two integers of at least 1, height and width, with a product of at most 65536";

std::unique_ptr<Encoding> parse_window_index(ObjectReader& reader) {
  std::array<std::int64_t, 2> sides{};
  const auto& window = reader.array("window", expected_window);
  if (window.size() != sides.size()) {
    reader.refuse("window", expected_window);
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto* number = std::get_if<JsonValue::Number>(&window[i].value());
    const auto value = number == nullptr ? std::nullopt : parse_rational(number->text);
    const auto side = value ? as_integer(*value) : std::nullopt;
    if (!side || *side < 1 || *side > largest_dimension) {
      reader.refuse_within(fmt::format("window[{}]", i), window[i], expected_window);
    }
    sides[i] = *side;
  }
  if (sides[0] * sides[1] > largest_dimension) {
    reader.refuse("window", expected_window);
  }
  return std::make_unique<WindowIndexEncoding>(
      WindowIndexSpec{sides[0], sides[1], reader.optional_boolean("class_token").value_or(false)});
}

std::int64_t WindowIndexSpec::index(std::int64_t query, std::int64_t key) const {
  const auto rows = (2 * height - 1) * (2 * width - 1);
  if (class_token && (query == 0 || key == 0)) {
    return rows + (query == 0 && key == 0 ? 2 : query == 0 ? 0 : 1);
  }
  const auto first = class_token ? 1 : 0;
  const auto down = (query - first) / width - (key - first) / width;
  const auto across = (query - first) % width - (key - first) % width;
  return (down + height - 1) * (2 * width - 1) + across + width - 1;
}

std::vector<TensorDefinition> WindowIndexEncoding::define_tensors() const {
  const auto index = [spec = spec_](std::int64_t query, std::size_t key) {
    return Rational(spec.index(query, static_cast<std::int64_t>(key)));
  };
  return {ExactTable{.role = "index",
                     .columns = static_cast<std::size_t>(spec_.tokens()),
                     .factor = index,
                     .first_position = 0,
                     .last_position = spec_.tokens() - 1}};
}

std::string WindowIndexEncoding::summary() const {
  return fmt::format("relative index of a window, {} by {}{}", spec_.height, spec_.width,
                     spec_.class_token ? ", and a class token" : "");
}

OrderedJson WindowIndexEncoding::spec() const {
  return {{"scheme", "window_index"},
          {"window", {spec_.height, spec_.width}},
          {"class_token", spec_.class_token}};
}

}  // namespace

Scheme window_index_scheme() {
  return {"window_index",
          "which row of a table of relative biases two tokens of a window use (Swin, BEiT)",
          parse_window_index,
          {R"({"scheme":"window_index","window":[2,3]})",
           R"({"scheme":"window_index","window":[3,2],"class_token":true})"}};
}

}  // namespace vernier
