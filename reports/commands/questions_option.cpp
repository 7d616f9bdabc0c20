#include "reports/commands/questions_option.hpp"

#include <CLI/CLI.hpp>

#include "reference/input_error.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/value_text.hpp"

namespace vernier {

void add_questions_option(CLI::App& command, QuestionsOption& option, const std::string& group) {
  command
      .add_option("--positions", option.positions,
                  "the positions to ask for: A:B or A:B:STEP, B not included; default some 6000 up to the "
                  "model's last, where most shows")
      ->group(group);
  command.add_option("--seed", option.seed, "what positions and vectors are drawn from")
      ->capture_default_str()
      ->group(group);
}

QuestionOptions read_questions_option(const QuestionsOption& option, const std::string& dtype) {
  QuestionOptions result{.seed = option.seed};
  if (!dtype.empty()) {
    const auto type = element_type_named(dtype);
    if (!type || !traits(*type).format) {
      throw InputError("--dtype: found \"" + one_line(dtype) +
                       "\", expected float64, float32, float16 or bfloat16");
    }
    result.type = *type;
  }
  if (!option.positions.empty()) {
    result.positions = parse_positions(option.positions, "--positions");
  }
  return result;
}

}  // namespace vernier
