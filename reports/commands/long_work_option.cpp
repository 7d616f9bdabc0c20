#include "reports/commands/long_work_option.hpp"

namespace vernier {

void add_long_work_option(ArgumentParser& command, LongWorkOption& option) {
  command.add("--threads", option.threads, "how many threads work; the result does not depend on it")
      .between(1U, 1024U);
  command.add_flag("-q,--quiet", option.quiet, "no progress on standard error");
}

}  // namespace vernier
