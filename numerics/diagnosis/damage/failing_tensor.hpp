#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/damage.hpp"

namespace vernier {

std::string role_of(const Suspect& suspect, std::size_t tensor);
/// "row 33 (position 34)"
std::string position_words(const Suspect& suspect, std::size_t row);
/// "3", "3 to 9", "3, 5 and 3 others"
std::string some_of(const std::set<std::size_t>& numbers);

/// The elements of one tensor that fail under a computation.
struct FailingTensor {
  /// By rows or columns.
  using Lines = std::map<std::size_t, std::vector<const PredictedElement*>>;

  /// \param failing at least one
  FailingTensor(const Suspect& suspect, const Predictor& predictor, std::size_t tensor,
                std::vector<const PredictedElement*> failing);

  const Suspect& suspect;
  const Predictor& predictor;
  std::size_t tensor;
  std::vector<const PredictedElement*> failing;
  Lines rows;
  Lines columns;

  /// Stands in sentences for the roles of the tensors that they are told of, until these are known.
  static constexpr std::string_view role = "<role>";

  std::size_t width() const;
  double at(std::size_t row, std::size_t column) const;
  static std::set<std::size_t> keys(const Lines& lines);
};

/// What a number of lines may at most be, to be called a few.
std::size_t a_few(std::size_t of);

void tell(Damage& damage, const FaultKind& kind, std::string sentence, double bits);
void append(Damage from, Damage& to);

/// \name What overwrote the elements of one tensor, each added to the damage if it explains all that fail
/// \return whether it does
/// @{
/// Whole rows or columns that were never written.
bool explain_zeros(const FailingTensor& tensor, Damage& damage);
/// Elements of no order.
bool explain_elements(const FailingTensor& tensor, Damage& damage);
/// Columns that hold others.
bool explain_columns(const FailingTensor& tensor, Damage& damage);
/// Rows that hold others.
bool explain_rows(const FailingTensor& tensor, Damage& damage);
/// The row of padding, and beside it one of these.
bool explain_beside_padding(const FailingTensor& tensor, Damage& damage);
/// @}

/// The first of these that explains.
bool explain(const FailingTensor& tensor, Damage& damage);

}  // namespace vernier
