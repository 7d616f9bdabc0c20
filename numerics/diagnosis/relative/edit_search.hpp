#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/finding.hpp"

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
};

/// The first two of these, by estimates of single elements. \param may_predict whether a model may have the
/// element at a place
template <class Model, class Place, class May>
ModelChecks<Model> checks_by(const std::vector<Place>& screen, const std::vector<Place>& sample,
                             const May& may_predict) {
  return {[screen, may_predict](const Model& model) {
            return std::ranges::all_of(screen, [&](const Place& place) { return may_predict(model, place); });
          },
          [sample, may_predict](const Model& model) {
            const auto fails = [&](const Place& place) { return !may_predict(model, place); };
            return static_cast<double>(std::ranges::count_if(sample, fails)) /
                   static_cast<double>(sample.size());
          },
          nullptr};
}

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
  /// \param failing how many elements the declared computation fails to predict
  EditSearch(Model declared, const ModelEdits<Model>& edits, const ModelChecks<Model>& checks,
             std::uint64_t failing)
      : declared_(std::move(declared)),
        edits_(edits),
        checks_(checks),
        most_bits_(most_bits_for(failing)),
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

/// A tensor that fails, and all that its diagnosis asks for.
template <class Model>
struct FailingSubject {
  NearestModel<Model> start;  ///< what is declared, or what else is sure of the tensor
  Prediction declared;        ///< of all elements
  std::uint64_t failing = 0;  ///< how many of them `start` fails to predict
  ModelEdits<Model> edits;
  ModelChecks<Model> checks;
  std::function<Prediction(const Model&)> count;  ///< of all elements
  std::vector<Explanation> others = {};           ///< that explain it as well
  std::function<std::string()> consequence;
  /// Where the elements are that nothing predicts. \param nearest null where no edit leaves fewer of them
  std::function<std::string(const Model* nearest)> rest;
};

/// Explains the tensor, or else says what is left of it.
template <class Model>
void explain_by_edits(FailingSubject<Model> subject, Diagnosis& diagnosis) {
  const auto& start = subject.start;
  auto result = EditSearch<Model>(start.model, subject.edits, subject.checks, subject.failing).run();
  auto& explanations = result.explanations;
  const auto& nearest = result.nearest;
  const auto begin_with_start = [&](std::vector<Explanation>& all) {
    for (auto& one : all) {
      one.findings.insert(one.findings.begin(), start.findings.begin(), start.findings.end());
      one.bits += start.bits;
    }
  };
  begin_with_start(explanations);
  std::ranges::move(subject.others, std::back_inserter(explanations));
  keep_likeliest(explanations);
  diagnosis.searched = result.searched;
  diagnosis.explanations = std::move(explanations);
  for (auto& explanation : diagnosis.explanations) {
    explanation.consequence = subject.consequence();
  }
  if (diagnosis.is_explained()) {
    return;
  }
  const auto prediction = nearest.findings.empty() ? subject.declared : subject.count(nearest.model);
  const bool is_nearer = prediction.failing > 0 && prediction.failing < subject.declared.failing;
  if (is_nearer) {
    diagnosis.partial = {{nearest.findings, prediction, nearest.bits}};
    begin_with_start(diagnosis.partial);
  }
  diagnosis.rest = subject.rest(is_nearer ? &nearest.model : nullptr);
}

}  // namespace vernier
