#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/asking/covering/predicate.hpp"
#include "reports/measures/rates/draw.hpp"
#include "reports/measures/rates/planted.hpp"

namespace vernier::rates {

/// A question, what its process was asked before, and one of its vectors.
struct NearQuestion {
  struct Before {
    QuestionPoint question;
    bool is_refused = false;
  };
  std::vector<Before> before = {};
  QuestionPoint question = {};
  std::size_t index = 0;
  Coordinates coordinates = {};  ///< of the vector and of a pair
};

/// Random questions whose values lie near those of some conditions: each is met by many, and missed by many.
class NearQuestions {
 public:
  NearQuestions(Predicate conditions, std::size_t most_vectors, std::uint64_t seed)
      : conditions_(std::move(conditions)), most_vectors_(most_vectors), draw_(seed) {}

  NearQuestion next();
  /// Another vector of the same question.
  void move(NearQuestion& near);

 private:
  const Atom* any_about(std::initializer_list<Coordinate> coordinates);
  /// A number near that of a condition, counted from 0; `fallback` where there is none, and now and then.
  std::int64_t near(std::initializer_list<Coordinate> coordinates, std::int64_t fallback);
  std::int64_t kind_of(Coordinate coordinate, std::int64_t fallback);
  void draw_sizes(QuestionPoint& question);
  void draw_positions(QuestionPoint& question);
  void draw_positions(std::span<std::int64_t> positions);
  void draw_before(NearQuestion& near);

  Predicate conditions_;
  std::size_t most_vectors_;
  Draw draw_;
};

/// How many vectors the smallest question has that shows the fault, of those that were tried; nothing if none
/// of `most_vectors` did.
std::optional<std::size_t> least_that_shows(const PlantedKernel& kernel, std::size_t most_vectors,
                                            std::uint64_t seed);

/// Whether what is told holds of the vectors that the fault makes wrong and of no others, as far as questions
/// of at most `most_vectors` are tried. Vectors that the fault meets and leaves as they are decide nothing.
bool tells_rightly(const Predicate& told, const PlantedKernel& kernel, std::size_t most_vectors,
                   std::uint64_t seed);

}  // namespace vernier::rates
