#pragma once

#include <algorithm>

#include "reference/support/word_list.hpp"
#include "reports/words/specs/reader_findings.hpp"

namespace vernier {

/// What readers make of one document or two.
struct ReadersReport {
  std::vector<std::string> files;  ///< one or two
  std::vector<Parting> partings;
  std::vector<ReaderFinding> findings;
  std::optional<AgreeingEdit> edit = {};      ///< of one document that readers part on
  std::vector<std::string> model_types = {};  ///< of the documents
  /// Without a rotation: the encoding of the one file that is told then, and nothing of readers.
  std::string encoding = {};

  bool agrees() const { return findings.empty(); }
  std::string told_types() const { return joined(model_types, in_quotes, " and "); }
  bool is_known() const { return std::ranges::any_of(partings, &Parting::is_known); }
};

/// As readers.schema.json describes it.
JsonValue readers_value(const ReadersReport& report);

}  // namespace vernier
