#include "numerics/audit/audit_state.hpp"

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "reference/numbers/parsed_number.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::int64_t lowest_integer = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest_integer = std::numeric_limits<std::int64_t>::max();

template <class Given, class Part>
concept StoredAs = std::same_as<std::remove_const_t<Given>, Part>;

/// \name The members of each part that is stored, by their keys: writing goes through them, and so does
/// reading
/// @{
void members(auto& visit, StoredAs<Place> auto& place) {
  visit("position", place.position);
  visit("column", place.column);
  visit("row", place.row);
}

void members(auto& visit, StoredAs<ErrorSummary::State> auto& state) {
  visit("count", state.count);
  visit("sum", state.sum);
  visit("sum_of_magnitudes", state.sum_of_magnitudes);
  visit("sum_of_squares", state.sum_of_squares);
  visit("greatest", state.greatest);
  visit("greatest_place", state.greatest_place);
  visit("histogram", state.histogram);
}

void members(auto& visit, StoredAs<ErrorStatistics::State> auto& state) {
  visit("count", state.count);
  visit("non_finite", state.non_finite);
  visit("correctly_rounded", state.correctly_rounded);
  visit("undecided", state.undecided);
  visit("faithful", state.faithful);
  visit("first_non_finite", state.first_non_finite);
  visit("ulps", state.ulps);
  visit("absolute", state.absolute);
  visit("phase_roundings", state.phase_roundings);
}

void members(auto& visit, StoredAs<ElementReport> auto& element) {
  visit("place", element.place);
  visit("got", element.got);
  visit("truth_high", element.truth.middle.high);
  visit("truth_low", element.truth.middle.low);
  visit("truth_radius", element.truth.radius);
  visit("budget_phase", element.budget.phase);
  visit("budget_trig", element.budget.trig);
  visit("budget_storage", element.budget.storage);
  visit("error", element.error);
  visit("budget_ratio", element.budget_ratio);
}

void members(auto& visit, StoredAs<ClosedRange> auto& range) {
  visit("least", range.least);
  visit("greatest", range.greatest);
}

void members(auto& visit, StoredAs<FailingExtent> auto& extent) {
  visit("positions", extent.positions);
  visit("columns", extent.columns);
  visit("pairs", extent.pairs);
}

void members(auto& visit, StoredAs<ErrorRecord> auto& record) {
  visit("first_row", record.first_row);
  visit("rows", record.rows);
  visit("greatest_error", record.greatest_error);
}

void members(auto& visit, StoredAs<AuditReport> auto& report) {
  visit("statistics", report.statistics);
  visit("judged", report.judged);
  visit("failing", report.failing);
  visit("inconclusive", report.inconclusive);
  visit("worst", report.worst);
  visit("first_failing", report.first_failing);
  visit("failing_extent", report.failing_extent);
  visit("records", report.records);
}
/// @}

using Histogram = std::array<std::uint64_t, ErrorSummary::bins>;

/// Makes the JSON of parts.
struct StateWriter {
  OrderedJson object = OrderedJson::object();

  void operator()(const char* key, const auto& value) { object[key] = of(value); }

  template <class Part>
  static OrderedJson of(const Part& part) {
    StateWriter writer;
    members(writer, part);
    return std::move(writer.object);
  }
  static OrderedJson of(std::int64_t number) { return number; }
  static OrderedJson of(std::uint64_t count) { return count; }
  static OrderedJson of(double number) { return fmt::format("{}", number); }
  static OrderedJson of(const ExactSum& sum) { return sum.text(); }
  template <class Part>
  requires requires(const Part& part) { part.state(); }
  static OrderedJson of(const Part& part) { return of(part.state()); }
  static OrderedJson of(const Histogram& histogram) {
    auto counts = OrderedJson::object();
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      if (histogram[bin] != 0) {
        counts[std::to_string(bin)] = histogram[bin];
      }
    }
    return counts;
  }
  /// Null where there is none.
  template <class Part>
  static OrderedJson of(const std::optional<Part>& part) {
    return part ? of(*part) : OrderedJson(nullptr);
  }
  template <class Part>
  static OrderedJson of(const std::vector<Part>& parts) {
    return mapped(parts, [](const Part& part) { return of(part); });
  }
};

/// Reads members of an object.
struct StateReader {
  ObjectReader& reader;

  template <class Part>
  void operator()(const char* key, Part& part) {
    part = read<Part>(reader.object(key));
  }
  void operator()(const char* key, std::int64_t& number) {
    number = reader.integer(key, lowest_integer, highest_integer);
  }
  void operator()(const char* key, std::uint64_t& count) {
    count = static_cast<std::uint64_t>(reader.integer(key, 0, highest_integer));
  }
  void operator()(const char* key, double& number) {
    const auto found = parsed_number<double>(reader.string(key));
    reader.refuse_if(!found, key, "a number written as text");
    number = *found;
  }
  void operator()(const char* key, ExactSum& sum) {
    const auto found = ExactSum::from_text(reader.string(key));
    reader.refuse_if(!found, key, "an exact sum, as \"0x1f3p-1074\"");
    sum = *found;
  }
  template <class Part>
  requires requires(const Part& part) { part.state(); }
  void operator()(const char* key, Part& part) {
    part = Part(read<typename Part::State>(reader.object(key)));
  }
  void operator()(const char* key, Histogram& histogram) {
    auto counts = reader.object(key);
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      const auto count = counts.optional_integer(std::to_string(bin), 1, highest_integer);
      histogram[bin] = static_cast<std::uint64_t>(count.value_or(0));
    }
    counts.finish();
  }
  template <class Part>
  void operator()(const char* key, std::optional<Part>& part) {
    auto object = reader.optional_object(key);
    part = object ? std::optional(read<Part>(*std::move(object))) : std::nullopt;
  }
  template <class Part>
  void operator()(const char* key, std::vector<Part>& parts) {
    parts = mapped(reader.objects(key, "an array of objects"),
                   [](ObjectReader& object) { return read<Part>(std::move(object)); });
  }

  template <class Part>
  static Part read(ObjectReader object) {
    Part part;
    StateReader state{object};
    members(state, part);
    object.finish();
    return part;
  }
};

}  // namespace

OrderedJson audit_state(const AuditReport& report) {
  return StateWriter::of(report);
}

AuditReport read_audit_state(ObjectReader reader) {
  return StateReader::read<AuditReport>(std::move(reader));
}

}  // namespace vernier
