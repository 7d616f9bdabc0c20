#pragma once

#include <array>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

#include "reports/command/argument_parser.hpp"

namespace vernier {

/// Does what a command line asked for. \param out standard output \return the exit code
using Action = std::function<int(std::ostream& out)>;

/// Declares the arguments of a command. \return the action, which owns them and is called once they are read
using Declaration = Action(ArgumentParser& command);

/// A command. What it is for stands in commands.json.
struct Command {
  std::string_view name;
  Declaration* declare;
};

/// The action of a command. \param run does the work; its arguments are an aggregate that begins with the
/// parser, by which its members declare themselves \param also_read as ArgumentParser::also_reads()
template <class Arguments>
Action declared(ArgumentParser& command, int (*run)(const Arguments& arguments, std::ostream& out),
                std::vector<FileArgument> (*also_read)(const Arguments& arguments) = nullptr) {
  const std::shared_ptr<const Arguments> arguments(new Arguments{command});
  if (also_read != nullptr) {
    command.also_reads([=] { return also_read(*arguments); });
  }
  return [=](std::ostream& out) { return run(*arguments, out); };
}

Declaration declare_init, declare_report, declare_validate, declare_certify, declare_compare, declare_request,
    declare_value, declare_hardest, declare_table, declare_vectors, declare_sweep, declare_merge,
    declare_atlas, declare_tolerance, declare_spec, declare_inspect, declare_readers, declare_survey,
    declare_arithmetic, declare_cost, declare_list, declare_explain, declare_help, declare_completion,
    declare_man;

/// Every command, in the order of the manual. A new one is a file here, which declares it, a line above and
/// below, and its texts in commands.json.
inline constexpr std::array commands{Command{"init", declare_init},
                                     Command{"report", declare_report},
                                     Command{"validate", declare_validate},
                                     Command{"certify", declare_certify},
                                     Command{"compare", declare_compare},
                                     Command{"request", declare_request},
                                     Command{"value", declare_value},
                                     Command{"hardest", declare_hardest},
                                     Command{"table", declare_table},
                                     Command{"vectors", declare_vectors},
                                     Command{"sweep", declare_sweep},
                                     Command{"merge", declare_merge},
                                     Command{"atlas", declare_atlas},
                                     Command{"tolerance", declare_tolerance},
                                     Command{"spec", declare_spec},
                                     Command{"inspect", declare_inspect},
                                     Command{"readers", declare_readers},
                                     Command{"survey", declare_survey},
                                     Command{"arithmetic", declare_arithmetic},
                                     Command{"cost", declare_cost},
                                     Command{"list", declare_list},
                                     Command{"explain", declare_explain},
                                     Command{"help", declare_help},
                                     Command{"completion", declare_completion},
                                     Command{"man", declare_man}};

}  // namespace vernier
