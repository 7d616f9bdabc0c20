#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/covering/covering_design.hpp"
#include "numerics/tensors/rotated_tensor.hpp"
#include "reports/verdict/live/live_session.hpp"

namespace vernier {

/// A number that depends on every bit of another one: the finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t x);

/// The dimensions of a vector that numbers that are not finite stand in, or may change.
struct Spoilt {
  std::size_t first;                  ///< holds the number
  std::optional<std::size_t> second;  ///< of its pair
};

/// Every third vector of a question about such numbers is spoilt. \param vectors that are rotated
/// \return nothing for a vector that stays finite
std::optional<Spoilt> spoilt_at(const RotatedTensor& vectors, const QuestionPoint& point, std::size_t index);

/// Whether an element that is not finite left its mark in what it belongs to. \param turns whether the
/// position turns the pair
bool passes_on(const Spoilt& spoilt, NotFinite kind, const Tensor& answer, std::size_t index, bool turns);

/// Sets the elements that may be anything to zero. \param width in bytes, of an element
void blank(const Spoilt& spoilt, std::size_t width, std::vector<std::byte>& row);

/// The rows of the main question whose vectors the vectors of a question have, and their positions.
class VectorSources {
 public:
  /// \param main_positions ascending, a row's each; outlive the sources, as the question does
  VectorSources(const QuestionPoint& question, std::span<const std::int64_t> main_positions);

  std::int64_t position(std::size_t vector) const { return question_.position(batch(vector), row(vector)); }
  /// Copies of a row, in other heads and batches, have other vectors.
  std::size_t source(std::size_t vector) const;
  /// Whether the main question asks for this vector at this position.
  bool is_of_main(std::size_t vector) const {
    return at(vector).is_there && source(vector) == at(vector).row;
  }
  std::size_t own_row(std::size_t vector) const { return at(vector).row; }
  bool is_own_row(std::size_t vector) const { return at(vector).is_there; }

 private:
  struct OwnRow {
    std::size_t row;  ///< of its position in the main question; else any
    bool is_there;
  };
  std::size_t row(std::size_t vector) const { return vector % question_.rows; }
  std::size_t batch(std::size_t vector) const { return vector / question_.rows / question_.heads; }
  const OwnRow& at(std::size_t vector) const {
    return own_[question_.own_positions ? batch(vector) * question_.rows + row(vector) : row(vector)];
  }

  const QuestionPoint& question_;
  std::size_t main_rows_;
  std::vector<OwnRow> own_;
};

/// The questions that an implementation can be asked about something: tables of one width, vectors, keys.
///
/// Vectors are those of the main question, so that the rows of its answer tell right ones by their bits.
/// Where rows have more than a position (axes, buckets, biases), a position of a question is the index of a
/// row of the main one.
class SubjectQuestions {
 public:
  /// \param main answered, of rows that stand alone; outlives the questions, as the session does
  /// \param vectors those that it turns; null: it has none, or they turn by several positions
  SubjectQuestions(const LiveSession& session, const Asked& main, const RotatedTensor* vectors);

  /// Whether rows have one position each.
  bool is_plain() const { return is_plain_; }
  std::span<const std::int64_t> positions() const { return positions_; }
  const std::vector<ElementType>& types() const { return types_; }
  ElementType main_type() const { return types_.front(); }
  void add_type(ElementType type);
  /// One that is refused.
  void add_declined(ElementType type) { declined_.push_back(type); }

  DesignLimits design_limits() const;
  BoundaryLimits boundary_limits() const;
  /// The main question and what was asked before it.
  std::vector<QuestionPoint> main_points() const;
  VectorSources sources_of(const QuestionPoint& point) const { return {point, positions_}; }
  Request request_for(const QuestionPoint& point) const;
  /// "rotated in float32, [2, 6, 19, 64], at 19 positions from 4981 to 4999"
  std::string words_of(const QuestionPoint& point) const;
  /// A position of a question as it is told.
  std::string position_text(std::int64_t position) const {
    return is_plain_ ? session_.position_text(position)
                     : position_text_of_row(main_.request, static_cast<std::size_t>(position));
  }

 private:
  void fill_pool();

  const LiveSession& session_;
  const Asked& main_;
  const RotatedTensor* vectors_;
  bool is_plain_;
  std::vector<std::int64_t> positions_;  ///< of the main question, one a row; indices where it is not plain
  std::vector<std::int64_t> pool_;
  std::vector<ElementType> types_;  ///< that are answered, the main one first
  std::vector<ElementType> declined_;
  std::map<ElementType, Tensor> inputs_;  ///< the vectors of the main question
};

/// \name The same of numbers in another type
/// @{
Tensor in_type(const Tensor& tensor, ElementType type);
Request in_type(Request request, ElementType type);
/// @}

}  // namespace vernier
