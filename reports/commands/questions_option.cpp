#include "reports/commands/questions_option.hpp"

#include "reference/input_error.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/value_text.hpp"

namespace vernier {

void add_seed_option(ArgumentParser& command, QuestionsOption& option, const std::string& group) {
  command.add("--seed", option.seed, "what positions, vectors and cases of laws are drawn from")
      .shows_default()
      .in_group(group);
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
