#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/asking/questions.hpp"
#include "numerics/searches/near_midpoints.hpp"
#include "numerics/searches/near_quarter_turns.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/elements/element_value.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// A position at which the phase of a pair is hard to reduce.
struct HardPhase {
  std::int64_t position = 0;
  int pair = 0;
  ReducedPhase reduced = {};
};

/// Elements of a format that are hard to round.
struct HardRoundings {
  Format format = Format::binary32;
  std::vector<NearMidpoint> elements = {};  ///< of each pair's sine and cosine the hardest
};

/// The hardest elements of a table of sines and cosines at positions 1 to `last`. Those below 0 are as hard.
struct HardElements {
  std::int64_t last = 0;
  std::vector<HardPhase> phases = {};  ///< of each pair that turns by pi/4 and more the nearest to pi/2 k
  std::vector<HardRoundings> roundings = {};
};

/// Of the pairs that a table has.
std::vector<HardPhase> hard_phases(const TrigTable& table, std::int64_t last) {
  std::vector<HardPhase> result;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    if (table.frequencies.approximate(pair) <= 0) {
      continue;
    }
    const Real frequency = [&] { return table.frequencies.at(pair); };
    const auto records = near_quarter_turns(frequency, last);
    // The multiple that a slow pair is nearest to may be zero: there nothing is reduced.
    for (const auto position : std::views::reverse(records)) {
      if (const auto reduced = reduced_phase([&] { return Interval(enclose(position) * frequency()); })) {
        result.push_back({position, pair, *reduced});
        break;
      }
    }
  }
  return result;
}

constexpr int hardest_version = 1;
constexpr int hard_element_digits = 3;

/// After so many bits more than the format has, truth and midpoint differ, as of NearestNumber; nothing
/// where they do not.
std::optional<int> bits_to_tell(const NearMidpoint& element) {
  return element.distance > 0
             ? std::optional(std::max(1, static_cast<int>(std::ceil(-std::log2(element.distance)))))
             : std::nullopt;
}

std::string_view name_of(Component component) {
  return component == Component::sine ? "sine" : "cosine";
}

template <class Element, class Hardness>
void keep_hardest(std::vector<Element>& elements, std::size_t most, Hardness hardness) {
  std::ranges::stable_sort(elements, {}, hardness);
  elements.resize(std::min(most, elements.size()));
}

/// \param table of tables_of_sines()  \param last in [1, 2^31)
HardElements hard_elements(const TrigTable& table, std::int64_t last, std::span<const Format> formats,
                           unsigned threads, Progress& progress) {
  HardElements result{last, hard_phases(table, last)};
  for (const auto format : formats) {
    progress.begin(fmt::format("{} midpoints", traits(format).name), static_cast<std::uint64_t>(last));
    result.roundings.push_back(
        {format, near_midpoints(table, {1, 1, last}, format, threads, [&](std::int64_t rows) {
           progress.advance(static_cast<std::uint64_t>(rows));
         })});
  }
  return result;
}

/// In words, of each kind so many, the hardest first.
std::string hard_elements_text(const Encoding& encoding, HardElements hard, std::size_t most) {
  auto text = fmt::format("{}; positions 1 to {}\n\n", one_line(encoding.summary()), hard.last);
  keep_hardest(hard.phases, most, [](const HardPhase& phase) { return std::fabs(phase.reduced.rest); });
  text += "phases nearest to a multiple of pi/2, of each pair the nearest:\n";
  text += hard.phases.empty() ? "  none: no pair turns so far\n"
                              : fmt::format("  {:>10}  {:>4}  {}\n", "position", "pair", "the phase is");
  for (const auto& [position, pair, reduced] : hard.phases) {
    const auto rest =
        reduced.rest == 0
            ? "exactly"
            : fmt::format("{} {}", significant_text(std::fabs(reduced.rest), hard_element_digits),
                          reduced.rest < 0 ? "below" : "above");
    text += fmt::format("  {:>10}  {:>4}  {} {} pi/2\n", position, pair, rest, reduced.quarter_turns);
  }
  for (auto& [format, elements] : hard.roundings) {
    keep_hardest(elements, most, [](const NearMidpoint& element) { return element.distance; });
    text += fmt::format(
        "\nnearest to the middle between two numbers of {}, of each pair's sine and cosine the nearest:\n"
        "  {:>10}  {:>4}  {:<7}  {:>12}  ulp from the middle\n",
        traits(format).name, "position", "pair", "element", "bits to tell");
    for (const auto& element : elements) {
      const auto bits = bits_to_tell(element);
      text += fmt::format("  {:>10}  {:>4}  {:<7}  {:>12}  {}\n", element.position, element.pair,
                          name_of(element.component), bits ? std::to_string(*bits) : "none",
                          significant_text(element.distance, hard_element_digits));
    }
  }
  return text;
}

/// All of them as JSON, by pair.
std::string hard_elements_json(const Encoding& encoding, const HardElements& hard) {
  const auto phase_json = [](const auto& phase) -> OrderedJson {
    const auto& [position, pair, reduced] = phase;
    return {{"position", position},
            {"pair", pair},
            {"quarter_turns", reduced.quarter_turns},
            {"rest", reduced.rest}};
  };
  const auto element_json = [](const auto& element) -> OrderedJson {
    return {{"position", element.position},
            {"pair", element.pair},
            {"component", name_of(element.component)},
            {"bits_beyond_format", json_or_null(bits_to_tell(element))},
            {"ulp_from_midpoint", element.distance}};
  };
  const auto rounding_json = [&](const auto& rounding) -> OrderedJson {
    const auto& [format, elements] = rounding;
    return {{"format", traits(format).name}, {"elements", array_json(elements, element_json)}};
  };
  return document_text({{"vernier_hardest", hardest_version},
                        {"tool", {{"name", "vernier"}, {"version", version()}}},
                        {"encoding", encoding.summary()},
                        {"spec", encoding.spec()},
                        {"positions", {{"first", 1}, {"last", hard.last}}},
                        {"phases", array_json(hard.phases, phase_json)},
                        {"roundings", array_json(hard.roundings, rounding_json)}});
}

/// Those that people store tables in.
constexpr std::array usual_formats{Format::binary32, Format::binary16, Format::bfloat16};

struct HardestArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& last = command.given<std::string>("--last");
  const Words& dtypes = command.given<Words>("--dtype");
  const unsigned& most = command.given<unsigned>("--most", 5);
  const std::string& json = command.given<std::string>("--json");
  const LongWorkOption work{command};
};

std::vector<Format> formats_of(const HardestArguments& arguments) {
  const auto result =
      mapped(arguments.dtypes, [&](const auto& word) { return *traits(read_dtype(word)).format; });
  return result.empty() ? std::vector(usual_formats.begin(), usual_formats.end()) : result;
}

/// The last position that is looked at. \throws InputError
std::int64_t last_of(const HardestArguments& arguments, const Encoding& encoding) {
  if (arguments.last.empty()) {
    return std::max<std::int64_t>(last_probed_position(encoding), 1);
  }
  const auto last = parse_position(arguments.last, "--last");
  const auto length = encoding.sequence_length();
  refuse_if(last < 1 || (length && last >= *length), "--last: found {}, expected a position from 1 {}", last,
            length ? "to " + std::to_string(*length - 1) + ", the last of the sequence" : "on");
  return last;
}

int run_hardest(const HardestArguments& arguments, std::ostream& out) {
  const auto formats = formats_of(arguments);
  const auto encoding = read_table_encoding("hardest", arguments.spec);
  const auto last = last_of(arguments, *encoding);
  const auto tables = tables_of_sines(*encoding);
  refuse_if(tables.empty(),
            "{}: found positions that are scaled or shifted, expected the integers that are given",
            arguments.spec.source());
  const auto hard = [&] {
    Progress progress(progress_place(arguments.work.quiet));
    return hard_elements(tables.front(), last, formats, arguments.work.threads, progress);
  }();
  write_findings(arguments.json, hard_elements_json(*encoding, hard),
                 hard_elements_text(*encoding, hard, arguments.most), out);
  return 0;
}

}  // namespace

Action declare_hardest(ArgumentParser& command) {
  return declared(command, run_hardest);
}

}  // namespace vernier
