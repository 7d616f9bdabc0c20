#include <algorithm>
#include <optional>

#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

struct InspectArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("FILE");
  const std::string& against = command.given<std::string>("--against");
  const std::string& json = command.given<std::string>("--json");
};

/// Files that cannot be read are told last, so that the others are told at all.
int run_inspect(const InspectArguments& arguments, std::ostream& out) {
  const auto expected =
      arguments.against.empty() ? std::nullopt : std::optional(read_expectation(arguments.against));
  std::vector<Inspection> inspections;
  std::optional<InputError> unread;
  for (const auto& file : arguments.files) {
    try {
      inspections.push_back(inspect(file, expected));
    } catch (const InputError& error) {
      unread = unread ? unread : std::optional(error);
    }
  }
  write_findings(arguments.json, inspection_json(inspections).dump(2) + "\n",
                 inspection_text(inspections, arguments.against), out);
  if (unread) {
    throw InputError(*unread);
  }
  if (std::ranges::any_of(inspections, [](const Inspection& one) { return !one.findings.empty(); })) {
    return 1;
  }
  const bool is_judged = std::ranges::any_of(inspections, &Inspection::is_judged);
  return arguments.against.empty() || is_judged ? 0 : 4;
}

}  // namespace

Action declare_inspect(ArgumentParser& command) {
  return declared(command, run_inspect);
}

}  // namespace vernier
