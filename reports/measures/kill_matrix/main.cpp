// vernier-kill-matrix [--mutants N] [--honest N] [--seed N] [--longest POSITIONS] [--elements N] [--misses N]
//                     [--false-names N] [--json FILE] [--only N] [--times]
// draws faulty implementations and honest ones, judges their tensors, diagnoses them, and asks re-enacted
// tests of other projects about them. Prints what was caught and named by fault, by check and by project, and
// every miss, false name and false alarm. --only 17 tells all of the 17th mutant, --only -18 of the 17th
// honest one. Leaves with 1 if an honest one is refused or accused, if more mutants than --misses (none)
// conform, or if more than --false-names (none) are falsely named.

#include <atomic>
#include <iostream>
#include <limits>
#include <span>
#include <string_view>

#include "reference/support/input_error.hpp"
#include "reports/measures/kill_matrix/kill_matrix.hpp"
#include "reports/measures/rates/arguments.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr int as_it_should_be = 0;
constexpr int wrong = 1;
constexpr int bad_usage = 2;

constexpr std::string_view valued[] = {"--mutants", "--honest",      "--seed", "--longest", "--elements",
                                       "--misses",  "--false-names", "--json", "--only"};
constexpr std::string_view flags[] = {"--times"};

int run(std::span<const char* const> words) {
  const rates::Arguments arguments(words, valued, flags);
  KillOptions options;
  auto& drawn = options.drawn;
  drawn.seed = arguments.number<std::uint64_t>("--seed", drawn.seed, 0);
  drawn.longest = arguments.number<std::int64_t>("--longest", drawn.longest, 64);
  drawn.elements = arguments.number<std::int64_t>("--elements", drawn.elements, 1);
  options.mutants = arguments.number("--mutants", options.mutants, 0);
  options.honest = arguments.number("--honest", options.honest, 0);
  if (arguments.has("--only")) {
    std::cout << retell(options, arguments.number("--only", 0, std::numeric_limits<int>::min()));
    return as_it_should_be;
  }
  std::atomic<int> done = 0;
  const auto matrix = measure_kills(options, [&] {
    const int count = ++done;
    std::cerr << (count % 10 == 0 ? std::to_string(count) + "\r" : std::string()) << std::flush;
  });
  std::cout << to_text(matrix, arguments.has("--times"));
  if (arguments.has("--json")) {
    rates::write_file(arguments.text("--json"), to_json(matrix).dump(1) + "\n");
  }
  return is_as_it_should_be(matrix, arguments.number<std::size_t>("--misses", 0, 0),
                            arguments.number<std::size_t>("--false-names", 0, 0))
             ? as_it_should_be
             : wrong;
}

}  // namespace
}  // namespace vernier::kill_matrix

int main(int argument_count, char** arguments) {
  try {
    return vernier::kill_matrix::run(
        std::span(arguments, static_cast<std::size_t>(argument_count)).subspan(1));
  } catch (const vernier::InputError& error) {
    std::cerr << "vernier-kill-matrix: " << error.what() << "\n";
    return vernier::kill_matrix::bad_usage;
  }
}
