#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "numerics/audit/under_test.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

// What broken implementations are made of: honest parts, computed in float64 and stored as float32, of which
// each breaks one.

namespace vernier {

/// Where an honest table takes its element from.
struct Element {
  Component component = Component::zero;
  int pair = 0;
  std::size_t column = 0;
  double frequency = 0;
  double amplitude = 1;
};

/// A float32 table whose elements a function gives, in float64; zero columns are zero.
std::unique_ptr<TableUnderTest> table_of(
    const SinusoidalSpec& spec, std::function<double(std::int64_t position, const Element& element)> value);

/// A sin(phase) or A cos(phase).
double honest_value(double phase, const Element& element);

/// A float32 rotation that a function gives, in float64. \param y x on entry
using Rotate = std::function<void(std::int64_t position, std::span<const double> x, std::span<double> y)>;
std::unique_ptr<RotationUnderTest> rotation_of(const RopeSpec& spec, Rotate rotate);

/// Turns every pair of x by position * w_i times `sense` (1 as the spec says, -1 against it) into y, times a
/// factor.
void turn(const RopeSpec& spec, double position, std::span<const double> x, std::span<double> y,
          double sense = 1, double factor = 1);

/// Turns every pair so, times a factor: the amplitude where there is none.
using MakeRotation = std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)>;
MakeRotation turning(double sense, std::optional<double> factor = std::nullopt);

/// A spec with an amplitude other than 1.
const RopeSpec& rope_with_amplitude();

/// The angle of a pair, signed as the spec's direction says.
double angle(const RopeSpec& spec, double position, int pair);

}  // namespace vernier
