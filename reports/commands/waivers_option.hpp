#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "reports/commands/argument_parser.hpp"
#include "reports/waivers.hpp"

namespace vernier {

/// --waivers, --write-waivers and --date, as the command line gave them.
struct WaiversOption {
  std::string file;
  std::string draft;  ///< the file to write
  std::string date;
};

void add_waivers_option(ArgumentParser& command, WaiversOption& option);

/// The waivers of a run, and its day.
struct DatedWaivers {
  std::vector<Waiver> waivers;
  std::chrono::year_month_day today;
};

/// Reads the waivers that the option names; none without the option. \throws InputError for a file that does
/// not hold waivers, a file to write that exists, or a day that is none
DatedWaivers read_waivers_option(const WaiversOption& option);

/// Writes waivers of all that fails, where that is asked for, and tells of them. \param today that of the run
/// \param remarks gets a sentence \throws InputError if the file cannot be written
void write_waivers_option(const WaiversOption& option, const Verdict& verdict,
                          std::chrono::year_month_day today, std::ostream& remarks);

}  // namespace vernier
