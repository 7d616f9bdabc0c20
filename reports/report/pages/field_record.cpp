#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

/// corpus/record.json as it stands.
std::string field_record_text();

namespace {

using Cases = std::vector<const RecordedCase*>;

/// What became of a case, as readers filter by it.
struct CaseOutcome {
  std::string_view text;
  std::string_view tone;
};

CaseOutcome outcome_of(const RecordedCase& one) {
  if (!one.is_fault()) {
    return one.is_accepted ? CaseOutcome{"accepted", "good"} : CaseOutcome{"honest, not accepted", "bad"};
  }
  if (one.is_accepted) {
    return {"fault accepted", "bad"};
  }
  return one.is_named ? CaseOutcome{"named", "good"} : CaseOutcome{"refused, not named", "neutral"};
}

CountedShare share_of(const Cases& cases, bool RecordedCase::*is) {
  const auto count = std::ranges::count_if(cases, [&](const RecordedCase* one) { return one->*is; });
  return {static_cast<std::uint64_t>(count), cases.size()};
}

CountedShare rest_of(const CountedShare& share) {
  return {share.all - share.count, share.all};
}

/// Faults and honest ones apart.
struct FieldRecord {
  Cases faults;
  Cases honest;

  explicit FieldRecord(const std::vector<RecordedCase>& record) {
    for (const auto& one : record) {
      (one.is_fault() ? faults : honest).push_back(&one);
    }
  }

  CountedShare accepted_faults() const { return share_of(faults, &RecordedCase::is_accepted); }
  CountedShare caught() const { return rest_of(accepted_faults()); }
  CountedShare named() const { return share_of(faults, &RecordedCase::is_named); }
  CountedShare accepted() const { return share_of(honest, &RecordedCase::is_accepted); }

  /// The faults by kind, most first.
  std::vector<std::pair<std::string, Cases>> by_kind() const {
    const auto kinds = grouped(faults, [](const RecordedCase* one) { return one_line(one->kind); });
    std::vector<std::pair<std::string, Cases>> sorted(kinds.begin(), kinds.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& kind) { return kind.second.size(); });
    return sorted;
  }
};

DataTable shares_table(const FieldRecord& record) {
  auto table = described_table("field_record/shares");
  const auto add = [&](std::string name, const CountedShare& share) {
    if (share.all > 0) {
      table.rows.push_back(
          {std::move(name), fmt::format("{} of {}", share.count, share.all), interval_text(share)});
    }
  };
  add("faults caught", record.caught());
  add("faults accepted", record.accepted_faults());
  add("faults named", record.named());
  add("honest tensors accepted", record.accepted());
  return table;
}

Figure named_by_kind(const FieldRecord& record) {
  auto chart = described_chart<BarChart>("field_record/named_by_kind");
  for (const auto& [kind, cases] : record.by_kind()) {
    const auto named = share_of(cases, &RecordedCase::is_named);
    const auto accepted = share_of(cases, &RecordedCase::is_accepted);
    chart.bars.push_back({kind, named.count, named.all, fmt::format("{} refused", rest_of(accepted).count),
                          accepted.count > 0         ? MarkTone::bad
                          : named.count == named.all ? MarkTone::good
                                                     : MarkTone::neutral});
  }
  return bar_chart(chart);
}

/// Every outcome that a case of the record has.
Json outcomes_content(const std::vector<RecordedCase>& record) {
  std::set<std::string_view> texts;
  std::ranges::transform(record, std::inserter(texts, texts.end()),
                         [](const RecordedCase& one) { return outcome_of(one).text; });
  return array_json(texts, [](std::string_view text) { return Json{{"outcome", text}}; });
}

Json case_content(const RecordedCase& one) {
  const auto outcome = outcome_of(one);
  return {{"id", one.name},
          {"outcome", outcome.text},
          {"tone", outcome.tone},
          {"fault", optional_text(one_line(one.fault))},
          {"said", optional_text(one_line(one.said))},
          {"note", optional_text(one_line(one.note))},
          {"source", one_line(one.source)}};
}

Json kind_content(std::string heading, const Cases& cases, std::string_view id) {
  return {{"id", id},
          {"heading", std::move(heading)},
          {"count", cases.size()},
          {"cases", array_json(cases, [](const RecordedCase* one) { return case_content(*one); })}};
}

std::string field_record_headline(const FieldRecord& record) {
  const auto caught = record.caught();
  const auto accepted = record.accepted();
  return fmt::format("Vernier catches {} of {} real faults and names {}; it accepts {} of {} honest tensors",
                     caught.count, caught.all, record.named().count, accepted.count, accepted.all);
}

}  // namespace

std::vector<RecordedCase> recorded_cases() {
  return mapped(Json::parse(field_record_text()), [](const Json& entry) {
    return RecordedCase{.name = entry.at("name"),
                        .source = entry.at("source"),
                        .kind = entry.at("kind"),
                        .fault = entry.at("fault"),
                        .said = entry.at("said"),
                        .note = entry.value("note", ""),
                        .is_accepted = entry.at("verdict") == "conforms",
                        .is_named = entry.at("is_named")};
  });
}

Json field_record_content(const ReportData& data) {
  const FieldRecord record(data.record);
  if (record.faults.empty()) {
    return {{"any", false}};
  }
  Json groups = Json::array();
  for (const auto& [kind, cases] : record.by_kind()) {
    groups.push_back(kind_content(kind, cases, fmt::format("kind-{}", groups.size() + 1)));
  }
  if (!record.honest.empty()) {
    groups.push_back(kind_content("honest", record.honest, "honest"));
  }
  return {{"any", true},
          {"headline", field_record_headline(record)},
          {"figure", to_html(named_by_kind(record))},
          {"shares", to_html(shares_table(record))},
          {"outcomes", outcomes_content(data.record)},
          {"groups", std::move(groups)}};
}

}  // namespace vernier
