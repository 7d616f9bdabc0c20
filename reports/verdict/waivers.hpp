#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "reference/json/json.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A part of an extent that a waiver may limit.
struct WaivedPlace {
  std::string_view name;
  ClosedRange FailingExtent::*part;
};

inline constexpr std::array waived_places{WaivedPlace{"positions", &FailingExtent::positions},
                                          WaivedPlace{"columns", &FailingExtent::columns},
                                          WaivedPlace{"pairs", &FailingExtent::pairs}};

/// A failure that is known, and put up with for a time.
struct Waiver {
  std::string check;  ///< the id of one check: "accuracy/cos"
  /// Where all that fails must lie, by the names of `waived_places`; no limit where nothing is given.
  std::array<std::optional<ClosedRange>, waived_places.size()> where = {};
  /// How bad the failure may be: the greatest share of its budget that anything uses, and the share of the
  /// elements that fail. Neither: any failure at all, as the file must say in so many words.
  std::optional<double> greatest_budget_ratio = std::nullopt;
  std::optional<double> failing_share = std::nullopt;
  std::string reason = {};
  std::string issue = {};                    ///< where the failure is tracked
  std::chrono::year_month_day expires = {};  ///< the last day on which the waiver holds
};

/// Reads a file of waivers, as waivers.schema.json describes it: at most one a check. \throws InputError
std::vector<Waiver> read_waivers(const std::filesystem::path& file);
/// The same of a document. \param source what to call it in errors
std::vector<Waiver> parse_waivers(const JsonValue& document, const std::string& source);

/// Turns the failing checks that waivers cover into waived ones; tells of the others why theirs does not; and
/// notes as stale each waiver that has expired, whose check passes, or whose check is none of this run's.
/// A waiver of a check that was replaced is one of the check in its place.
/// \param today in UTC
void apply_waivers(Verdict& verdict, std::span<const Waiver> waivers, std::chrono::year_month_day today);

/// Reads "2027-03-31"; nothing for any other text, or a day that no month has.
std::optional<std::chrono::year_month_day> parse_date(std::string_view text);
/// The same of an option; today, in UTC, for an empty text. \throws InputError for a text that is no day
std::chrono::year_month_day day_or_today(const std::string& text, std::string_view option);
/// "2027-03-31"
std::string date_text(std::chrono::year_month_day date);

/// How long drafted waivers hold: long enough to mend a kernel, short enough to be asked again.
inline constexpr std::chrono::days drafted_for{90};

/// A file of waivers for everything that fails in this run, which somebody has to complete: each entry covers
/// its failure where it lies and as bad as it is, rounded up to three digits, and its reason and issue say
/// that they are to be replaced.
OrderedJson drafted_waivers(const Verdict& verdict, std::chrono::year_month_day today);

}  // namespace vernier
