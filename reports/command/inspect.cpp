#include <algorithm>
#include <memory>
#include <optional>

#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

struct InspectArguments {
  std::vector<std::string> files;
  std::string against;
  std::string json;
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
  if (!arguments.json.empty()) {
    write_file(arguments.json, inspection_json(inspections).dump(2) + "\n", out);
  }
  if (arguments.json != standard_output) {
    out << inspection_text(inspections, arguments.against);
  }
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
  const auto arguments = std::make_shared<InspectArguments>();
  command.add("FILE", arguments->files);
  command.add("--against", arguments->against);
  command.add("--json", arguments->json);
  return [arguments](std::ostream& out) { return run_inspect(*arguments, out); };
}

}  // namespace vernier
