#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "reports/command/argument_parser.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/verdict/waivers.hpp"

namespace vernier {

/// An implementation to ask in place of tensors, as the command line gave it.
struct LiveOption {
  std::string plugin;     ///< a shared library
  std::string command;    ///< with {request} and {response}
  std::string server;     ///< a command that stays and is asked line by line
  std::string response;   ///< a file that somebody's implementation wrote
  std::string request;    ///< the file that it answered
  std::string replay;     ///< a list of recorded calls, to ask in place of Vernier's own questions
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

/// The option that names a tensor: "relative-positions".
std::string option_name(std::string_view role);

/// Tells who gave a spec alone what it can be given with. \throws InputError
[[noreturn]] void refuse_no_tensors(const SpecOption& spec, const Encoding& encoding);

void add_live_option(ArgumentParser& command, LiveOption& option);

/// \throws InputError if more than one way to ask is given, or a small sample and a thorough look
void require_one_way(const LiveOption& option);

/// \param pause called ten times a second while it is waited for; what it throws ends it and is passed on
/// \pre is_asked() \throws InputError for a command that cannot be one, or a library that is no plug-in
std::unique_ptr<LiveImplementation> make_implementation(const LiveOption& option,
                                                        const std::function<void()>& pause);

/// --waivers, --write-waivers and --date, as the command line gave them.
struct WaiversOption {
  ArgumentParser& command;
  const std::string& file = command.given<std::string>("--waivers");
  const std::string& draft = command.given<std::string>("--write-waivers");  ///< the file to write
  const std::string& date = command.given<std::string>("--date");
};

/// The waivers of a run, and its day.
struct DatedWaivers {
  std::vector<Waiver> waivers;
  std::chrono::year_month_day today;
};

/// Reads the waivers that the option names; none without the option. \throws InputError for a file that does
/// not hold waivers, a file to write that exists, or a day that is none
DatedWaivers read_waivers_option(const WaiversOption& option);

/// Writes waivers of all that fails, where that is asked for, and tells of them. \param today that of the run
/// \param remarks gets a sentence \throws InputError if the file cannot be written
void write_waivers_option(const WaiversOption& option, const Verdict& verdict,
                          std::chrono::year_month_day today, std::ostream& remarks);

}  // namespace vernier
