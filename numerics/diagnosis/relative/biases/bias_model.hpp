#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/computation/formula.hpp"
#include "numerics/diagnosis/relative/edit_search.hpp"
#include "numerics/tensors/bias_tensor.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The slope of a head as a computation that may be faulty has it.
struct HeadSlope {
  Slope slope = {Rational(1), 1};              ///< what is computed, to the contract's accuracy
  double factor = 1;                           ///< and multiplied by
  std::optional<double> known = std::nullopt;  ///< instead of both: the very number

  double approximately() const;
  Enclosure enclosure() const;
  BiasBudget budget(const Contract& contract, Format stored) const;
};

/// A bias and where it is.
struct BiasPlace {
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t key = 0;
};

/// A computation of biases: slope times multiplier.
struct BiasModel {
  std::function<HeadSlope(std::size_t head)> slope;
  BiasTable::Factor kind = BiasTable::Factor::one;
  NumberMap distance = nullptr;         ///< other than by kind: of how far the key is behind its query
  std::vector<std::int64_t> keys = {};  ///< their positions
  bool queries_first = false;           ///< the queries stand at the first keys, not the last
  std::int64_t offset = 0;              ///< of the multiplier
  double sign = 1;
  std::optional<Format> multiplier_format = std::nullopt;  ///< that it is rounded to
  std::optional<Format> product_format = std::nullopt;     ///< that biases are rounded to
  std::optional<double> after_query = std::nullopt;        ///< what biases of keys after their query hold

  bool is_after_query(std::size_t queries, const BiasPlace& place) const;
  double multiplier_at(std::size_t queries, const BiasPlace& place) const;
};

/// What is to be explained.
struct BiasSubject {
  const BiasTensor& bias;
  std::span<const std::int64_t> keys;
  const Encoding& encoding;
  std::vector<double> found_slopes;  ///< of each head, without a sign, as the tensor has them; else NaN

  std::size_t heads() const { return bias.table.slopes.size(); }
  bool is_slopes() const { return bias.table.factor == BiasTable::Factor::one; }
  std::size_t index(const BiasPlace& place) const {
    return (place.head * bias.queries() + place.query) * bias.keys() + place.key;
  }
  double at(const BiasPlace& place) const { return bias.tensor.number(index(place)); }
  BiasModel declared() const;
};
BiasSubject subject_of(const BiasTensor& bias, std::span<const std::int64_t> keys, const Encoding& encoding);

using BiasEdit = ModelEdit<BiasModel>;
using BiasEdits = ModelEdits<BiasModel>;

/// The order of edits of biases.
namespace bias_order {
inline constexpr int slopes = 0;
inline constexpr int slope_factor = 1;
inline constexpr int slope_format = 2;
inline constexpr int multiplier = 3;
inline constexpr int offset = 4;
inline constexpr int sign = 5;
inline constexpr int multiplier_format = 6;
inline constexpr int product_format = 7;
}  // namespace bias_order

/// The elements that a model was held against.
struct BiasJudgement {
  Prediction prediction;
  std::vector<std::uint64_t> failing_by_head;  ///< all of them, one number a head
  /// Where the got bias is farthest from the model's.
  std::optional<BiasPlace> farthest = std::nullopt;
  double farthest_truth = 0;
};

/// Every element, or those up to the first that fails.
BiasJudgement judge(const BiasSubject& subject, const BiasModel& model, bool stops_at_failure = false);

/// Whether a model predicts a single element, or nothing is proved of it.
bool may_predict(const BiasSubject& subject, const BiasModel& model, const BiasPlace& place);

/// Elements that tell much: of several heads, near and far keys, first and last queries.
std::vector<BiasPlace> telling_places(const BiasSubject& subject);

BiasEdits bias_edits(const BiasSubject& subject);

}  // namespace vernier
