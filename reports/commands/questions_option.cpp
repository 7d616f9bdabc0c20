#include "reports/commands/questions_option.hpp"

#include <random>

#include "reference/input_error.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/value_text.hpp"

namespace vernier {

std::uint64_t fresh_seed() {
  return std::random_device()();
}

void add_questions_options(ArgumentParser& command, QuestionsOption& option, const std::string& group) {
  command
      .add("--seed", option.seed,
           "what vectors, cases of laws and samples of positions are drawn from; default a fresh one, which "
           "is told")
      .in_group(group);
  command
      .add_flag("--quick", option.quick,
                "ask for a small sample of the positions: a look, not the full question")
      .in_group(group);
}

QuestionOptions read_questions_option(const QuestionsOption& option, const std::string& dtype) {
  QuestionOptions result{.seed = option.seed, .quick = option.quick, .thorough = option.thorough};
  if (!dtype.empty()) {
    result.type = read_dtype(dtype);
  }
  if (!option.positions.empty()) {
    result.positions = parse_positions(option.positions, "--positions");
  }
  return result;
}

}  // namespace vernier
