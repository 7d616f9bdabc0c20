#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {

/// One instance of a law: the encoding, and values for the law's variables, by name.
struct LawCase {
  struct Position {
    std::string_view name;  ///< "t"
    std::int64_t value = 0;
  };
  struct Vector {
    std::string_view name;  ///< "q"
    std::vector<double> values;
  };

  std::variant<SinusoidalSpec, RopeSpec> spec;
  std::vector<Position> positions;
  std::vector<Vector> vectors = {};

  /// The variable of this name, which the case must have.
  std::int64_t position(std::string_view name) const;
  const std::vector<double>& vector(std::string_view name) const;
  /// d_model or head_dim.
  std::int64_t dimension() const;
  const Rational& base() const;
};

/// "[127 x 0, 1]": equal elements that follow each other are told once.
std::string to_string(const LawCase::Vector& vector);

/// "d_model = 4, base = 2, t = 3, k = 1": dimension, base and variables, and what differs from the spec's
/// defaults.
std::string to_string(const LawCase& instance);

}  // namespace vernier
