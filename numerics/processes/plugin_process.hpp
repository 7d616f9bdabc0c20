#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "numerics/processes/live_implementation.hpp"
#include "numerics/processes/plugin_memory.hpp"
#include "numerics/processes/runner_process.hpp"
#include "numerics/processes/runner_protocol.hpp"

namespace vernier {

/// How a plug-in is run.
struct PluginOptions {
  std::filesystem::path runner = {};  ///< the runner program; empty: find_plugin_runner()
  std::chrono::milliseconds time_limit = std::chrono::seconds(10);  ///< for loading it, and for each call
  Takes takes = {};                                                 ///< beside what it says itself
  /// Bytes that it may have mapped, tensors not counted.
  std::uint64_t memory = std::uint64_t{8} << 30;
  /// Called ten times a second while it is waited for. What it throws is passed on.
  std::function<void()> pause = [] {};
};

/// A shared library that exports the functions of vernier_plugin.h, in a process of its own that is started
/// again after a crash. One thread at a time may ask.
class PluginProcess final : public LiveImplementation {
 public:
  /// Loads it; if that fails, `loading` and every answer say why.
  /// \throws InputError if there is no such file, or Vernier's runner is missing or cannot work here
  explicit PluginProcess(const std::filesystem::path& library, PluginOptions options = {});

  std::string description() const override;
  std::string name() const override { return name_; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }
  Takes takes() const override { return takes_; }
  void start_afresh() override { runner_.reset(); }
  Response ask(const Request& request) override;

  /// "answered" if it was loaded, and what that did to the floating-point environment; else why it was not.
  const Response& loading() const { return loading_; }

 private:
  void start();
  Response load_outcome(const plugin_protocol::LoadReport& report);
  Response ask_for(const WantedTensor& wanted, const Request& request);
  /// Tells of elements that the answer leaves unwritten; asks once more where there may be some.
  void tell_unwritten(plugin_protocol::Question& question, const WantedTensor& wanted, const PaddedRows& rows,
                      std::byte poison, Response& response);
  Response call(plugin_protocol::Question& question, const std::string& role);
  Response call_outcome(const plugin_protocol::Answer& answer, const std::string& role);
  /// What is said where no message comes.
  struct Clauses {
    std::string when;
    std::string was_late;
    std::string said_else;
  };
  /// Waits for a message. \return why it did not come, if it did not
  std::optional<Response> missing_message(std::span<std::byte> message,
                                          RunnerProcess::Clock::time_point deadline, const Clauses& clauses);
  Response died(const std::string& when) {
    return abandoned(ResponseStatus::crashed, runner_->how_it_ended(when));
  }
  Response abandoned(ResponseStatus status, std::string reason);

  std::filesystem::path library_;
  PluginOptions options_;
  Response loading_;
  std::string name_;  ///< its own name and version; empty if it never said
  Takes takes_;
  std::optional<RunnerProcess> runner_;
  PluginMemory memory_;
  std::uint64_t sequence_ = 0;
};

}  // namespace vernier
