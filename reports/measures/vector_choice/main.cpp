// vernier-choose-vectors [--mutants N] [--honest N] [--seed N] [--choose FILE]
// tries the test vectors on implementations that are drawn: mutants, and honest ones. Prints how many mutants
// they kill, by encoding and by fault, and every one that lives. --choose chooses the rows anew by four times
// as many other mutants, those of the next seed, tries them, and writes the selection to a file. Leaves with
// 1 if fewer than 95 % of the mutants are killed, or an honest one is refused.

#include <iostream>
#include <span>
#include <string_view>

#include "reports/measures/rates/arguments.hpp"
#include "reports/measures/vector_choice/choice.hpp"

namespace vernier {
namespace {

constexpr std::string_view valued[] = {"--mutants", "--honest", "--seed", "--choose"};
/// So many mutants choose for one that the choice is tried on.
constexpr int choosing = 4;
/// What those who vendor the vectors are promised.
constexpr double least_killed = 0.95;

int run(std::span<const char* const> words) {
  const rates::Arguments arguments(words, valued);
  TrialOptions options;
  options.seed = arguments.number<std::uint64_t>("--seed", options.seed, 0);
  options.mutants = arguments.number("--mutants", options.mutants, 1);
  options.honest = arguments.number("--honest", options.honest, 0);
  auto selection = built_in_selection();
  if (arguments.has("--choose")) {
    const TrialOptions others{options.seed + 1, choosing * options.mutants, 0};
    choose_rows(selection, others);
    selection.measured = {{"chosen_by", {{"seed", others.seed}, {"mutants", others.mutants}}}};
  }
  const auto trials = trials_of(selection);
  const auto mutants = try_mutants(trials, options);
  const auto honest = try_honest_ones(trials, options);
  const auto measured = measured_json(mutants, honest, options.seed);
  if (arguments.has("--choose")) {
    selection.measured["tried_on"] = measured;
    rates::write_file(arguments.text("--choose"), to_json(selection).dump(1) + "\n");
  }
  std::cout << to_text(selection, mutants, honest) << measured.dump() << "\n";
  const bool kills = measured["killed"].get<double>() >= least_killed * measured["mutants"].get<double>();
  return kills && measured["honest_refused"] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vernier

int main(int argument_count, char** arguments) {
  try {
    return vernier::run(std::span(arguments, static_cast<std::size_t>(argument_count)).subspan(1));
  } catch (const vernier::InputError& error) {
    std::cerr << "vernier-choose-vectors: " << error.what() << "\n";
    return 2;
  }
}
