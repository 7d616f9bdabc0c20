// vernier_rates [--honest N] [--faulty N] [--longest POSITIONS] [--elements N] [--cases N] [--seed N]
//               [--misses N] [--json FILE] [--only N]
// draws implementations, honest and faulty ones, judges them live and stored, and prints how often the
// verdict was wrong. --only 17 tells all of the 17th honest one, --only -18 of the 17th faulty one. Leaves
// with 1 if an honest one is refused, or if more verdicts than --misses (none) say that a faulty one
// conforms.
//
// vernier_rates --planted N [--distribution covering|own] [--planted-honest N] [--thorough] [--from N]
//               [--seed N] [--cases N] [--json FILE] [--only N]
// plants drawn faults of questions into a plug-in and judges it live. --only 17 tells all of the 17th.
// Leaves with 1 if an honest kernel is refused, or a boundary that is told is wrong.

#include <iostream>
#include <limits>
#include <span>
#include <string_view>

#include "reference/support/input_error.hpp"
#include "reports/measures/rates/arguments.hpp"
#include "reports/measures/rates/planted_rates.hpp"
#include "reports/measures/rates/rates.hpp"

namespace vernier::rates {
namespace {

constexpr int as_it_should_be = 0;
constexpr int wrong = 1;
constexpr int bad_usage = 2;

constexpr std::string_view option_names[] = {
    "--honest", "--faulty", "--longest", "--elements",       "--cases",        "--seed", "--misses",
    "--json",   "--only",   "--planted", "--planted-honest", "--distribution", "--from"};
constexpr std::string_view flag_names[] = {"--thorough"};

int run_planted(const Arguments& arguments) {
  PlantedOptions options{.plugin = VERNIER_PLANTED_PLUGIN};
  options.seed = arguments.number<std::uint64_t>("--seed", options.seed, 0);
  options.cases = arguments.number("--cases", options.cases, 1);
  options.faulty = arguments.number("--planted", options.faulty, 0);
  options.honest = arguments.number("--planted-honest", options.honest, 0);
  options.first = arguments.number("--from", options.first, 0);
  options.thorough = arguments.has("--thorough");
  if (const auto word = arguments.text("--distribution"); !word.empty()) {
    options.distribution = parse_distribution(word);
  }
  if (arguments.has("--only")) {
    std::cout << retell(options, arguments.number("--only", 0, 0));
    return as_it_should_be;
  }
  const auto rates = measure_planted(options, [](const PlantedVerdict& one) {
    std::cerr << (one.drawn.kernel.is_faulty ? "faulty " : "honest ") << one.index << "\r" << std::flush;
  });
  std::cout << to_text(rates);
  if (const auto file = arguments.text("--json"); !file.empty()) {
    write_file(file, to_json(rates).dump(1) + "\n");
  }
  return is_welcome(rates) ? as_it_should_be : wrong;
}

int run(std::span<const char* const> words) {
  const Arguments arguments(words, option_names, flag_names);
  if (arguments.has("--planted") || arguments.has("--planted-honest")) {
    return run_planted(arguments);
  }
  RatesOptions options;
  options.seed = arguments.number<std::uint64_t>("--seed", options.seed, 0);
  options.honest = arguments.number("--honest", options.honest, 0);
  options.faulty = arguments.number("--faulty", options.faulty, 0);
  options.longest = arguments.number<std::int64_t>("--longest", options.longest, 64);
  options.elements = arguments.number<std::int64_t>("--elements", options.elements, 1);
  options.cases = arguments.number("--cases", options.cases, 1);
  if (!arguments.text("--only").empty()) {
    std::cout << retell(options, arguments.number("--only", 0, std::numeric_limits<int>::min()));
    return as_it_should_be;
  }
  const auto most_misses = arguments.number<std::size_t>("--misses", 0, 0);
  const auto file = arguments.text("--json");
  const auto rates = measure_rates(options, [](const Drawn& one) {
    std::cerr << (one.fault == nullptr ? "honest " : "faulty ") << one.index << "\r" << std::flush;
  });
  std::cout << to_text(rates);
  if (!file.empty()) {
    write_file(file, to_json(rates).dump(1) + "\n");
  }
  const auto count = [&](const std::vector<Drawn>& drawn, std::size_t Tally::*member) {
    return tally(drawn, Way::live).*member + tally(drawn, Way::stored).*member;
  };
  const bool is_good =
      count(rates.honest, &Tally::refused) == 0 && count(rates.faulty, &Tally::conforms) <= most_misses;
  return is_good ? as_it_should_be : wrong;
}

}  // namespace
}  // namespace vernier::rates

int main(int argument_count, char** arguments) {
  try {
    return vernier::rates::run(std::span(arguments, static_cast<std::size_t>(argument_count)).subspan(1));
  } catch (const vernier::InputError& error) {
    std::cerr << "vernier_rates: " << error.what() << "\n";
    return vernier::rates::bad_usage;
  }
}
