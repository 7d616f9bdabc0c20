#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerics/live/live_implementation.hpp"
#include "reports/rates/design.hpp"

namespace vernier::rates {

/// A design at work: an implementation that is asked. It lives in this process, and so long is what it
/// remembers.
class Model final : public LiveImplementation {
 public:
  explicit Model(const Design& design) : design_(design) {}

  std::string description() const override { return design_.words.empty() ? "" : design_.words.front(); }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override;

 private:
  class Answer;

  const Design& design_;
  History before_;
};

}  // namespace vernier::rates
