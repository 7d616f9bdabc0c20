#pragma once

// What the tests of plug-ins ask, and what an honest answer is.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/plugin_process.hpp"

namespace vernier {

inline const std::filesystem::path plugins = VERNIER_TEST_PLUGINS;

inline std::filesystem::path hostile(const std::string& name) {
  return plugins / (std::string("hostile_") + name + ".so");
}

/// For plug-ins that hang: all others have the usual time.
inline PluginOptions impatient() {
  PluginOptions options;
  options.time_limit = std::chrono::seconds(1);
  return options;
}

inline OrderedJson rope_spec(int head_dim) {
  return {{"scheme", "rope"}, {"head_dim", head_dim},       {"rope_theta", 10000},
          {"layout", "half"}, {"partial_rotary_factor", 1}, {"direction", "counterclockwise"}};
}

template <typename Element>
Tensor tensor(ElementType type, Shape shape, const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {type, std::move(shape), std::vector<std::byte>(bytes.begin(), bytes.end())};
}

inline Tensor positions(const std::vector<std::int64_t>& values) {
  return tensor(ElementType::int64, {values.size()}, values);
}

inline constexpr std::size_t asked_rows = 3;
inline constexpr std::size_t asked_pairs = 5;

/// 15 cosines of float32: 60 bytes, so that 4 lie between their end and the guard.
inline Request ask_for_cosines() {
  return {rope_spec(2 * asked_pairs),
          positions({0, 1, 100}),
          std::nullopt,
          {{"cos", ElementType::float32, {asked_rows, asked_pairs}}}};
}

inline double angle(double position, std::size_t pair) {
  return position * std::pow(10000.0, -static_cast<double>(pair) / static_cast<double>(asked_pairs));
}

inline void expect_honest_cosines(const Response& response) {
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  const auto& cosines = response.tensors.at("cos");
  ASSERT_EQ(cosines.shape(), (Shape{asked_rows, asked_pairs}));
  ASSERT_EQ(cosines.type(), ElementType::float32);
  for (std::size_t i = 0; i < cosines.elements(); ++i) {
    const double expected = std::cos(angle(std::vector<double>{0, 1, 100}[i / asked_pairs], i % asked_pairs));
    // The double inside is off by about 100 u of float64, far less than the rounding to float32.
    EXPECT_NEAR(cosines.number(i), expected, 0x1p-24);
  }
}

/// That the plug-in is restarted, and answers something else than a table honestly.
inline void expect_goes_on(PluginProcess& plugin) {
  const auto spec = rope_spec(2);
  const Request request{spec,
                        positions({1}),
                        tensor<float>(ElementType::float32, {1, 2}, {1, 0}),
                        {{"rotated", ElementType::float32, {1, 2}}}};
  const auto response = plugin.ask(request);
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  EXPECT_NEAR(response.tensors.at("rotated").number(0), std::cos(1.0), 0x1p-24);
  EXPECT_NEAR(response.tensors.at("rotated").number(1), std::sin(1.0), 0x1p-24);
}

inline testing::Matcher<const SideEffect&> effect(SideEffectKind kind, const std::string& evidence) {
  return testing::AllOf(testing::Field(&SideEffect::kind, kind),
                        testing::Field(&SideEffect::evidence, testing::HasSubstr(evidence)));
}

}  // namespace vernier
