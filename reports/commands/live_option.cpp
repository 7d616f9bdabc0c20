#include "reports/commands/live_option.hpp"

#include <chrono>

#include "numerics/implementations/plugin_process.hpp"
#include "numerics/implementations/program.hpp"
#include "numerics/implementations/takes.hpp"
#include "numerics/plugin/vernier_plugin.h"
#include "reference/input_error.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr auto live_group = "Implementations that are asked";
constexpr double longest_time = 86400;
constexpr int most_cases = 1000000;
constexpr int time_digits = 6;

std::chrono::milliseconds time_of(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> LiveOption::words() const {
  std::vector<std::pair<std::string, std::string>> result{
      {"plugin", plugin}, {"exec", command}, {"serve", server}, {"request", request}, {"response", response}};
  if (is_asked()) {
    result.emplace_back("takes", takes);
    result.emplace_back("seed", std::to_string(questions.seed));
    result.emplace_back("cases", std::to_string(cases));
    result.emplace_back("time-limit", time_limit == 0 ? "" : significant_text(time_limit, time_digits));
  }
  return result;
}

void add_live_option(ArgumentParser& command, LiveOption& option) {
  command.add("--plugin", option.plugin, "a shared library that exports vernier_plugin (vernier_plugin.h)")
      .named("FILE")
      .in_group(live_group);
  command
      .add("--exec", option.command,
           "a command with {request} and {response} in it: it reads the one file and writes the other, both "
           ".safetensors; exit code 77 for what it does not support")
      .named("COMMAND")
      .in_group(live_group);
  command
      .add(
          "--serve", option.server,
          "a command that stays: it reads a line {\"id\": 1, \"request\": FILE, \"response\": FILE} for each "
          "question from its standard input, and writes {\"id\": 1} once it has answered")
      .named("COMMAND")
      .in_group(live_group);
  command
      .add("--request", option.request,
           "a file that vernier request wrote, where the implementation runs elsewhere; its spec is the "
           "one judged by")
      .named("FILE")
      .in_group(live_group);
  command.add("--response", option.response, "what the implementation answered to it")
      .named("FILE")
      .in_group(live_group);
  command
      .add("--time-limit", option.time_limit,
           "seconds for one question; default 60 for a command or server, 10 for a plug-in")
      .named("SECONDS")
      .between(0.001, longest_time)
      .in_group(live_group);
  command.add("--cases", option.cases, "cases of each law")
      .shows_default()
      .between(1, most_cases)
      .in_group(live_group);
  command
      .add("--takes", option.takes,
           "what the implementation takes, where it does not say so itself: contiguous (positions k, k + 1, "
           "... "
           "only), one-length (one number of positions a process), batched-positions (positions [B, T] too), "
           "gradients (those of rotated vectors too), float32-positions or float64-positions (real ones), or "
           "several")
      .usually(words_of_takes)
      .in_group(live_group);
  command
      .add_flag("--bitwise", option.bitwise,
                "fail an answer that has other bits when it is asked for again, within its budget too")
      .in_group(live_group);
  command
      .add_flag("--all", option.all,
                "ask everything after a failure too; by default checks are left out once they have taken as "
                "long again as it took to find the failure, and at least ten seconds")
      .in_group(live_group);
  add_questions_options(command, option.questions, live_group);
  command
      .add_flag("--thorough", option.questions.thorough,
                "ask ten times as many questions about how it behaves, of no other kinds")
      .in_group(live_group);
}

void require_one_way(const LiveOption& option) {
  const int ways = (option.plugin.empty() ? 0 : 1) + (option.command.empty() ? 0 : 1) +
                   (option.server.empty() ? 0 : 1) + (option.is_answered() ? 1 : 0);
  if (ways > 1) {
    throw InputError(
        "validate: found more than one of --plugin, --exec, --serve and --response, expected one");
  }
  if (option.questions.quick && option.questions.thorough) {
    throw InputError("validate: found --quick beside --thorough, expected one of the two");
  }
  if (option.response.empty() != option.request.empty()) {
    throw InputError("validate: found --{} alone, expected --request and --response together",
                     option.request.empty() ? "response" : "request");
  }
}

std::unique_ptr<LiveImplementation> make_implementation(const LiveOption& option,
                                                        const std::function<void()>& pause) {
  if (!option.plugin.empty()) {
    PluginOptions options{.pause = pause};
    options.time_limit = option.time_limit == 0 ? options.time_limit : time_of(option.time_limit);
    options.takes = parse_takes(option.takes, "--takes");
    auto plugin = std::make_unique<PluginProcess>(option.plugin, options);
    // One that crashes or hangs as it is loaded is judged: it is a plug-in.
    if (const auto& loading = plugin->loading(); loading.status == ResponseStatus::malformed) {
      throw InputError("{}: {}, expected a shared library that exports vernier_plugin of ABI version {}",
                       option.plugin, loading.reason, VERNIER_PLUGIN_ABI_VERSION);
    }
    return plugin;
  }
  ProgramOptions options{.takes = parse_takes(option.takes, "--takes"), .pause = pause};
  options.time_limit = option.time_limit == 0 ? options.time_limit : time_of(option.time_limit);
  if (!option.server.empty()) {
    return std::make_unique<ServerImplementation>(option.server, options);
  }
  return std::make_unique<CommandImplementation>(CommandLine(option.command), options);
}

}  // namespace vernier
