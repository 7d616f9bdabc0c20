#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report/report_data.hpp"

namespace vernier {

/// Whom something concerns, the most people first.
enum class Concerns { every_model, libraries, habits, texts };

/// One thing worth knowing, as it follows from the results of a run.
struct ReportFinding {
  std::string_view id = {};  ///< its maker's
  Concerns concerns = Concerns::every_model;
  /// Of what was examined, the share that something is wrong with. Zero: nothing was found.
  double share = 0;
  /// Nothing was examined: the headline then says what is missing.
  bool missing = false;
  std::string headline = {};  ///< a sentence without a full stop, true of this run whatever its data
  std::string text = {};      ///< what it means, in plain text
  std::string picture = {};   ///< HTML; empty if there is none
  std::string page = {};      ///< where the proof is
  std::string link = {};      ///< what leads there
};

/// The most worth knowing first: what is wrong before what is not, and before what was not examined; then by
/// whom it concerns; then by its share.
std::vector<ReportFinding> ranked(std::vector<ReportFinding> findings);

/// How a finding is made. A new one is a line in made_findings.cpp.
struct ReportFindingMaker {
  std::string_view id;
  ReportFinding (*make)(const ReportData& data);
  /// Whether what it is made from has been computed.
  bool (*is_known)(const ReportData& data);
};

std::span<const ReportFindingMaker> finding_makers();

/// The finding with its id.
ReportFinding made_by(const ReportFindingMaker& maker, const ReportData& data);

/// Tells the headlines of findings while a report is computed, each once, the ones that are known together as
/// they are ranked.
class ToldFindings {
 public:
  explicit ToldFindings(std::function<void(const std::string& headline)> listener)
      : listener_(std::move(listener)) {}

  /// Those that have become known.
  void tell(const ReportData& data);

 private:
  std::function<void(const std::string&)> listener_;
  std::set<std::string_view> told_;  ///< ids
};

}  // namespace vernier
