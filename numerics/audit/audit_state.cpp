#include "numerics/audit/audit_state.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr std::int64_t lowest_integer = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest_integer = std::numeric_limits<std::int64_t>::max();

OrderedJson stored(double number) {
  return fmt::format("{}", number);
}

double stored_real(ObjectReader& reader, std::string_view key) {
  const auto text = reader.string(key);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    reader.refuse(key, "a number written as text");
  }
  return number;
}

std::int64_t stored_integer(ObjectReader& reader, std::string_view key) {
  return reader.integer(key, lowest_integer, highest_integer);
}

std::uint64_t stored_count(ObjectReader& reader, std::string_view key) {
  return static_cast<std::uint64_t>(reader.integer(key, 0, highest_integer));
}

OrderedJson stored(const Place& place) {
  return {{"position", place.position}, {"column", place.column}, {"row", place.row}};
}

Place stored_place(ObjectReader reader) {
  Place place{stored_integer(reader, "position"), stored_count(reader, "column"),
              stored_integer(reader, "row")};
  reader.finish();
  return place;
}

OrderedJson stored(const ElementReport& element);
OrderedJson stored(const FailingExtent& extent);

/// Null where there is none.
template <class Thing>
OrderedJson stored(const std::optional<Thing>& thing) {
  return thing ? stored(*thing) : OrderedJson(nullptr);
}

template <class Thing>
std::optional<Thing> stored_if_any(ObjectReader& reader, std::string_view key, Thing (*read)(ObjectReader)) {
  auto object = reader.optional_object(key);
  return object ? std::optional(read(*std::move(object))) : std::nullopt;
}

OrderedJson stored(const ErrorSummary& summary) {
  const auto& state = summary.state();
  OrderedJson histogram = OrderedJson::object();
  for (std::size_t bin = 0; bin < state.histogram.size(); ++bin) {
    if (state.histogram[bin] != 0) {
      histogram[std::to_string(bin)] = state.histogram[bin];
    }
  }
  return {{"count", state.count},
          {"sum", state.sum.text()},
          {"sum_of_magnitudes", state.sum_of_magnitudes.text()},
          {"sum_of_squares", state.sum_of_squares.text()},
          {"greatest", stored(state.greatest)},
          {"greatest_place", stored(state.greatest_place)},
          {"histogram", histogram}};
}

ExactSum stored_sum(ObjectReader& reader, std::string_view key) {
  const auto sum = ExactSum::from_text(reader.string(key));
  if (!sum) {
    reader.refuse(key, "an exact sum, as \"0x1f3p-1074\"");
  }
  return *sum;
}

ErrorSummary stored_summary(ObjectReader reader) {
  ErrorSummary::State state;
  state.count = stored_count(reader, "count");
  state.sum = stored_sum(reader, "sum");
  state.sum_of_magnitudes = stored_sum(reader, "sum_of_magnitudes");
  state.sum_of_squares = stored_sum(reader, "sum_of_squares");
  state.greatest = stored_real(reader, "greatest");
  state.greatest_place = stored_if_any(reader, "greatest_place", stored_place);
  auto histogram = reader.object("histogram");
  for (std::size_t bin = 0; bin < state.histogram.size(); ++bin) {
    const auto count = histogram.optional_integer(std::to_string(bin), 1, highest_integer);
    state.histogram[bin] = static_cast<std::uint64_t>(count.value_or(0));
  }
  histogram.finish();
  reader.finish();
  return ErrorSummary(state);
}

OrderedJson stored(const ErrorStatistics& statistics) {
  const auto& counts = statistics.counts();
  return {{"count", counts.count},
          {"non_finite", counts.non_finite},
          {"correctly_rounded", counts.correctly_rounded},
          {"undecided", counts.undecided},
          {"faithful", counts.faithful},
          {"first_non_finite", stored(counts.first_non_finite)},
          {"ulps", stored(statistics.ulps())},
          {"absolute", stored(statistics.absolute())},
          {"phase_roundings", stored(statistics.phase_roundings())}};
}

ErrorStatistics stored_statistics(ObjectReader reader) {
  const ErrorStatistics::Counts counts{stored_count(reader, "count"),
                                       stored_count(reader, "non_finite"),
                                       stored_count(reader, "correctly_rounded"),
                                       stored_count(reader, "undecided"),
                                       stored_count(reader, "faithful"),
                                       stored_if_any(reader, "first_non_finite", stored_place)};
  ErrorStatistics statistics(counts, stored_summary(reader.object("ulps")),
                             stored_summary(reader.object("absolute")),
                             stored_summary(reader.object("phase_roundings")));
  reader.finish();
  return statistics;
}

OrderedJson stored(const ElementReport& element) {
  return {{"place", stored(element.place)},
          {"got", stored(element.got)},
          {"truth_high", stored(element.truth.middle.high)},
          {"truth_low", stored(element.truth.middle.low)},
          {"truth_radius", stored(element.truth.radius)},
          {"budget_phase", stored(element.budget.phase)},
          {"budget_trig", stored(element.budget.trig)},
          {"budget_storage", stored(element.budget.storage)},
          {"error", stored(element.error)},
          {"budget_ratio", stored(element.budget_ratio)}};
}

ElementReport stored_element(ObjectReader reader) {
  ElementReport element;
  element.place = stored_place(reader.object("place"));
  element.got = stored_real(reader, "got");
  element.truth = {{stored_real(reader, "truth_high"), stored_real(reader, "truth_low")},
                   stored_real(reader, "truth_radius")};
  element.budget = {stored_real(reader, "budget_phase"), stored_real(reader, "budget_trig"),
                    stored_real(reader, "budget_storage")};
  element.error = stored_real(reader, "error");
  element.budget_ratio = stored_real(reader, "budget_ratio");
  reader.finish();
  return element;
}

OrderedJson stored(const ClosedRange& range) {
  return {{"least", range.least}, {"greatest", range.greatest}};
}

ClosedRange stored_range(ObjectReader reader) {
  const ClosedRange range{stored_integer(reader, "least"), stored_integer(reader, "greatest")};
  reader.finish();
  return range;
}

OrderedJson stored(const FailingExtent& extent) {
  return {{"positions", stored(extent.positions)},
          {"columns", stored(extent.columns)},
          {"pairs", stored(extent.pairs)}};
}

FailingExtent stored_extent(ObjectReader reader) {
  const FailingExtent extent{stored_range(reader.object("positions")), stored_range(reader.object("columns")),
                             stored_range(reader.object("pairs"))};
  reader.finish();
  return extent;
}

}  // namespace

OrderedJson audit_state(const AuditReport& report) {
  OrderedJson records = OrderedJson::array();
  for (const auto& record : report.records) {
    records.push_back({{"first_row", record.first_row},
                       {"rows", record.rows},
                       {"greatest_error", stored(record.greatest_error)}});
  }
  return {{"statistics", stored(report.statistics)},
          {"judged", report.judged},
          {"failing", report.failing},
          {"inconclusive", report.inconclusive},
          {"worst", stored(report.worst)},
          {"first_failing", stored(report.first_failing)},
          {"failing_extent", stored(report.failing_extent)},
          {"records", records}};
}

AuditReport read_audit_state(ObjectReader reader) {
  AuditReport report;
  report.statistics = stored_statistics(reader.object("statistics"));
  report.judged = stored_count(reader, "judged");
  report.failing = stored_count(reader, "failing");
  report.inconclusive = stored_count(reader, "inconclusive");
  report.worst = stored_if_any(reader, "worst", stored_element);
  report.first_failing = stored_if_any(reader, "first_failing", stored_element);
  report.failing_extent = stored_if_any(reader, "failing_extent", stored_extent);
  for (auto& record : reader.objects("records", "an array of objects")) {
    report.records.push_back({stored_integer(record, "first_row"), stored_integer(record, "rows"),
                              stored_real(record, "greatest_error")});
    record.finish();
  }
  reader.finish();
  return report;
}

}  // namespace vernier
