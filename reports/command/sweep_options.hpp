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
  SpecOption spec;
  std::vector<std::string> models;  ///< in place of a spec: several of the catalogue
  std::vector<std::string> recipes;
  std::string positions;
  std::vector<std::string> dtypes;  ///< none: each recipe's own
  std::string contract;
  std::string state;
  LongWorkOption work;
};

/// Declares them.
void add_sweep_options(ArgumentParser& command, SweepOptions& options);

/// What the options name: every recipe in every type of every model, in this order. \param command its name,
/// for errors \throws InputError
std::vector<NamedSweepPlan> read_sweep_plans(const std::string& command, const SweepOptions& options);

}  // namespace vernier
