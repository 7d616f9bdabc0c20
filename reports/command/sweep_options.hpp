#pragma once

#include <string>
#include <vector>

#include "reports/command/argument_parser.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"

namespace vernier {

/// What is swept, as a command line says it, and how.
struct SweepOptions {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const Words& models = command.given<Words>("--models");  ///< in place of a spec: several of the catalogue
  const Words& recipes = command.given<Words>("--recipe");
  const std::string& positions = command.given<std::string>("--positions");
  const Words& dtypes = command.given<Words>("--dtype");  ///< none: each recipe's own
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& state = command.given<std::string>("--state");
  const LongWorkOption work{command};
};

/// What the options name: every recipe in every type of every model, in this order. \param command its name,
/// for errors \throws InputError
std::vector<NamedSweepPlan> read_sweep_plans(const std::string& command, const SweepOptions& options);

}  // namespace vernier
