#include <string>

#include <fmt/core.h>

#include "reports/command/command.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string percent_of(const OrderedJson& part, const OrderedJson& whole) {
  return fmt::format("{:.1f} %", 100 * part.get<double>() / whole.get<double>());
}

int run_vectors(const std::string& folder, std::ostream& out) {
  const auto& selection = built_in_selection();
  const auto counts = write_vectors(selection, folder);
  const auto& tried = selection.measured["tried_on"];
  const auto& chosen = selection.measured["chosen_by"];
  out << fmt::format(
      "{}: {} rows of {} encodings, {} elements, {:.2f} MB, version {}\n"
      "  They kill {} of {} mutants (seed {}): the rows alone {}, sums of whole tables the rest.\n"
      "  They refuse {} of {} honest implementations.\n"
      "  {} other mutants chose the rows (seed {}).\n",
      one_line(folder), counts.rows, counts.groups, counts.elements, static_cast<double>(counts.bytes) / 1e6,
      selection.version, percent_of(tried["killed"], tried["mutants"]), tried["mutants"].get<int>(),
      tried["seed"].get<std::uint64_t>(), percent_of(tried["killed_by_rows"], tried["mutants"]),
      tried["honest_refused"].get<int>(), tried["honest"].get<int>(), chosen["mutants"].get<int>(),
      chosen["seed"].get<std::uint64_t>());
  return 0;
}

}  // namespace

Action declare_vectors(ArgumentParser& command) {
  const auto& folder = command.given<std::string>("--output");
  return [&folder](std::ostream& out) { return run_vectors(folder, out); };
}

}  // namespace vernier
