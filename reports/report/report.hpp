#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "props/judging/check.hpp"
#include "reference/tables/phases.hpp"

namespace vernier {

struct ReportOptions {
  std::filesystem::path folder = {};       ///< for the pages; empty: none
  std::filesystem::path single_file = {};  ///< for all of them in one; empty: none
  /// Only positions below this are audited; the report then says so.
  std::int64_t positions = std::numeric_limits<std::int64_t>::max();

  /// A list of implementations to ask (implementations/implementation_list.hpp); empty: none is asked.
  std::filesystem::path implementations = {};
  /// JSON lines to append the judgements of the implementations to (comparisons/run_history.hpp); empty:
  /// none.
  std::filesystem::path history = {};
  std::string label = {};  ///< what the history calls the run; empty for each implementation's version
  unsigned threads = 1;
  CheckOptions laws;            ///< seed and number of the laws' random cases
  PhaseListener progress = {};  ///< told every long step
  /// Told each finding as soon as it is known, a sentence without a full stop.
  std::function<void(const std::string& headline)> found = [](const std::string& /*headline*/) {};
};

/// Computes everything and writes the report's pages, then appends to the history, so that a run that fails
/// leaves no trace there. \throws InputError if they cannot be written there
void write_report(const ReportOptions& options);

}  // namespace vernier
