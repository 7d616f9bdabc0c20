#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <memory>
#include <thread>

#include <fmt/core.h>

#include "numerics/audit/audit.hpp"
#include "numerics/audit/horizon.hpp"
#include "numerics/contracts/contract.hpp"
#include "reference/input_error.hpp"
#include "reference/joint_table.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/commands/recipe_option.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/nearest_names.hpp"
#include "reports/progress.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int digits = 3;

struct Arguments {
  SpecOption spec;
  std::string recipe;
  std::string positions;
  std::string dtype;
  std::string contract;
  bool quiet = false;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

/// An error that a table can be good to.
struct Threshold {
  int exponent;  ///< of two
  std::string_view meaning;
};

/// An ulp of a format is meant of numbers from 1/2 to 1, where most values lie; relative to values near zero
/// no recipe is good to an ulp anywhere.
constexpr std::array<Threshold, 12> thresholds{{{-4, ""},
                                                {-6, ""},
                                                {-8, "1 ulp of bfloat16"},
                                                {-10, ""},
                                                {-11, "1 ulp of float16"},
                                                {-12, ""},
                                                {-14, ""},
                                                {-16, ""},
                                                {-18, ""},
                                                {-20, ""},
                                                {-24, "1 ulp of float32"},
                                                {-53, "1 ulp of float64"}}};

Format stored_format(const Arguments& arguments, const Recipe& recipe) {
  return arguments.dtype.empty() ? recipe.compute : *traits(read_dtype(arguments.dtype)).format;
}

const Contract& contract_of(const Arguments& arguments, const Recipe& recipe) {
  const auto id = arguments.contract.empty() ? recipe.contract : std::string_view(arguments.contract);
  const auto* contract = contract_named(id);
  if (contract == nullptr) {
    throw InputError("--contract: found \"{}\", expected one that `vernier list contracts` names",
                     one_line(arguments.contract));
  }
  return *contract;
}

std::string place_text(const TrigTable& table, const Place& place) {
  const auto& column = table.columns[place.column];
  return fmt::format("position {}, {} of pair {}", place.position,
                     column.component == Component::sine ? "sine" : "cosine", column.pair);
}

void print_errors(const TrigTable& table, const AuditReport& report, std::ostream& out) {
  const auto& statistics = report.statistics;
  const auto line = [&](std::string_view name, const ErrorSummary& summary) {
    out << "  " << std::left << std::setw(16) << name << " largest "
        << significant_text(summary.greatest(), digits) << " (" << place_text(table, summary.greatest_place())
        << "), root mean square " << significant_text(summary.rms(), digits) << ", 99 % below "
        << bound_text(summary.percentile(0.99), digits) << "\n";
  };
  line("absolute error", statistics.absolute());
  line("phase roundings", statistics.phase_roundings());
  line("ulp", statistics.ulps());
  out << "  99 % below: upper bounds, up to " << ErrorSummary::percentile_excess
      << " times too large, of phase roundings up to " << ErrorStatistics::phase_roundings_percentile_excess
      << " times\n";
  const auto share = [&](std::uint64_t count) {
    return percent_text(static_cast<double>(count) / static_cast<double>(statistics.count()));
  };
  out << "  correctly rounded " << share(statistics.correctly_rounded()) << ", faithful "
      << share(statistics.faithful()) << ", not finite " << statistics.non_finite() << "\n";
}

void print_contract(const TrigTable& table, const Contract& contract, const AuditReport& report,
                    std::ostream& out) {
  out << "contract " << contract.id << ": ";
  if (report.failing > 0) {
    out << counted(report.failing, "element is", "elements are") << " beyond budget, the first at "
        << place_text(table, report.first_failing->place) << "\n";
  } else if (report.judged == 0) {
    out << "its budgets prove nothing anywhere here\n";
  } else {
    out << "kept; the worst element " << usage_text(report.worst->budget_ratio) << " ("
        << place_text(table, report.worst->place) << ")\n";
  }
  if (report.inconclusive > 0) {
    out << "  the budgets of " << counted(report.inconclusive, "element", "elements") << " prove nothing\n";
  }
}

void print_horizons(const PositionRange& positions, std::span<const Horizon> found, std::ostream& out) {
  out << "usable horizons: the last position up to which every absolute error stays below\n";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& threshold = thresholds[i];
    const auto& row = found[i].first_row_beyond;
    out << "  2^" << std::left << std::setw(4) << threshold.exponent << std::setw(20) << threshold.meaning;
    if (!row) {
      out << positions.at(positions.count - 1) << ", the last one swept\n";
    } else if (*row == 0) {
      out << "none: the first one, " << positions.first << ", is beyond\n";
    } else {
      out << positions.at(*row - 1) << "\n";
    }
  }
}

/// Shows how far it is.
AuditReport audited(const TrigTable& table, const Subject& subject, const PositionRange& positions,
                    const Arguments& arguments) {
  Progress progress(progress_place(arguments.quiet));
  progress.begin(arguments.recipe, static_cast<std::uint64_t>(positions.count));
  return audit(table, std::span(&subject, 1), positions,
               {.threads = arguments.threads,
                .heartbeat = [&](std::int64_t rows) { progress.advance(static_cast<std::uint64_t>(rows)); }})
      .front();
}

int run(const Arguments& arguments, std::ostream& out) {
  const auto& recipe = read_recipe(arguments.recipe);
  const auto stored = stored_format(arguments, recipe);
  const auto& contract = contract_of(arguments, recipe);
  const auto positions = parse_positions(arguments.positions, "--positions");
  const auto encoding = read_table_encoding("sweep", arguments.spec);
  const auto table = joint_table(*encoding);
  const RecipeTable implementation(recipe, table, stored);
  const Subject subject{&implementation, contract.bind(table, stored)};

  const auto report = audited(table, subject, positions, arguments);
  std::vector<double> errors;
  for (const auto& threshold : thresholds) {
    errors.push_back(std::ldexp(1.0, threshold.exponent));
  }
  out << encoding->summary() << "; " << table.role << " by " << recipe.id << ", stored as "
      << traits(stored).name << "\n"
      << report.statistics.count() << " elements audited, all of positions " << positions.first << " to "
      << positions.at(positions.count - 1)
      << (positions.step == 1 ? "" : " in steps of " + std::to_string(positions.step)) << "\n";
  print_errors(table, report, out);
  print_contract(table, contract, report, out);
  print_horizons(positions, horizons(table, implementation, positions, report, errors), out);
  return 0;
}

Action declare_sweep(ArgumentParser& command) {
  const auto arguments = std::make_shared<Arguments>();
  add_spec_option(command, arguments->spec, "a spec file, or a model's config.json");
  add_recipe_option(command, arguments->recipe, "how the table is computed (vernier list recipes)")
      .required();
  command
      .add("--positions", arguments->positions, "A:B or A:B:STEP, B not included; numbers may be written 2^N")
      .named("A:B")
      .required();
  command
      .add("--dtype", arguments->dtype,
           "the format it is stored in: float64, float32, float16, bfloat16 or a float8 type; default the "
           "recipe's")
      .named("TYPE")
      .usually(stored_formats);
  command
      .add("--contract", arguments->contract,
           "the contract to hold it to (vernier list contracts); default the recipe's")
      .named("CONTRACT")
      .usually([] { return names_of(contracts(), &Contract::id); });
  command.add("--threads", arguments->threads, "how many threads work; the result does not depend on it")
      .between(1U, 1024U);
  command.add_flag("-q,--quiet", arguments->quiet, "no progress on standard error");
  return [arguments](std::ostream& out) { return run(*arguments, out); };
}

}  // namespace

Command sweep_command() {
  return {"sweep",
          "Audit a recipe at every position of a range, and say how far it is good to what",
          declare_sweep,
          {"vernier sweep --model llama-2-7b-hf --recipe float32-pow --positions 0:2^20",
           "vernier sweep --spec spec.json --recipe float64-pow --positions 0:4096 --dtype bfloat16"}};
}

}  // namespace vernier
