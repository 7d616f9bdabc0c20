#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/cases/quantization.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/errors/scale_budget.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tensor_definition.hpp"

namespace vernier {

/// Head vectors and what an implementation made of them, and the contract that is held to.
struct RotatedTensor {
  HeadRotation rotation;
  Tensor input;              ///< [rows, head_dim], of a floating-point type, all finite
  Tensor rotated;            ///< the same shape, of a floating-point type
  const Contract* contract;  ///< never null, one that says something of sines
  /// One a row; of rows with several positions the number of the patch, or that along the first axis.
  std::vector<std::int64_t> positions;
  Shape leading;  ///< what the rows are copies of: batch, heads
  /// The positions along each axis, one a row, if the rotation has axes.
  std::vector<std::vector<std::int64_t>> positions_by_axis = {};
  /// How results of the rotation are stored; its factor is in the amplitude of the rotation.
  Quantization quantization = {};

  /// What the contract allows to the sines and cosines that turn the vectors: in the format of the vectors,
  /// or, where that only stores, in the one that the contract computes in.
  BudgetModel model() const;
  std::string role() const { return std::string(role_of(rotation)); }
  Format stored() const { return *rotated.format(); }
  std::size_t rows() const { return rotated.shape().front(); }
  std::size_t head_dim() const { return rotated.shape().back(); }
};

/// Elements of a tensor that are counted, and where the first of them is.
struct CountedElements {
  std::uint64_t count = 0;
  std::optional<std::size_t> first = std::nullopt;  ///< its index in the tensor

  void add(std::size_t index);
  /// \param later of elements after these
  void merge(const CountedElements& later);
};

/// The most that each component of a rotated pair (a, b) may be off by, whatever the phase is: the components
/// of the table as large as they get, the amplitude times the scale. \param model of a contract that says how
/// results are computed \param pair of the frequencies
double component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair, double a,
                        double b, const ScaleAt& scale = {});

/// What an audit of rotated vectors found.
struct RotatedReport {
  /// The rotated dimensions, indexed as in the tensor.
  ElementwiseReport elements;
  /// The norms of the pairs, indexed row by row, pair by pair: the amplitude times those of the input.
  ElementwiseReport norms;
  std::uint64_t passed_through = 0;  ///< elements of dimensions that pass through
  CountedElements changed;           ///< those of them that are not the input's bits
  CountedElements non_finite;        ///< elements of any dimension that nothing justifies
  std::uint64_t may_overflow = 0;    ///< rotated elements whose products may leave the format
  std::optional<FailingExtent> failing_extent = std::nullopt;  ///< a box around the failing `elements`

  /// \param later of rows after those of this one
  void merge(const RotatedReport& later);
};

/// Judges every element. Truth is enclosed: certified sines and cosines times the input, which is taken as
/// exact. The budget of an element is rotated_budget() (budget.hpp), in the coarser of the formats that the
/// contract computes and the tensor stores; of a contract that says how results are rounded and nothing of
/// how they are computed, rounding_budget(). It proves nothing where it exceeds a quarter of the amplitude
/// times the norm of the pair. Where a product may be beyond the greatest number of the format, any value may
/// be the right one.
///
/// Formats that only store. The arithmetic is then the contract's, and half an ulp is added for the rounding
/// of the result. What is beyond the greatest number is held to the overflow that is declared; without one it
/// fails.
///
/// Scales. A sine and a cosine times the scale of the position have scaled_budget() (scale_budget.hpp), and
/// the amplitude counts times the scale. Whether the scale is multiplied into the table or into the products,
/// each term is rounded as often: in the arithmetic of the vectors at the worst, where scaled_budget() takes
/// that product to be rounded. Scales beyond 2^+-400 prove nothing.
///
/// Norms. An honest result is y = A R(f') x + e for some phase f', with each component of e within
/// rotated_budget() for no error of the phase and components of the table as large as they get, the amplitude
/// A; and a rotation changes no length, so the norm is off by at most the square root of two times that.
/// \param threads how many may work; the result does not depend on it
RotatedReport audit_rotated(const RotatedTensor& tensor, unsigned threads = 1);

}  // namespace vernier
