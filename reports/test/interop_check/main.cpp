// vernier_interop_check LIST ID [required]: validates an implementation of a list as `vernier validate` does,
// on each of its encodings of which a verdict is expected, and compares the verdicts. Leaves with 0 if they
// are as expected, 1 if one is not, and 77 where the implementation is absent: 1 if it is required.

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/implementations/implementation_list.hpp"
#include "reports/words/program_end.hpp"

namespace vernier {
namespace {

constexpr int as_expected = 0;
constexpr int unexpected = 1;
constexpr int skipped = 77;

/// Fewer than usual: the laws are tried on many implementations here, and proved able to fail elsewhere.
constexpr std::string_view cases_of_a_law = "30";
/// The same each time, as what is expected is a list.
constexpr std::string_view seed = "20170612";

using Words = std::vector<std::string>;

Words validate_command_line(const ListedImplementation& implementation, const ListedEncoding& encoding) {
  const bool is_plugin = implementation.server.empty();
  return {"vernier",
          "validate",
          "--spec",
          encoding.spec.string(),
          is_plugin ? "--plugin" : "--serve",
          is_plugin ? implementation.plugin.string() : implementation.server,
          "--positions",
          "0:" + std::to_string(encoding.positions),
          "--quick",
          "--all",
          "--dtype",
          std::string(traits(encoding.type).name),
          "--contract",
          encoding.contract,
          "--cases",
          std::string(cases_of_a_law),
          "--seed",
          std::string(seed),
          "--json",
          "-"};
}

nlohmann::json verdict_of(const Words& command_line) {
  const auto words = mapped(command_line, [&](const auto& word) { return word.c_str(); });
  std::ostringstream out;
  run_command_line(static_cast<int>(words.size()), words.data(), out);
  return nlohmann::json::parse(out.str());
}

Words checks_with(const nlohmann::json& verdict, std::string_view status) {
  Words ids;
  for (const auto& check : verdict.at("checks")) {
    if (check.at("status") == status) {
      ids.push_back(check.at("id"));
    }
  }
  std::ranges::sort(ids);
  return ids;
}

void print_checks(const nlohmann::json& verdict) {
  for (const auto& check : verdict.at("checks")) {
    std::cout << "  " << check.at("status").get<std::string>() << " " << check.at("id").get<std::string>()
              << ": " << check.value("reason", "") << "\n";
  }
}

int judge(const ListedImplementation& implementation, const ListedEncoding& encoding, bool required) {
  const auto absent = [&](const std::string& reason) {
    std::cout << implementation.name << " is not here: " << reason << "\n";
    return required ? unexpected : skipped;
  };
  if (implementation.absent) {
    return absent(*implementation.absent);
  }
  const auto verdict = verdict_of(validate_command_line(implementation, encoding));
  std::cout << verdict.at("reproduce").get<std::string>() << "\n"
            << verdict.at("summary").get<std::string>() << "\n";
  print_checks(verdict);
  if (verdict.at("verdict") == "nothing_checked") {
    return absent("it did nothing that it was asked");
  }
  auto failing = encoding.failing;
  std::ranges::sort(failing);
  const std::string expected = *encoding.conforms ? "conforms" : "does_not_conform";
  if (verdict.at("verdict") == expected && checks_with(verdict, "fail") == failing) {
    return as_expected;
  }
  std::cout << "expected: " << expected << " (" << encoding.reason << ")";
  for (const auto& id : failing) {
    std::cout << "; " << id << " fails";
  }
  std::cout << "\n";
  return unexpected;
}

int run(std::span<const char* const> arguments) {
  refuse_if(arguments.size() < 3 || arguments.size() > 4, "usage: vernier_interop_check LIST ID [required]");
  const std::string_view id = arguments[2];
  const auto list = read_implementation_list(arguments[1]);
  const auto found = std::ranges::find(list, id, &ListedImplementation::id);
  std::vector<int> results;
  if (found != list.end()) {
    for (const auto& encoding : found->encodings) {
      if (encoding.conforms) {
        results.push_back(judge(*found, encoding, arguments.size() == 4));
      }
    }
  }
  if (results.empty()) {
    throw InputError(std::string(arguments[1]) + ": found no encoding of " + std::string(id) +
                     " with a verdict to be expected, expected one");
  }
  return std::ranges::count(results, unexpected) > 0 ? unexpected : std::ranges::max(results);
}

}  // namespace
}  // namespace vernier

int main(int argument_count, char** arguments) {
  const auto work = [&] { return vernier::run({arguments, static_cast<std::size_t>(argument_count)}); };
  return vernier::exit_code_of(work, "vernier_interop_check", std::cerr);
}
