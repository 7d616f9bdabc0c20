#pragma once

#include <string>

#include "reports/commands/argument_parser.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/sweeps/sweep.hpp"

namespace vernier {

/// What is swept, as a command line says it, and how.
struct SweepOptions {
  SpecOption spec;
  std::string recipe;
  std::string positions;
  std::string dtype;
  std::string contract;
  std::string state;
  bool quiet = false;
  unsigned threads = 1;  ///< until they are declared
};

/// Declares them. \return --state, which other options may need
Argument add_sweep_options(ArgumentParser& command, SweepOptions& options);

/// What the options name. \param command its name, for errors \throws InputError
SweepPlan read_sweep_plan(const std::string& command, const SweepOptions& options);

}  // namespace vernier
