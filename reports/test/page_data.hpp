#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "props/laws/law.hpp"
#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/report_data.hpp"

namespace vernier {

/// The field over its first positions, computed once.
inline ReportData with_field() {
  static const auto field = study_field(4, 1, {});
  ReportData data;
  data.field = field;
  return data;
}

/// An implementation that keeps its contract, in 1000 elements.
inline ComparedImplementation asked(const std::string& name, const std::string& encoding,
                                    const std::string& stored, double last_error) {
  ComparedImplementation one{.name = name,
                             .found = name + " 1",
                             .encoding = encoding,
                             .stored = stored,
                             .contract = stored,
                             .positions = 64};
  one.result.emplace();
  one.result->elements = 1000;
  one.result->growth = {{16, 1e-15}, {64, last_error}};
  return one;
}

/// The finding of this id. \pre there is one
inline ReportFinding finding_named(std::string_view id, const ReportData& data) {
  return std::ranges::find(finding_makers(), id, &ReportFindingMaker::id)->make(data);
}

inline LawResult law_result(CheckStatus status) {
  LawResult result;
  result.status = status;
  return result;
}

/// A record of real faults: some caught, some named, some of each kind.
inline std::vector<RecordedCase> drawn_record() {
  std::vector<RecordedCase> record;
  for (int i = 0; i < 40; ++i) {
    const bool is_fault = i % 4 != 0;
    record.push_back({.name = fmt::format("case_{}", i),
                      .source = "project issue 1",
                      .kind = i % 3 == 0 ? "layout" : "frequencies",
                      .fault = is_fault ? "a fault" : "",
                      .said = is_fault ? "what was found" : "",
                      .is_accepted = !is_fault || i % 10 == 1,
                      .is_named = is_fault && i % 10 != 1 && i % 5 != 0});
  }
  return record;
}

}  // namespace vernier
