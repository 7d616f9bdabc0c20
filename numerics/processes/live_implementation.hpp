#pragma once

#include <string>

#include "numerics/processes/request.hpp"
#include "numerics/processes/response.hpp"
#include "numerics/processes/takes.hpp"

namespace vernier {

/// Somebody's implementation that can be asked: a plug-in, a command, a function of the caller. It may crash,
/// hang, lie or corrupt its memory; all but the last does so in a process of its own.
class LiveImplementation {
 public:
  LiveImplementation() = default;
  LiveImplementation(const LiveImplementation&) = delete;
  LiveImplementation& operator=(const LiveImplementation&) = delete;
  virtual ~LiveImplementation() = default;

  /// What it is, for people: its own name and version, and where it was found. Third-party text.
  virtual std::string description() const = 0;
  /// Its own name and version alone, as far as it has told them. Third-party text.
  virtual std::string name() const { return {}; }
  /// Whether its memory is watched, so that an answer without side effects means that there were none.
  virtual bool observes_memory() const = 0;
  /// Whether every question costs a process: then few large questions are better than many small ones.
  virtual bool costs_a_process() const = 0;
  /// Whether a new process can be started where one is kept. Not where it lives in the caller's own.
  virtual bool can_start_afresh() const { return true; }
  /// What it says of the questions that it takes, as far as it has said it.
  virtual Takes takes() const { return {}; }
  /// Makes the next question the first of a new process, where a process is kept from one to the next.
  virtual void start_afresh() {}
  /// Asks once. Whatever the implementation does is an answer and throws nothing; after a crash or a timeout
  /// the next question starts afresh. \throws InputError if Vernier itself cannot go on: no disk, no memory
  virtual Response ask(const Request& request) = 0;
};

}  // namespace vernier
