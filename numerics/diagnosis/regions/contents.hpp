#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "numerics/diagnosis/candidates.hpp"
#include "numerics/diagnosis/regions/misses.hpp"

namespace vernier {

/// What may stand in a region, beside what holds everywhere.
struct Content {
  std::vector<Finding> findings = {};
  double bits = 0;
  const Computation* computation = nullptr;
  /// Whose row each row holds; empty: each its own.
  std::vector<std::size_t> held_rows = {};
};

/// What a content says of every element, row by row.
struct Outcomes {
  const Content* content = nullptr;
  std::vector<bool> contradicts = {};  ///< it misses it
  std::vector<float> saved = {};       ///< bits, of what only the content predicts
};

/// All that may stand in regions of the tensors, each looked at once.
class RegionContents {
 public:
  /// \param base whose computation misses are of; all outlive this
  RegionContents(const Suspect& suspect, const Candidate& base, const Misses& misses, unsigned threads)
      : suspect_(suspect), base_(base), misses_(misses), threads_(threads), width_(misses.columns().size()) {}

  RegionContents(const RegionContents&) = delete;  // outcomes refer to contents

  /// Looks at edits of the base, beside what is known already; what all rows and some of them show is
  /// proposed twice. \param candidates outlive this
  void add(std::span<const Candidate> candidates);

  /// Of those contents that predict most of some rows that fail.
  const std::deque<Outcomes>& kept() const { return kept_; }

  /// Calls `look` with every element of rows beside what a content says of it, with its place among these
  /// rows, and with its column of all tensors.
  using Look = std::function<void(const PredictedElement& one, std::size_t row, std::size_t column)>;
  void visit(const Content& content, std::span<const std::size_t> rows, const Look& look) const;

 private:
  std::size_t at(std::size_t row, std::size_t column) const { return row * width_ + column; }
  Outcomes outcomes_of(const Content& content, std::span<const std::size_t> rows) const;
  std::vector<std::size_t> some_failing_rows(std::size_t count) const;
  bool holds(std::size_t row, std::size_t other) const;
  std::vector<Content> copies() const;
  void add(Content content);
  void keep_nearest(std::size_t first);

  const Suspect& suspect_;
  const Candidate& base_;
  const Misses& misses_;
  unsigned threads_;
  std::size_t width_;  ///< columns of all tensors
  std::deque<Content> contents_;
  std::set<std::string> sentences_;  ///< of the contents
  std::deque<Outcomes> kept_;
};

}  // namespace vernier
