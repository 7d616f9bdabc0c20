#pragma once

#include <cfenv>
#include <map>
#include <string>
#include <utility>

#include "numerics/processes/live_implementation.hpp"
#include "reports/bindings/library/vernier.h"
#include "reports/verdict/verdict.hpp"

/// What an implementation has answered so far.
struct VernierAnswer {
  std::map<std::string, vernier::Tensor, std::less<>> tensors;
  std::string reason;
};

namespace vernier {

/// The implementation said that it wants no more questions.
struct StoppedByCaller {};

/// A floating-point environment for as long as this lives.
class InEnvironment {
 public:
  explicit InEnvironment(const std::fenv_t* environment) {
    std::fegetenv(&before_);
    std::fesetenv(environment);
  }
  InEnvironment(const InEnvironment&) = delete;
  InEnvironment& operator=(const InEnvironment&) = delete;
  ~InEnvironment() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_ = {};
};

/// What a call of the library asks, and whom.
struct LiveCall {
  const char* spec;
  const char* options;
  VernierImplementation function;
  void* user;
  const std::fenv_t& environment;  ///< of the caller
};

/// The function of a call, which outlives this. It runs in the caller's floating-point environment.
class CalledImplementation final : public LiveImplementation {
 public:
  CalledImplementation(const LiveCall& asked, std::string name, Takes takes)
      : asked_(asked), name_(std::move(name)), takes_(takes) {}

  std::string description() const override { return name_; }
  std::string name() const override { return name_; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  bool can_start_afresh() const override { return false; }
  Takes takes() const override { return takes_; }
  /// \throws StoppedByCaller
  Response ask(const Request& request) override;
  /// Asks without waiting for an answer. \throws StoppedByCaller
  void tell(const Request& request) const;

 private:
  std::int32_t call(const Request& request, VernierAnswer* answer) const;

  const LiveCall& asked_;
  std::string name_;
  Takes takes_;
};

/// As vernier_validate() says. \throws InputError, StoppedByCaller
Verdict judge_called(const LiveCall& call);

/// As vernier_questions() says. \throws InputError, StoppedByCaller
void tell_questions(const LiveCall& call);

}  // namespace vernier
