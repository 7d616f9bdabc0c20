#include "reports/verdict/waivers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Beyond every position, column and pair that there is.
constexpr std::int64_t farthest_place = std::int64_t{1} << 53;

// Reading

ClosedRange read_range(ObjectReader& where, std::string_view key) {
  constexpr std::string_view expected = "the first and the last, two integers in ascending order";
  const auto& ends = where.array(key, expected);
  const auto integer = [&](std::size_t index) {
    const auto* number = std::get_if<JsonValue::Number>(&ends[index].value());
    const auto value = number == nullptr ? std::nullopt : parse_rational(number->text);
    const auto whole = value ? as_integer(*value) : std::nullopt;
    if (!whole || *whole < -farthest_place || *whole > farthest_place) {
      where.refuse_within(fmt::format("{}[{}]", key, index), ends[index], "an integer");
    }
    return *whole;
  };
  if (ends.size() != 2) {
    where.refuse(key, expected);
  }
  const ClosedRange range{integer(0), integer(1)};
  if (range.least > range.greatest) {
    where.refuse(key, expected);
  }
  return range;
}

bool has_place(const Waiver& waiver) {
  return std::ranges::any_of(waiver.where, [](const auto& range) { return range.has_value(); });
}

void read_where(ObjectReader where, Waiver& waiver) {
  for (std::size_t i = 0; i < waived_places.size(); ++i) {
    if (where.has(waived_places[i].name)) {
      waiver.where[i] = read_range(where, waived_places[i].name);
    }
  }
  where.finish();
  if (!has_place(waiver)) {
    where.refuse_all("found no key, expected positions, columns or pairs");
  }
}

void read_ceiling(ObjectReader ceiling, Waiver& waiver) {
  const auto read = [&](std::string_view key, bool (*accepts)(const Rational&), std::string_view expected) {
    const auto value = ceiling.optional_number(key, accepts, expected);
    return value ? std::optional(approximately(*value)) : std::nullopt;
  };
  const auto above_one = [](const Rational& value) { return value > 1; };
  const auto share = [](const Rational& value) { return value > 0 && value <= 1; };
  waiver.greatest_budget_ratio = read("budget_ratio", above_one, "a multiple of the budget, above 1");
  waiver.failing_share = read("failing", share, "a share of the elements, above 0 and at most 1");
  const bool any = ceiling.optional_boolean("any").value_or(false);
  ceiling.finish();
  if (any == (waiver.greatest_budget_ratio || waiver.failing_share)) {
    ceiling.refuse_all("expected either \"budget_ratio\", \"failing\" or both, or \"any\": true");
  }
}

/// A text that says something. \param expected in words
std::string read_waiver_text(ObjectReader& object, std::string_view key, std::string_view expected) {
  auto text = object.string(key);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    object.refuse(key, expected);
  }
  return text;
}

Waiver read_waiver(ObjectReader object) {
  Waiver waiver{.check = read_waiver_text(object, "check", "the id of a check, such as \"accuracy/cos\"")};
  if (auto where = object.optional_object("where")) {
    read_where(std::move(*where), waiver);
  }
  read_ceiling(object.object("ceiling"), waiver);
  waiver.reason = read_waiver_text(object, "reason", "why the failure is tolerated");
  waiver.issue = read_waiver_text(object, "issue", "the issue that tracks the failure");
  const auto expires = parse_date(object.string("expires"));
  if (!expires) {
    object.refuse("expires", "a date, YYYY-MM-DD");
  }
  waiver.expires = *expires;
  object.finish();
  return waiver;
}

// Judging

std::string range_text(std::string_view noun, const ClosedRange& range) {
  return fmt::format("{} {} to {}", noun, range.least, range.greatest);
}

std::string ceiling_text(const Waiver& waiver) {
  std::vector<std::string> parts;
  if (waiver.greatest_budget_ratio) {
    parts.push_back(fmt::format("at most {} times the budget",
                                shortest_text(Format::binary64, *waiver.greatest_budget_ratio)));
  }
  if (waiver.failing_share) {
    parts.push_back(fmt::format("at most {} of the elements", percent_text(*waiver.failing_share)));
  }
  if (parts.empty()) {
    parts.emplace_back("any failure");
  }
  for (std::size_t i = 0; i < waived_places.size(); ++i) {
    if (waiver.where[i]) {
      parts.push_back(range_text(waived_places[i].name, *waiver.where[i]));
    }
  }
  return joined(parts);
}

/// Why a failure is not where the waiver allows it; nothing if it is.
std::optional<std::string> outside(const Waiver& waiver, const Check& check) {
  if (!has_place(waiver)) {
    return std::nullopt;
  }
  if (!check.failing_extent) {
    return "the check does not list all of its failures, and a single place cannot be waived";
  }
  for (std::size_t i = 0; i < waived_places.size(); ++i) {
    const auto& [name, part] = waived_places[i];
    const auto& found = (*check.failing_extent).*part;
    if (const auto& allowed = waiver.where[i]; allowed && !allowed->contains(found)) {
      return fmt::format("{} fail, and it covers {}", range_text(name, found), range_text(name, *allowed));
    }
  }
  return std::nullopt;
}

/// Why a failure is worse than the waiver allows; nothing if it is not.
std::optional<std::string> above_ceiling(const Waiver& waiver, const Check& check) {
  if (waiver.greatest_budget_ratio && !check.greatest_budget_ratio) {
    return "the check has no budget that its ceiling could be a multiple of";
  }
  if (waiver.greatest_budget_ratio && !(*check.greatest_budget_ratio <= *waiver.greatest_budget_ratio)) {
    return fmt::format("the worst {}, and its ceiling is {}", usage_text(*check.greatest_budget_ratio),
                       shortest_text(Format::binary64, *waiver.greatest_budget_ratio));
  }
  if (!waiver.failing_share) {
    return std::nullopt;
  }
  if (check.counts.elements == 0) {
    return "the check counts no elements, and its ceiling cannot be a share of them";
  }
  const auto failing = static_cast<double>(check.counts.failing);
  const auto elements = static_cast<double>(check.counts.elements);
  return failing <= *waiver.failing_share * elements
             ? std::nullopt
             : std::optional(fmt::format("{} of the elements fail, and its ceiling is {}",
                                         percent_text(failing / elements),
                                         percent_text(*waiver.failing_share)));
}

/// What an earlier version called the check of a waiver: "; state/longer is now state/history". Empty where
/// it still has that id.
std::string renaming(const Waiver& waiver, std::string_view id) {
  return waiver.check == id ? std::string() : fmt::format("; {} is now {}", waiver.check, id);
}

void waive(Check& check, const Waiver& waiver) {
  check.waiver = AppliedWaiver{waiver.reason, waiver.issue, date_text(waiver.expires), ceiling_text(waiver),
                               check.reason};
  check.status = Status::waived;
  check.reason = fmt::format("waived until {} ({}): {}. It failed: {}{}", check.waiver->expires, waiver.issue,
                             waiver.reason, check.waiver->failure, renaming(waiver, check.id));
}

/// What is stale about a waiver whose check failed or passed; applies it if nothing is.
std::optional<std::string> apply(Check& check, const Waiver& waiver, std::chrono::year_month_day today) {
  if (today > waiver.expires) {
    return std::string("it expired on ") + date_text(waiver.expires);
  }
  if (check.status == Status::pass) {
    return "the check passes without it";
  }
  if (check.status == Status::fail) {
    auto reason = outside(waiver, check);
    reason = reason ? reason : above_ceiling(waiver, check);
    if (reason) {
      check.reason += fmt::format("; its waiver ({}) does not cover this: {}", waiver.issue, *reason);
    } else {
      waive(check, waiver);
    }
  }
  return std::nullopt;
}

constexpr auto reason_to_replace =
    "drafted by vernier validate --write-waivers: replace this by why the failure is tolerated";
constexpr auto issue_to_replace = "none yet: replace this by the issue that tracks the failure";

/// The least number of three digits above `value`, or one next to it.
double bounded_above(double value) {
  const auto three_digits = [](double number) {
    return std::strtod(fmt::format("{:.2e}", number).c_str(), nullptr);
  };
  const double nearest = three_digits(value);
  // A hundredth more is above the number even where it is rounded down by half a step.
  return nearest > value ? nearest : three_digits(value * 1.01);
}

OrderedJson where(const FailingExtent& extent) {
  OrderedJson result;
  for (const auto& [name, part] : waived_places) {
    const auto& [least, greatest] = extent.*part;
    if (part != &FailingExtent::pairs || greatest != FailingExtent::no_pair) {
      result[std::string(name)] = {least, greatest};
    }
  }
  return result;
}

OrderedJson ceiling(const Check& check) {
  OrderedJson result = OrderedJson::object();
  if (check.greatest_budget_ratio && *check.greatest_budget_ratio > 1) {
    if (const double ratio = bounded_above(*check.greatest_budget_ratio); std::isfinite(ratio)) {
      result["budget_ratio"] = ratio;
    }
  }
  if (check.counts.failing > 0 && check.counts.elements > 0) {
    const auto share = static_cast<double>(check.counts.failing) / static_cast<double>(check.counts.elements);
    result["failing"] = std::min(1.0, bounded_above(share));
  }
  return result.empty() ? OrderedJson{{"any", true}} : result;
}

OrderedJson draft(const Check& check, std::chrono::year_month_day expires) {
  OrderedJson result{{"check", check.id}};
  if (check.failing_extent) {
    result["where"] = where(*check.failing_extent);
  }
  result["ceiling"] = ceiling(check);
  result["reason"] = reason_to_replace;
  result["issue"] = issue_to_replace;
  result["expires"] = date_text(expires);
  return result;
}

}  // namespace

std::vector<Waiver> read_waivers(const std::filesystem::path& file) {
  return parse_waivers(read_json(file), file.string());
}

std::vector<Waiver> parse_waivers(const JsonValue& document, const std::string& source) {
  const auto* const array = std::get_if<JsonValue::Array>(&document.value());
  refuse_if(array == nullptr, "{}: found {}, expected an array of waivers", source, document.found());
  std::vector<Waiver> waivers;
  std::set<std::string> waived;
  KeyFaults faults;
  for (std::size_t i = 0; i < array->size(); ++i) {
    auto waiver = faults.read((*array)[i], [&](const JsonValue& element) {
      return read_waiver({element, source, fmt::format("[{}]", i)});
    });
    if (waiver && !waived.insert(waiver->check).second) {
      faults.add(fmt::format("{}: [{}].check: found \"{}\" again, expected one waiver a check", source, i,
                             waiver->check));
    }
    if (waiver) {
      waivers.push_back(*std::move(waiver));
    }
  }
  faults.require_none();
  return waivers;
}

void apply_waivers(Verdict& verdict, std::span<const Waiver> waivers, std::chrono::year_month_day today) {
  for (const auto& waiver : waivers) {
    auto check = std::ranges::find(verdict.checks, waiver.check, &Check::id);
    if (check == verdict.checks.end()) {
      check = std::ranges::find(verdict.checks, current_check(waiver.check), &Check::id);
    }
    const bool is_there = check != verdict.checks.end();
    const auto problem = is_there ? apply(*check, waiver, today) : "no check of this run has that id";
    if (problem) {
      verdict.stale_waivers.push_back(
          {waiver.check, waiver.issue,
           *problem + renaming(waiver, is_there ? check->id : current_check(waiver.check))});
    }
  }
}

std::optional<std::chrono::year_month_day> parse_date(std::string_view text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  std::sscanf(std::string(text).c_str(), "%4d-%2u-%2u", &year, &month, &day);
  const auto date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  return date.ok() && date_text(date) == text ? std::optional(date) : std::nullopt;
}

std::chrono::year_month_day day_or_today(const std::string& text, std::string_view option) {
  if (text.empty()) {
    return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  }
  const auto date = parse_date(text);
  refuse_if(!date, "{}: found {}, expected a day, YYYY-MM-DD", option, in_quotes(text));
  return *date;
}

std::string date_text(std::chrono::year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

OrderedJson drafted_waivers(const Verdict& verdict, std::chrono::year_month_day today) {
  const std::chrono::year_month_day expires = std::chrono::sys_days(today) + drafted_for;
  auto waivers = OrderedJson::array();
  for (const auto& check : verdict.checks) {
    if (check.status == Status::fail) {
      waivers.push_back(draft(check, expires));
    }
  }
  return waivers;
}

}  // namespace vernier
