#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "numerics/processes/live_implementation.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// Answers whatever is asked, in this process, so that the questions can be listened to: sines, and vectors
/// that RoPE rotates by one position each, honestly; all else by zeros.
class StandIn final : public LiveImplementation {
 public:
  /// \param encoding outlives this \param listen is told each question, and may throw
  StandIn(const Encoding& encoding, const Takes& takes, std::function<void(const Request&)> listen)
      : encoding_(encoding), takes_(takes), listen_(std::move(listen)) {}

  std::string description() const override { return "a stand-in"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Takes takes() const override { return takes_; }
  Response ask(const Request& request) override;

 private:
  /// Null if there is no such table.
  const TableUnderTest* table(const WantedTensor& wanted);
  const RotationUnderTest* rotation(const WantedTensor& wanted);
  Tensor answer(const Request& request, const WantedTensor& wanted);
  Response at_real_positions(const Request& request);

  /// One of the encoding that counts in a fraction.
  struct Finer {
    std::unique_ptr<Encoding> encoding;
    std::unique_ptr<StandIn> stand_in;
  };

  const Encoding& encoding_;
  Takes takes_;
  std::function<void(const Request&)> listen_;
  std::map<std::tuple<std::string, std::size_t, ElementType>, std::unique_ptr<TableUnderTest>> tables_;
  std::map<std::pair<std::string, ElementType>, std::unique_ptr<RotationUnderTest>> rotations_;
  std::map<int, Finer> finer_;  ///< by binary places of the fraction
};

}  // namespace vernier
