#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"

namespace vernier {

/// Of how many wrong vectors each pair is wrong, in the main type as soon as that was asked: of a coarser
/// type a fault may show in some pairs only.
class WrongPairs {
 public:
  explicit WrongPairs(ElementType main) : main_(main) {}

  /// \param pairs of one wrong vector, which are wrong; empty where that is not known
  void count(const QuestionPoint& question, const std::vector<bool>& pairs);
  bool are_unknown() const { return counts_.empty(); }
  bool are_some_right() const { return std::ranges::find(counts_, std::size_t{0}) != counts_.end(); }
  bool are_of_main_type() const { return are_of_main_; }
  /// Adds which pairs are wrong, or takes the confirmation back where that is not clear.
  void tell(Boundary& boundary) const;

 private:
  ElementType main_;
  std::vector<std::size_t> counts_;
  std::size_t vectors_ = 0;
  bool are_of_main_ = false;
};

}  // namespace vernier
