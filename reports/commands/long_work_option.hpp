#pragma once

#include "reference/threads.hpp"
#include "reports/commands/argument_parser.hpp"

namespace vernier {

/// How work is done that takes long and whose result does not depend on it.
struct LongWorkOption {
  unsigned threads = available_threads();
  bool quiet = false;  ///< no progress
};

/// Declares --threads and --quiet.
void add_long_work_option(ArgumentParser& command, LongWorkOption& option);

}  // namespace vernier
