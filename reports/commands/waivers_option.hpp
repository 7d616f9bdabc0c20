#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "reports/commands/argument_parser.hpp"
#include "reports/waivers.hpp"

namespace vernier {

/// --waivers and --date, as the command line gave them.
struct WaiversOption {
  std::string file;
  std::string date;
};

void add_waivers_option(ArgumentParser& command, WaiversOption& option);

/// The waivers of a run, and its day.
struct DatedWaivers {
  std::vector<Waiver> waivers;
  std::chrono::year_month_day today;
};

/// Reads the waivers that the option names; none without the option. \throws InputError for a file that does
/// not hold waivers, or a day that is none
DatedWaivers read_waivers_option(const WaiversOption& option);

}  // namespace vernier
