#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "props/check.hpp"
#include "props/matrix/position_model.hpp"

namespace vernier {

/// Values for the variables of a property; each property uses some.
struct MatrixCase {
  std::int64_t t = 0;
  std::int64_t s = 0;
  std::int64_t k = 0;
};

/// A column of the matrix.
struct MatrixProperty {
  std::string_view id;         ///< "offset-only"
  std::string_view name;       ///< "Dot product depends on the offset only"
  std::string_view statement;  ///< what one case says, for all values of the variables
  std::string_view variables;  ///< of a case: "t, s, k"
  /// Whether a case bears the statement out.
  Outcome (*judge)(const PositionModel& model, const MatrixCase& values);
  /// The property is that the statement fails somewhere.
  bool affirmed_by_failure = false;
  /// What holds in place of the statement where that fails: then the answer is conditional.
  std::optional<Justification> (*weaker)(const PositionModel& model) = nullptr;
};

/// The columns in order: properties/properties.hpp lists them.
std::span<const MatrixProperty> matrix_properties();

}  // namespace vernier
