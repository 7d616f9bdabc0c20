#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/elements/element_source.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/formats/tensor.hpp"
#include "numerics/views/point.hpp"
#include "numerics/views/row_places.hpp"
#include "numerics/views/tensor_findings.hpp"

namespace vernier {

/// One tensor of a view.
struct TensorPart {
  std::string role;
  std::size_t rows = 0;
  std::size_t columns = 0;  ///< of a row
  const Contract* contract = nullptr;
  ElementType type = ElementType::float64;  ///< as it is stored
  /// What its elements should be, bound to the contract: one for each thread. \throws InputError where the
  /// contract does not apply
  std::function<std::unique_ptr<ElementSource>()> make_truth = nullptr;
  /// Writes the numbers of a row. An integer that no double holds is infinite.
  std::function<void(std::size_t row, std::span<double> out)> read = nullptr;
  const Tensor* tensor = nullptr;  ///< that holds its rows, of tables and biases: for numbers one by one
  /// The bits of a row; null where rows are not compared by them.
  std::function<std::span<const std::byte>(std::size_t row)> bits = nullptr;
  /// Tells where an element is, and what it belongs to.
  std::function<Described(std::size_t row, std::size_t column)> describe = nullptr;
  bool holds_indices = false;            ///< whether its elements are indices, which have no error
  std::string family = "accuracy";       ///< of the check of its elements: "accuracy" of "accuracy/cos"
  std::vector<std::size_t> judged = {};  ///< the columns that are held to a budget; empty, as `copied`: all
  std::vector<std::size_t> copied = {};  ///< those that are copies of the input
  const Tensor* input = nullptr;         ///< the vectors that were turned; null of what is no turned vector
  const Quantization* quantization = nullptr;  ///< how these were stored once turned
  Overflow overflow = Overflow::undeclared;    ///< what becomes of sines beyond the format
  const TrigTable* sines = nullptr;  ///< those that it holds, if it holds nothing else, as plain tables do
  /// What the contract allows to them, or to those that turned the input; else null.
  std::function<BudgetModel()> model = nullptr;
  /// Whether what stands in a copied column is the input. \param truth at the row; null where nothing is
  /// copied
  std::function<bool(const ElementSource& truth, std::size_t row, std::size_t column, double got)> is_copy =
      nullptr;
  /// What a walk over the rows finds, found faster, if there is a way. \param threads that may work
  std::function<TensorFindings(unsigned threads)> audit_fast = nullptr;

  bool has_pairs = false;  ///< whether elements belong to pairs and positions, by which errors are mapped
  std::size_t first = 0;   ///< of its numbers, among those of a row of all parts; set by the view

  /// The format in which its elements are told: binary64 of integers.
  Format format() const { return traits(type).format.value_or(Format::binary64); }
  double at(std::size_t row, std::size_t column) const { return tensor->number(row * columns + column); }
  /// The scales of the blocks that its numbers were rounded by; null where they have none.
  const BlockScales* block_scales() const { return quantization ? quantization->scales.get() : nullptr; }
};

/// The truth of a part, held to its contract. \throws InputError where the contract does not apply
std::unique_ptr<ElementSource> bound_truth(std::unique_ptr<ElementSource> truth, const Contract& contract,
                                           Format stored, Overflow overflow = Overflow::undeclared);

/// What a stored tensor is, or several that have rows in common, as cosines and sines do: row by row, element
/// by element and pair by pair. A kind of tensor is a function that makes one (case_views.hpp); nothing
/// behind it knows which it is.
///
/// It is at one row, and remembers what it has made: each thread has a copy.
class RowView {
 public:
  using MakePoints = std::function<std::unique_ptr<PointSource>()>;

  /// \param make_points makes what shows the points of rows, where they are asked for; null where they have
  /// none
  explicit RowView(std::vector<TensorPart> parts, MakePoints make_points = nullptr);
  explicit RowView(const TensorPart& part, MakePoints make_points = nullptr)
      : RowView(std::vector<TensorPart>{part}, std::move(make_points)) {}
  RowView(const RowView& other);
  RowView(RowView&&) = default;
  RowView& operator=(const RowView&) = delete;
  RowView& operator=(RowView&&) = default;
  ~RowView() = default;

  std::span<const TensorPart> parts() const { return shared_->parts; }
  std::size_t rows() const { return parts().front().rows; }
  bool has_points() const { return shared_->make_points != nullptr; }
  /// \pre has_points()
  const PointLayout& layout() const { return shared_->points().layout(); }
  /// What contracts allow to points that have a form as arrays; else empty. \pre has_points()
  std::span<const BudgetModel> models_of_arrays() const { return shared_->points().models_of_arrays(); }

  /// Reads the row, once more if the view is there already.
  void go_to(std::size_t row);
  std::size_t row() const { return row_; }

  /// \name Of the row
  /// @{
  /// Of all parts, one after another.
  std::span<const double> numbers() const { return numbers_; }
  double got(std::size_t part, std::size_t column) const { return numbers_[parts()[part].first + column]; }
  /// What the part should be in this row. Truths cost more than numbers: they are made when asked for.
  ElementSource& truth(std::size_t part);
  /// Truth, budget by stage and size of an element.
  AllowedElement allowed(std::size_t part, std::size_t column) {
    return truth(part).allowed(column, got(part, column));
  }
  /// \pre has_points() \returns one for each of layout().points
  std::span<const std::optional<Point>> points(PointBounds bounds = PointBounds::exact,
                                               std::span<const std::int64_t> skip = {});
  /// The same as arrays, where there is such a form.
  std::optional<PointRow> arrays(PointBounds bounds) { return own_points().arrays(*this, bounds); }
  /// @}

 private:
  struct Truth {
    std::unique_ptr<ElementSource> source;
    std::size_t reading = 0;  ///< the one whose row it is at
  };

  /// What copies share.
  struct Shared {
    Shared(std::vector<TensorPart> all, MakePoints make)
        : parts(std::move(all)), make_points(std::move(make)) {}
    /// Made once, by whoever asks first.
    const PointSource& points() const;

    std::vector<TensorPart> parts;
    MakePoints make_points;
    mutable std::once_flag are_made;
    mutable std::unique_ptr<PointSource> made;
  };

  void make_room();
  PointSource& own_points();

  std::shared_ptr<const Shared> shared_;
  std::unique_ptr<PointSource> points_;  ///< null until they are asked for
  std::size_t row_ = 0;
  std::size_t reading_ = 0;  ///< rows are counted as they are read
  std::vector<double> numbers_;
  std::vector<Truth> truths_;  ///< one a part
  std::vector<std::optional<Point>> found_;
};

/// "cos, sin"
std::string roles_of(const RowView& view);

}  // namespace vernier
