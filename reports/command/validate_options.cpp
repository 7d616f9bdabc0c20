#include "reports/command/validate_options.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "numerics/asking/program.hpp"
#include "numerics/plugin/vernier_plugin.h"
#include "numerics/processes/plugin_process.hpp"
#include "numerics/processes/takes.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/verdict/waivers.hpp"
#include "reports/words/file.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int time_digits = 6;

/// The options of the tensors that an encoding has, as an example.
std::string example_of_tensors(const Encoding& encoding) {
  constexpr std::size_t most = 2;
  std::vector<std::string_view> roles;
  for (const auto& definition : encoding.tensors()) {
    const auto role = role_of(definition);
    if (roles.size() < most && std::ranges::find(roles, role) == roles.end()) {
      roles.push_back(role);
    }
  }
  std::string options;
  for (const auto role : roles) {
    options += fmt::format(" --{} {}.npy", option_name(role), role);
  }
  return options;
}

std::chrono::milliseconds time_of(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

/// What somebody wrote about a failure is not replaced by a draft.
void require_new_file(const WaiversOption& option) {
  if (option.draft.empty()) {
    return;
  }
  refuse_if(!option.file.empty(), "--write-waivers: found --waivers beside it, expected one of the two");
  refuse_if(option.draft == standard_output, "--write-waivers: found \"-\", expected the name of a file");
  refuse_if(std::filesystem::exists(std::filesystem::symlink_status(option.draft)),
            "--write-waivers: {}: exists already, expected a new file", one_line(option.draft));
}

}  // namespace

std::string option_name(std::string_view role) {
  std::string name(role);
  std::ranges::replace(name, '_', '-');
  return name;
}

void refuse_no_tensors(const SpecOption& spec, const Encoding& encoding) {
  throw InputError(
      "{}: nothing to judge: found no tensors, expected `vernier validate --{} {}{}`, or --plugin, --serve "
      "or --exec",
      spec.source(), spec.model.empty() ? "spec" : "model",
      shell_word(spec.model.empty() ? spec.file : spec.model), example_of_tensors(encoding));
}

std::vector<GivenOption> ProgramsOption::given() const {
  return filtered(std::vector<GivenOption>{{"plugin", plugin}, {"exec", exec}, {"serve", server}},
                  [](const GivenOption& option) { return !option.second.empty(); });
}

std::vector<GivenOption> LiveOption::words() const {
  auto result = programs.given();
  result.emplace_back("request", request);
  result.emplace_back("response", response);
  if (is_asked()) {
    result.emplace_back("replay", replay);
    result.emplace_back("takes", takes);
    result.emplace_back("seed", std::to_string(seed));
    result.emplace_back("cases", std::to_string(cases));
    result.emplace_back("time-limit", time_limit == 0 ? "" : significant_text(time_limit, time_digits));
  }
  return result;
}

void require_one_way(const LiveOption& option) {
  refuse_if(option.programs.given().size() + (option.is_answered() ? 1 : 0) > 1,
            "validate: found more than one of --plugin, --exec, --serve and --response, expected one");
  refuse_if(!option.replay.empty() && !option.is_asked(),
            "validate: found --replay alone, expected --plugin, --serve or --exec beside it");
  refuse_if(option.quick && option.thorough,
            "validate: found --quick beside --thorough, expected one of the two");
  refuse_if(option.response.empty() != option.request.empty(),
            "validate: found --{} alone, expected --request and --response together",
            option.request.empty() ? "response" : "request");
}

std::unique_ptr<LiveImplementation> make_implementation(const GivenOption& program,
                                                        const std::function<void()>& pause,
                                                        const std::string& takes, double time_limit) {
  const auto& [option, value] = program;
  if (option == "plugin") {
    PluginOptions options{.takes = parse_takes(takes, "--takes"), .pause = pause};
    options.time_limit = time_limit == 0 ? options.time_limit : time_of(time_limit);
    auto plugin = std::make_unique<PluginProcess>(value, options);
    // One that crashes or hangs as it is loaded is judged: it is a plug-in.
    if (const auto& loading = plugin->loading(); loading.status == ResponseStatus::malformed) {
      throw InputError("{}: {}, expected a shared library that exports vernier_plugin of ABI version {}",
                       value, loading.reason, VERNIER_PLUGIN_ABI_VERSION);
    }
    return plugin;
  }
  ProgramOptions options{.takes = parse_takes(takes, "--takes"), .pause = pause};
  options.time_limit = time_limit == 0 ? options.time_limit : time_of(time_limit);
  if (option == "serve") {
    return std::make_unique<ServerImplementation>(value, options);
  }
  return std::make_unique<CommandImplementation>(CommandLine(value), options);
}

DatedWaivers read_waivers_option(const WaiversOption& option) {
  refuse_if(option.file.empty() && option.draft.empty() && !option.date.empty(),
            "--date: found neither --waivers nor --write-waivers beside it, expected one of the two");
  require_new_file(option);
  return {option.file.empty() ? std::vector<Waiver>() : read_waivers(option.file),
          day_or_today(option.date, "--date")};
}

void write_waivers_option(const WaiversOption& option, const Verdict& verdict,
                          std::chrono::year_month_day today, std::ostream& remarks) {
  if (option.draft.empty()) {
    return;
  }
  const auto waivers = drafted_waivers(verdict, today);
  write_file(option.draft, waivers.dump(2) + "\n", remarks);
  remarks << "vernier: " << one_line(option.draft) << ": ";
  if (waivers.empty()) {
    remarks << "waives nothing, for nothing fails\n";
    return;
  }
  remarks << "waives " << counted(waivers.size(), "failing check", "failing checks") << " until "
          << waivers.front()["expires"].get<std::string>() << "; replace the reasons and the issues";
  if (verdict.seed) {
    remarks << ", and give --seed " << *verdict.seed << ", for other draws may fail worse";
  }
  remarks << "\n";
}

}  // namespace vernier
