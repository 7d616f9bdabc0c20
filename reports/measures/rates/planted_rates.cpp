#include "reports/measures/rates/planted_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/processes/plugin_process.hpp"
#include "props/judging/specs.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/measures/rates/near_questions.hpp"
#include "reports/measures/rates/specimen.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier::rates {
namespace {

/// Of questions that everybody asks.
constexpr std::size_t everyday_vectors = 8192;
constexpr std::uint64_t fault_stream = 2;
constexpr std::uint64_t honest_kernel_stream = 3;

/// Of faults; of honest kernels where none is asked for.
std::uint64_t stream_of(const PlantedOptions& options) {
  return options.faulty > 0 ? fault_stream + 2 * static_cast<std::uint64_t>(options.distribution)
                            : honest_kernel_stream;
}

/// What the verdict says where it is wrong; today it says nothing.
std::optional<Boundary> boundary_of(const Verdict& verdict) {
  const auto found =
      std::ranges::find_if(verdict.checks, [](const Check& check) { return check.boundary.has_value(); });
  return found == verdict.checks.end() ? std::nullopt : found->boundary;
}

PlantedVerdict judged(int index, DrawnFault drawn, Draw draw, const PlantedOptions& options) {
  PlantedVerdict result{.index = index, .drawn = std::move(drawn)};
  const auto start = std::chrono::steady_clock::now();
  const auto verdict = judge_planted(result.drawn.kernel, options, draw.bits());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.exit_code = exit_code(verdict);
  result.finding = result.exit_code == 0 ? std::string() : finding_of(verdict);
  if (const auto told = boundary_of(verdict); told && told->is_confirmed) {
    result.boundary = told->wrong_where;
    result.is_boundary_right =
        tells_rightly(told->wrong_where, result.drawn.kernel, everyday_vectors, draw.bits());
  }
  return result;
}

std::string line_of(const PlantedVerdict& one) {
  auto line = fmt::format("  {}: {}", one.index, to_text(one.drawn.kernel));
  if (one.boundary) {
    line += ", told: " + to_text(*one.boundary);
  }
  return line + (one.finding.empty() ? "" : "\n      " + one.finding.substr(0, 200)) + "\n";
}

template <class Unwelcome>
std::string lines_of(const std::vector<PlantedVerdict>& verdicts, std::string_view heading,
                     Unwelcome unwelcome) {
  std::string lines;
  for (const auto& one : verdicts) {
    lines += unwelcome(one) ? line_of(one) : "";
  }
  return lines.empty() ? lines : fmt::format("\n{}\n{}", heading, lines);
}

/// How many of some verdicts are found. \param counts which
template <class Counts>
CountedShare found_of(const std::vector<PlantedVerdict>& verdicts, Counts counts) {
  CountedShare share;
  for (const auto& one : verdicts) {
    share.all += counts(one) ? 1 : 0;
    share.count += counts(one) && one.is_found() ? 1 : 0;
  }
  return share;
}

bool is_everyday(const PlantedVerdict& one) {
  return one.drawn.least_vectors <= everyday_vectors && !one.drawn.is_of_one_value;
}
bool is_told_wrong(const PlantedVerdict& one) {
  return one.boundary && !one.is_boundary_right;
}
bool is_undecided(const PlantedVerdict& one) {
  return one.exit_code == 4;
}

/// Of those that have these coordinates how many were missed: "row and head".
std::map<std::string, CountedShare> misses_by_coordinates(const std::vector<PlantedVerdict>& verdicts) {
  std::map<std::string, CountedShare> result;
  for (const auto& one : verdicts) {
    std::vector<std::string_view> names;
    for (const auto& atom : one.drawn.kernel.where) {
      names.push_back(vernier::traits(atom.coordinate).name);
    }
    std::ranges::sort(names);
    const auto count = [&](const std::string& key) {
      auto& share = result[key];
      ++share.all;
      share.count += one.is_found() ? 0 : 1;
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      count(std::string(names[i]));
      for (std::size_t j = i + 1; j < names.size(); ++j) {
        count(fmt::format("{} and {}", names[i], names[j]));
      }
    }
    count("effect " + std::string(name_of(one.drawn.kernel.effect)));
  }
  return result;
}

CountedShare told_right(const std::vector<PlantedVerdict>& faulty) {
  const auto right = std::ranges::count_if(faulty, &PlantedVerdict::is_boundary_right);
  return {static_cast<std::size_t>(right), found_of(faulty, [](const auto&) { return true; }).count};
}

}  // namespace

std::unique_ptr<LiveImplementation> start_planted(const PlantedKernel& kernel,
                                                  const std::filesystem::path& plugin) {
  // The process of the plug-in inherits it, as often as it is started.
  ::setenv(planted_variable, to_text(kernel).c_str(), 1);
  return std::make_unique<PluginProcess>(plugin);
}

Verdict judge_planted(const PlantedKernel& kernel, const PlantedOptions& options, std::uint64_t seed) {
  const auto process = start_planted(kernel, options.plugin);
  LiveOptions live{.name = "planted", .source = "spec", .cases = options.cases};
  live.questions.seed = seed;
  live.questions.thorough = options.thorough;
  live.details = {.error_splits = false, .reasons = false};
  return validate_live(*process, encoding_of(std::string(planted_rope)), live);
}

PlantedRates measure_planted(const PlantedOptions& options,
                             const std::function<void(const PlantedVerdict&)>& progress) {
  PlantedRates rates{options, {}, {}};
  const auto measure = [&](int count, std::uint64_t from, auto draw_kernel,
                           std::vector<PlantedVerdict>& into) {
    for (int index = options.first; index < options.first + count; ++index) {
      auto draw = draw_of(options.seed, from, index);
      auto drawn = draw_kernel(draw);
      into.push_back(judged(index, std::move(drawn), draw, options));
      progress(into.back());
    }
  };
  measure(
      options.faulty, stream_of(options), [&](Draw& draw) { return draw_fault(draw, options.distribution); },
      rates.faulty);
  measure(
      options.honest, honest_kernel_stream, [](Draw& draw) { return DrawnFault{draw_honest_kernel(draw)}; },
      rates.honest);
  return rates;
}

std::string retell(const PlantedOptions& options, int index) {
  auto draw = draw_of(options.seed, stream_of(options), index);
  const auto drawn =
      options.faulty > 0 ? draw_fault(draw, options.distribution) : DrawnFault{draw_honest_kernel(draw)};
  return to_text(drawn.kernel) + "\n" + checks_of(judge_planted(drawn.kernel, options, draw.bits()));
}

double CountedShare::bound(int side) const {
  constexpr double z = 1.959964;
  const auto n = static_cast<double>(all);
  if (all == 0) {
    return side < 0 ? 0 : 100;
  }
  const double p = static_cast<double>(count) / n;
  const double spread = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return std::clamp(100 * (p + z * z / (2 * n) + side * spread) / (1 + z * z / n), 0.0, 100.0);
}

std::string CountedShare::text() const {
  const double share = all == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(all);
  return fmt::format("{} of {} ({:.1f} %, {:.1f} to {:.1f})", count, all, share, least(), greatest());
}

std::string to_text(const PlantedRates& rates) {
  std::string text =
      fmt::format("seed {}{}\n", rates.options.seed, rates.options.thorough ? ", thorough" : "");
  std::vector<double> seconds;
  for (const auto* group : {&rates.faulty, &rates.honest}) {
    std::ranges::transform(*group, std::back_inserter(seconds), &PlantedVerdict::seconds);
  }
  if (!rates.faulty.empty()) {
    const auto all = [](const PlantedVerdict&) { return true; };
    const auto is_shown = [](const PlantedVerdict& one) {
      return one.drawn.least_vectors <= everyday_vectors;
    };
    const auto is_single = [](const PlantedVerdict& one) { return one.drawn.is_of_one_value; };
    text += fmt::format(
        "faulty, refused: {}\n  shown by 8192 vectors, none of one value: {}\n  shown by 8192 vectors: {}\n"
        "  of one value: {}\n  boundary told and right, of those refused: {}\n",
        found_of(rates.faulty, all).text(), found_of(rates.faulty, is_everyday).text(),
        found_of(rates.faulty, is_shown).text(), found_of(rates.faulty, is_single).text(),
        told_right(rates.faulty).text());
    auto misses = misses_by_coordinates(rates.faulty);
    std::vector<std::pair<std::string, CountedShare>> sorted(misses.begin(), misses.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.second.count; });
    text += "\nMisses by coordinate, pair of coordinates and effect\n";
    for (const auto& [name, share] : sorted) {
      text += share.count > 0 ? fmt::format("  {:<40} {}\n", name, share.text()) : "";
    }
  }
  if (!rates.honest.empty()) {
    const auto refused =
        static_cast<std::size_t>(std::ranges::count_if(rates.honest, &PlantedVerdict::is_found));
    text += "honest, refused: " + CountedShare{refused, rates.honest.size()}.text() + "\n";
  }
  if (!seconds.empty()) {
    std::ranges::sort(seconds);
    text += fmt::format("seconds a verdict, median {:.2f}, 95th percentile {:.2f}\n",
                        seconds[seconds.size() / 2], seconds[seconds.size() * 95 / 100]);
  }
  text += lines_of(rates.honest, "Honest, and refused", std::mem_fn(&PlantedVerdict::is_found));
  text += lines_of(rates.honest, "Honest, and not decided", is_undecided);
  text += lines_of(rates.faulty, "Boundaries that are told and wrong", is_told_wrong);
  text += lines_of(rates.faulty, "Misses", [](const auto& one) { return !one.is_found(); });
  return text;
}

OrderedJson to_json(const PlantedRates& rates) {
  OrderedJson json{{"seed", rates.options.seed}, {"thorough", rates.options.thorough}};
  for (const auto& [name, group] : {std::pair("faulty", &rates.faulty), std::pair("honest", &rates.honest)}) {
    json[name] = OrderedJson::array();
    for (const auto& one : *group) {
      OrderedJson entry{{"index", one.index},
                        {"kernel", OrderedJson::parse(to_text(one.drawn.kernel))},
                        {"exit_code", one.exit_code},
                        {"seconds", one.seconds},
                        {"finding", one.finding}};
      if (one.drawn.kernel.is_faulty) {
        entry["least_vectors"] = one.drawn.least_vectors;
        entry["of_one_value"] = one.drawn.is_of_one_value;
      }
      if (one.boundary) {
        entry["boundary"] = to_text(*one.boundary);
        entry["boundary_is_right"] = one.is_boundary_right;
      }
      json[name].push_back(std::move(entry));
    }
  }
  return json;
}

bool is_welcome(const PlantedRates& rates) {
  return std::ranges::none_of(rates.honest, &PlantedVerdict::is_found) &&
         std::ranges::none_of(rates.faulty, is_told_wrong);
}

}  // namespace vernier::rates
