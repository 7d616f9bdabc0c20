#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "numerics/implementations/live_implementation.hpp"
#include "reports/commands/argument_parser.hpp"
#include "reports/commands/questions_option.hpp"

namespace vernier {

/// An implementation to ask in place of tensors, as the command line gave it.
struct LiveOption {
  std::string plugin;     ///< a shared library
  std::string command;    ///< with {request} and {response}
  std::string server;     ///< a command that stays and is asked line by line
  std::string response;   ///< a file that somebody's implementation wrote
  std::string request;    ///< the file that it answered
  double time_limit = 0;  ///< seconds for one question; zero for the default
  int cases = 100;        ///< of each law
  std::string takes;      ///< what the implementation takes, beside what it says itself
  bool bitwise = false;   ///< whether other bits of the same answer are a failure
  bool all = false;       ///< whether everything is asked after a failure too
  QuestionsOption questions;

  /// Whether there is an implementation to ask.
  bool is_asked() const { return !plugin.empty() || !command.empty() || !server.empty(); }
  /// Whether a response is to be judged.
  bool is_answered() const { return !response.empty() || !request.empty(); }
  bool given() const { return is_asked() || is_answered(); }
  /// The options that say the same again, without dashes.
  std::vector<std::pair<std::string, std::string>> words() const;
};

void add_live_option(ArgumentParser& command, LiveOption& option);

/// \throws InputError if more than one way to ask is given, or a small sample and a thorough look
void require_one_way(const LiveOption& option);

/// \param pause called ten times a second while it is waited for; what it throws ends it and is passed on
/// \pre is_asked() \throws InputError for a command that cannot be one, or a library that is no plug-in
std::unique_ptr<LiveImplementation> make_implementation(const LiveOption& option,
                                                        const std::function<void()>& pause);

}  // namespace vernier
