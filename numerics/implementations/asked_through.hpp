#pragma once

#include "numerics/implementations/live_implementation.hpp"

namespace vernier {

/// An implementation that is asked through something that puts questions into a form that it takes.
class AskedThrough : public LiveImplementation {
 public:
  /// \param inner outlives this
  explicit AskedThrough(LiveImplementation& inner) : inner_(inner) {}

  std::string description() const override { return inner_.description(); }
  std::string name() const override { return inner_.name(); }
  bool observes_memory() const override { return inner_.observes_memory(); }
  bool costs_a_process() const override { return inner_.costs_a_process(); }
  bool can_start_afresh() const override { return inner_.can_start_afresh(); }
  Takes takes() const override { return inner_.takes(); }
  void start_afresh() override { inner_.start_afresh(); }
  Response ask(const Request& request) override { return inner_.ask(request); }

 protected:
  LiveImplementation& inner() { return inner_; }
  const LiveImplementation& inner() const { return inner_; }

 private:
  LiveImplementation& inner_;
};

}  // namespace vernier
