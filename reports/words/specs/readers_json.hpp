#pragma once

#include "reports/words/specs/reader_findings.hpp"

namespace vernier {

/// What readers make of one document or two.
struct ReadersReport {
  std::vector<std::string> files;  ///< one or two
  std::vector<Parting> partings;
  std::vector<ReaderFinding> findings;
  std::optional<AgreeingEdit> edit = {};  ///< of one document that readers part on

  bool agrees() const { return findings.empty(); }
};

/// As readers.schema.json describes it.
JsonValue readers_value(const ReadersReport& report);

}  // namespace vernier
