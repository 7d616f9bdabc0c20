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

/// An option without its dashes, and its value.
using GivenOption = std::pair<std::string, std::string>;

/// Programs to ask, as the command line gave them.
struct ProgramsOption {
  ArgumentParser& command;
  const std::string& plugin = command.given<std::string>("--plugin");  ///< a shared library
  const std::string& exec = command.given<std::string>("--exec");      ///< with {request} and {response}
  const std::string& server = command.given<std::string>("--serve");   ///< stays and is asked line by line

  std::vector<GivenOption> given() const;
};

/// An implementation to ask in place of tensors, as the command line gave it.
struct LiveOption {
  ArgumentParser& command;
  const ProgramsOption programs{command};
  const std::string& request = command.given<std::string>("--request");    ///< that somebody answered
  const std::string& response = command.given<std::string>("--response");  ///< what they wrote
  /// A list of recorded calls, to ask in place of Vernier's own questions.
  const std::string& replay = command.given<std::string>("--replay");
  const double& time_limit = command.given<double>("--time-limit");  ///< seconds a question; 0: the default
  const int& cases = command.given<int>("--cases", 100);             ///< of each law
  const std::string& takes = command.given<std::string>("--takes");  ///< beside what the program says itself
  const bool& bitwise = command.given<bool>("--bitwise");  ///< other bits of the same answer are a failure
  const bool& all = command.given<bool>("--all");          ///< everything is asked after a failure too
  const std::uint64_t& seed = command.given<std::uint64_t>("--seed", fresh_seed());
  const bool& quick = command.given<bool>("--quick");
  const bool& thorough = command.given<bool>("--thorough");

  /// Whether there is an implementation to ask.
  bool is_asked() const { return !programs.given().empty(); }
  /// Whether a response is to be judged.
  bool is_answered() const { return !response.empty() || !request.empty(); }
  bool given() const { return is_asked() || is_answered(); }
  /// The options that say the same again.
  std::vector<GivenOption> words() const;
};

/// The option that names a tensor: "relative-positions".
std::string option_name(std::string_view role);

/// Tells who gave a spec alone what it can be given with. \throws InputError
[[noreturn]] void refuse_no_tensors(const SpecOption& spec, const Encoding& encoding);

/// \throws InputError if more than one way to ask is given, or a small sample and a thorough look
void require_one_way(const LiveOption& option);

/// \param program of ProgramsOption::given() \param takes, time_limit as of LiveOption
/// \param pause called ten times a second while it is waited for; what it throws ends it and is passed on
/// \throws InputError for a command that cannot be one, or a library that is no plug-in
std::unique_ptr<LiveImplementation> make_implementation(const GivenOption& program,
                                                        const std::function<void()>& pause,
                                                        const std::string& takes = {}, double time_limit = 0);

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
