#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Of statuses, the worst first: fail is 0, skipped 5.
int rank_of(Status status);

/// Something that a check measured.
struct MeasuredFigure {
  std::string_view name;  ///< "the largest error in ulp"
  double value = 0;       ///< >= 0; infinite also where the document says "nan"
  bool more_is_better = false;
  bool decides = true;  ///< whether the check is worse where this is
};

/// The figure of a check that its budget is about.
inline constexpr std::string_view budget_figure = "the share of the budget";

/// A check as a verdict document tells it.
struct CheckRecord {
  std::string id;
  Status status = Status::skipped;
  std::string reason;
  std::optional<double> budget_ratio = std::nullopt;  ///< the greatest share of its budget that anything used
  std::uint64_t elements = 0;
  std::vector<MeasuredFigure> figures = {};  ///< in the order in which they are told

  bool is_judged() const { return status != Status::skipped; }
};

/// What a verdict document says that can be compared with another.
struct VerdictDocument {
  std::string file;   ///< as it was named
  std::string label;  ///< what to call it in few words: the file's name without folder and extension
  std::string name;   ///< of the case
  std::string producer;
  std::string tool_version;
  Conclusion conclusion = Conclusion::nothing_checked;
  std::string summary;
  JsonValue spec = {};
  std::int64_t rows = 0;
  std::int64_t least_position = 0;
  std::int64_t greatest_position = 0;
  std::map<std::string, std::string> contracts = {};  ///< by role
  std::string seed = {};                              ///< of a run that samples; empty of any other
  std::vector<std::string> whole_roles = {};          ///< tensors that were asked for at every position
  std::size_t stale_waivers = 0;
  std::vector<CheckRecord> checks = {};

  const CheckRecord* check_named(std::string_view id) const;
};

/// Adds a check under the id that it has now. Of several that one has replaced, the worst stays.
template <class Record>
void add_current(std::vector<Record>& checks, Record record) {
  record.id = current_check(record.id);
  const auto same = std::ranges::find(checks, record.id, &Record::id);
  if (same == checks.end()) {
    checks.push_back(std::move(record));
  } else if (rank_of(record.status) < rank_of(same->status)) {
    *same = std::move(record);
  }
}

/// Reads what `validate --json` wrote. \throws InputError naming the file and the key
VerdictDocument read_verdict_document(const std::string& file);

/// Makes sure that two documents are about one encoding. \param source, first_source their files, for the
/// sentence \throws InputError naming the first key that differs
void require_same_spec(const JsonValue& spec, const std::string& source, const JsonValue& first_spec,
                       const std::string& first_source);

/// \name Read as the verdict document writes them. \throws InputError naming the key
/// @{
Conclusion read_conclusion(ObjectReader& reader, std::string_view key);
Status read_status(ObjectReader& reader, std::string_view key);
/// A number >= 0, or "infinity" or "nan", which both are infinite. Nothing where the key is absent.
std::optional<double> read_figure(const JsonValue& object, ObjectReader& reader, std::string_view key);
/// @}

}  // namespace vernier
