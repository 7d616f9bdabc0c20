#include "reports/drafted_waivers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/core.h>

#include "reports/waivers.hpp"

namespace vernier {
namespace {

constexpr auto reason_to_replace =
    "drafted by vernier validate --write-waivers: replace this by why the failure is put up with";
constexpr auto issue_to_replace = "none yet: replace this by where the failure is tracked";

/// The least number of three digits above `value`, or one next to it.
double bounded_above(double value) {
  const auto three_digits = [](double number) {
    return std::strtod(fmt::format("{:.2e}", number).c_str(), nullptr);
  };
  const double nearest = three_digits(value);
  // A hundredth more is above the number even where it is rounded down by half a step.
  return nearest > value ? nearest : three_digits(value * 1.01);
}

OrderedJson ends_of(const ClosedRange& range) {
  return OrderedJson::array({range.least, range.greatest});
}

OrderedJson where(const FailingExtent& extent) {
  OrderedJson result{{"positions", ends_of(extent.positions)}, {"columns", ends_of(extent.columns)}};
  if (extent.pairs.greatest != FailingExtent::no_pair) {
    result["pairs"] = ends_of(extent.pairs);
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

OrderedJson drafted_waivers(const Verdict& verdict, std::chrono::year_month_day today) {
  const std::chrono::year_month_day expires = std::chrono::sys_days(today) + drafted_for;
  auto all = OrderedJson::array();
  for (const auto& check : verdict.checks) {
    if (check.status == Status::fail) {
      all.push_back(draft(check, expires));
    }
  }
  return all;
}

}  // namespace vernier
