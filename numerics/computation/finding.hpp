#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "numerics/computation/fault_kind.hpp"
#include "reference/json/json.hpp"

namespace vernier {

struct Computation;

/// Every step-th index from the first to the last.
struct IndexRun {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t step = 1;
};

/// The elements of some columns of some rows.
struct ElementRegion {
  std::vector<IndexRun> rows = {};  ///< of all copies, one behind the other
  std::vector<std::pair<std::string, std::vector<IndexRun>>> columns = {};  ///< of tensors, by their roles
  std::uint64_t elements = 0;  ///< of these those that no finding before it is of
  double bits = 0;             ///< what the region and what holds there take to describe
  /// What would predict these elements as well, and takes hardly more to say.
  std::vector<std::string> equally = {};
};

/// One thing in which the tensors differ from what their spec declares.
struct Finding {
  const FaultKind* kind;  ///< never null
  std::string sentence;   ///< without a capital or a full stop: "the base is 500000, not 10000"
  /// The same as a JSON patch (RFC 6902) of the spec with all its defaults, where it is a matter of the spec;
  /// else null.
  OrderedJson edit = nullptr;
  std::optional<ElementRegion> region = std::nullopt;  ///< nothing: all elements
};

/// An element that uses so many budgets is not off by rounding, nor by noise of a budget's size.
inline constexpr double clear_failure = 2;

/// What a computation other than the declared one says of the tensors.
struct Prediction {
  std::uint64_t elements = 0;
  std::uint64_t conclusive = 0;  ///< those whose budget proves something
  std::uint64_t failing = 0;     ///< of the conclusive ones; zero of an explanation
  std::uint64_t clearly_failing = 0;
  double largest_budget_ratio = 0;  ///< the greatest share of its budget that an element uses
  std::size_t worst_row = 0;        ///< the first that has it

  /// Of the same computation, of later rows.
  void append(const Prediction& later);

  /// Whether it holds of the tensors: of every element that proves something, and of more than a fifth of
  /// all.
  bool is_proved() const { return failing == 0 && 5 * conclusive > elements; }
  /// Whether it allows so much that it says nothing of a tenth of what the declared computation proves, or of
  /// half as much as fails by that: where few of many dimensions rotate, that may be all that do.
  bool says_less_than(const Prediction& declared) const {
    return conclusive + std::min(declared.conclusive / 10, declared.failing / 2) < declared.conclusive;
  }
};

/// The declared computation, edited so that it predicts the tensors.
struct Explanation {
  std::vector<Finding> findings;  ///< at least one; of different stages
  Prediction prediction = {};
  double bits = 0;  ///< the description length of the edits: the fewer the likelier
  /// What these findings do to a model, in figures: "the rows of positions 0 and 4096 are equal". Whole
  /// sentences; may be empty.
  std::string consequence = {};
  /// The edited computation, apart from damage; null where tensors are none of sines and cosines.
  std::shared_ptr<const Computation> computation = {};
};

/// "the base is 500000, not 10000, and positions are larger by 1"
std::string sentence_of(const Explanation& explanation);

/// A frequency as the elements of a pair leave it: by none beyond found +- uncertainty are all of them within
/// their budgets.
struct RecoveredFrequency {
  int pair = 0;
  double declared = 0;     ///< radians a position
  double found = 0;        ///< negative where the pair turns the other way
  double uncertainty = 0;  ///< of `found`, absolute

  /// Whether the pair turns otherwise than declared.
  bool differs() const { return !(std::fabs(found - declared) <= uncertainty); }
};

/// A computation that was tried, beside some rows of the tensors.
struct TriedComputation {
  std::string sentence;  ///< what is edited in the declared one
  double bits = 0;       ///< the description length of the edits
  Prediction sample;     ///< of these rows
  std::string outcome;   ///< why it is told, or not
};

/// Why tensors fail.
struct Diagnosis {
  std::string roles = {};  ///< the tensors that it is of: "cos, sin"
  /// Those that predict every conclusive element, the likeliest first, and of the others those that are as
  /// likely within 3 bits. Empty: unexplained.
  std::vector<Explanation> explanations = {};
  /// Of unexplained tensors: the best that predicts most elements, if any does better than the declared
  /// computation, and a sentence that says where the rest lies.
  std::vector<Explanation> partial = {};
  std::string rest = {};
  /// Of unexplained tensors: what they hold, as far as it can be read. A clause without a capital or a full
  /// stop.
  std::string held = {};
  std::size_t searched = 0;  ///< how many computations were tried
  /// Of these those that leave the fewest elements, each with one edit; empty of tensors that are none of
  /// sines and cosines.
  std::vector<TriedComputation> tried = {};
  std::vector<RecoveredFrequency> frequencies = {};
  /// Of what the explanations are edits; null where tensors are none of sines and cosines.
  std::shared_ptr<const Computation> declared = {};

  bool is_explained() const { return !explanations.empty(); }
};

}  // namespace vernier
