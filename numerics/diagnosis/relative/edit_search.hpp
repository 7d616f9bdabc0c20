#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/finding.hpp"

namespace vernier {

/// An edit of the computation that `Model` describes.
template <class Model>
struct ModelEdit {
  Finding finding;
  double bits = 0;
  /// Edits of one order exclude each other; of two orders the lower is made first.
  int order = 0;
  std::function<void(Model&)> apply;
};

template <class Model>
using ModelEdits = std::vector<ModelEdit<Model>>;

/// How a computation is held against the tensor, from the cheapest on.
template <class Model>
struct ModelChecks {
  /// False if a few elements refute it.
  std::function<bool(const Model&)> survives_screen;
  /// The share of a sample of elements that it fails to predict.
  std::function<double(const Model&)> failing_share;
  /// Of all elements, or of those up to the first that it fails to predict.
  std::function<Prediction(const Model&)> predict;
  /// How many elements the declared computation fails to predict.
  std::uint64_t failing = 0;
};

/// A computation that comes nearer to the tensor than the declared one, but does not predict it.
template <class Model>
struct NearestModel {
  Model model;
  std::vector<Finding> findings = {};  ///< empty for the declared one
  double bits = 0;
  double failing_share = 1;
};

template <class Model>
struct SearchResult {
  std::vector<Explanation> explanations;
  NearestModel<Model> nearest;
  std::size_t searched = 0;
};

/// An explanation that takes as much to describe as the elements that it explains is none.
inline double most_bits_for(std::uint64_t failing) {
  constexpr double most_bits = 60;
  return std::min(most_bits, damaged_bits * static_cast<double>(failing));
}

/// Tries every edit, and every two of different orders, the likeliest first.
template <class Model>
class EditSearch {
 public:
  EditSearch(Model declared, const ModelEdits<Model>& edits, const ModelChecks<Model>& checks)
      : declared_(std::move(declared)),
        edits_(edits),
        checks_(checks),
        most_bits_(most_bits_for(checks.failing)),
        result_{{}, {declared_}, 0} {}

  SearchResult<Model> run() {
    try_edits(single_edits());
    try_edits(pairs_of_edits());
    keep_likeliest(result_.explanations);
    if (result_.explanations.empty()) {
      look_for_nearest();
    }
    return std::move(result_);
  }

 private:
  struct Candidate {
    std::vector<const ModelEdit<Model>*> edits;
    double bits;
  };

  std::vector<Candidate> single_edits() const {
    std::vector<Candidate> candidates;
    for (const auto& edit : edits_) {
      candidates.push_back({{&edit}, edit.bits});
    }
    return candidates;
  }

  /// Those of which neither explains the tensor alone: a second edit that changes nothing is none.
  std::vector<Candidate> pairs_of_edits() const {
    std::vector<Candidate> candidates;
    for (const auto& first : edits_) {
      for (const auto& second : edits_) {
        const double bits = first.bits + second.bits;
        if (first.order < second.order && bits <= most_bits() && !explains(&first) && !explains(&second)) {
          candidates.push_back({{&first, &second}, bits});
        }
      }
    }
    return candidates;
  }

  double most_bits() const {
    double most = most_bits_;
    for (const auto& explanation : result_.explanations) {
      most = std::min(most, explanation.bits + equally_likely_bits);
    }
    return most;
  }

  bool explains(const ModelEdit<Model>* edit) const {
    return std::ranges::find(explaining_, edit) != explaining_.end();
  }

  void try_edits(std::vector<Candidate> candidates) {
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    for (const auto& candidate : candidates) {
      if (predictions_ == most_predictions || candidate.bits > most_bits()) {
        return;
      }
      try_candidate(candidate);
    }
  }

  Model edited(const Candidate& candidate) const {
    auto model = declared_;
    for (const auto* edit : candidate.edits) {
      edit->apply(model);
    }
    return model;
  }

  void try_candidate(const Candidate& candidate) {
    ++result_.searched;
    const auto model = edited(candidate);
    if (!checks_.survives_screen(model)) {
      return;
    }
    ++predictions_;
    const auto prediction = checks_.predict(model);
    if (!prediction.is_proved()) {
      return;
    }
    result_.explanations.push_back({findings_of(candidate), prediction, candidate.bits});
    if (candidate.edits.size() == 1) {
      explaining_.push_back(candidate.edits.front());
    }
  }

  void look_for_nearest() {
    result_.nearest.failing_share = checks_.failing_share(declared_);
    for (const auto& candidate : single_edits()) {
      auto model = edited(candidate);
      const double share = checks_.failing_share(model);
      if (share < result_.nearest.failing_share) {
        result_.nearest = {std::move(model), findings_of(candidate), candidate.bits, share};
      }
    }
  }

  static std::vector<Finding> findings_of(const Candidate& candidate) {
    std::vector<Finding> findings;
    for (const auto* edit : candidate.edits) {
      findings.push_back(edit->finding);
    }
    return findings;
  }

  static constexpr int most_predictions = 200;

  Model declared_;
  const ModelEdits<Model>& edits_;
  const ModelChecks<Model>& checks_;
  double most_bits_;
  SearchResult<Model> result_;
  std::vector<const ModelEdit<Model>*> explaining_;
  int predictions_ = 0;
};

template <class Model>
SearchResult<Model> search_edits(const Model& declared, const ModelEdits<Model>& edits,
                                 const ModelChecks<Model>& checks) {
  return EditSearch<Model>(declared, edits, checks).run();
}

}  // namespace vernier
