#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "reports/measures/rates/design.hpp"

namespace vernier::rates {

/// A design at work: an implementation that is asked. It lives in this process, and so long is what it
/// remembers.
class Model final : public LiveImplementation {
 public:
  /// \param design outlives the model
  explicit Model(const Design& design);

  std::string description() const override { return design_.words.empty() ? "" : design_.words.front(); }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }
  Takes takes() const override { return {.contiguous_only = design_.contiguous_only}; }
  void start_afresh() override {
    before_.clear();
    last_.reset();
  }
  Response ask(const Request& request) override;

 private:
  class Answer;

  const Design& design_;
  // What its encoding defines, which takes longer to ask for than a row takes to compute.
  std::vector<TrigTable> tables_;
  std::vector<TurnedTable> multi_axis_;
  std::vector<TurnedTable> scaled_;
  std::vector<ExactTable> values_;
  std::vector<BiasTable> biases_;
  AskedBefore before_;
  std::optional<QuestionPoint> last_;
};

/// Vectors to rotate: normal numbers, none beyond the bound. \param like of its type and shape
Tensor normal_vectors(const Tensor& like, std::uint64_t seed,
                      double bound = std::numeric_limits<double>::infinity());

}  // namespace vernier::rates
