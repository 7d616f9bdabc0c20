#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "numerics/budgets/scale_budget.hpp"
#include "numerics/elements/element_source.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/elements/turned_row.hpp"

namespace vernier {

/// What a contract allows to the sines and cosines that turn vectors: in the format of the vectors, or, where
/// that only stores, in the one that the contract computes in.
BudgetModel budgets_of(const Contract& contract, const HeadRotation& rotation, Format stored);

/// The most that each component of a rotated pair (a, b) may be off by, whatever the phase is: the components
/// of the table as large as they get, the amplitude times the scale. \param model of a contract that says how
/// results are computed \param pair of the frequencies
double component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair, double a,
                        double b, const ScaleAt& scale = {});
/// The same before a rounding to a format that only stores.
double computed_component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair,
                                 double a, double b, const ScaleAt& scale = {});

/// Head vectors that are rotated, a row each: certified sines and cosines times the input, which is taken as
/// exact. The budget of an element is rotated_budget() (budget.hpp), in the coarser of the formats that the
/// contract computes and the tensor stores; of a contract that says how results are rounded and nothing of
/// how they are computed, rounding_budget(). The size that it is held against is the amplitude times the norm
/// of the pair. Where a product may be beyond the greatest number of the format, any value may be the right
/// one.
///
/// Formats that only store. The arithmetic is then the contract's, and half an ulp is added for the rounding
/// of the result. What is beyond the greatest number is held to the overflow that is declared; without one it
/// fails. Elements with scales of rows or blocks are rounded as BlockScales says (block_scales.hpp).
///
/// Scales. A sine and a cosine times the scale of the position have scaled_budget() (scale_budget.hpp), and
/// the amplitude counts times the scale. Whether the scale is multiplied into the table or into the products,
/// each term is rounded as often: in the arithmetic of the vectors at the worst, where scaled_budget() takes
/// that product to be rounded. Scales beyond 2^+-400 prove nothing.
///
/// Dimensions that do not rotate are the input.
class RotatedSource final : public ElementSource {
 public:
  /// Writes head_dim numbers of the input, finite ones.
  using Input = std::function<void(std::size_t row, std::span<double> out)>;

  /// A pair of the row: its sine and cosine with everything that they are multiplied by.
  struct Pair {
    std::int64_t position = 0;
    std::int64_t place = 0;  ///< the position in the budgets of the row
    int frequency = 0;       ///< the index of its frequency
    ScaleAt scale = {};
    bool is_enclosed = true;
    Enclosure cosine = {};
    Enclosure sine = {};
  };

  /// \param quantization its factor is in the amplitude of the rotation
  RotatedSource(HeadRotation rotation, const SourceRows& rows, Input input, Quantization quantization = {});

  std::string_view role() const override { return rotation_.role(); }
  Shape shape() const override { return {rows_, rotation_.head_dim}; }
  bool bind(const Contract& contract, Format stored) override;
  void go_to(std::size_t row) override;
  Real exact(std::size_t dimension) const override;
  std::optional<Enclosure> truth(std::size_t dimension) const override;
  ElementPlace place(std::size_t dimension) const override;
  std::string name(std::size_t dimension) const override;
  AllowedElement allowed(std::size_t dimension, std::optional<double> got) const override;
  bool has_pairs() const override { return true; }

  const HeadRotation& rotation() const { return rotation_; }
  /// The numbers that are rotated.
  std::span<const double> input() const { return in_; }
  const Pair& pair(std::size_t index) const { return pairs_[index]; }
  /// The budgets of the row. \pre it is bound
  const BudgetModel& model() const { return of_row_ ? *of_row_ : *model_; }
  /// The unit roundoff of the arithmetic. \pre it is bound
  double unit_roundoff() const { return traits(arithmetic()).unit_roundoff(); }

 private:
  /// How a dimension is rotated; null where it passes.
  const RotatedDimension* rotated(std::size_t dimension) const {
    return dimensions_[dimension] ? &*dimensions_[dimension] : nullptr;
  }
  Format arithmetic() const { return arithmetic_of(model_->parameters().compute, stored_); }
  Pair turned(std::size_t pair) const;
  Budget budget(const RotatedDimension& d, double got, const Enclosure& truth) const;
  void size_blocks(const BlockScales& scales);

  HeadRotation rotation_;
  std::vector<std::optional<RotatedDimension>> dimensions_;
  std::size_t rows_;
  Input read_;
  Quantization quantization_;
  TurnedRow row_;
  double amplitude_;  ///< of the table, about: enclosing it takes longer than all else of an element
  Format stored_ = Format::binary64;
  std::optional<BudgetModel> model_;
  std::optional<ScaleErrors> errors_;
  std::optional<MixedBudget> mixed_;   ///< where pairs turn by all axes
  std::optional<BudgetModel> of_row_;  ///< then
  std::size_t current_ = 0;            ///< the row
  std::vector<Pair> pairs_;
  std::vector<double> in_;
  /// Of the row, by block with a scale of its own: the largest norm of a pair, or magnitude of what passes.
  /// One rounding is made for them all, so that this is what it is large or small beside.
  std::vector<double> block_sizes_;
};

}  // namespace vernier
