#pragma once

#include <cstdint>
#include <string>

#include "numerics/implementations/questions.hpp"
#include "reports/commands/argument_parser.hpp"

namespace vernier {

/// A seed that nobody knows beforehand, short enough to be typed.
std::uint64_t fresh_seed();

/// What an implementation is asked: --positions, --seed, --quick and --thorough, as the command line gave
/// them.
struct QuestionsOption {
  std::string positions;
  std::uint64_t seed = fresh_seed();
  bool quick = false;
  bool thorough = false;
};

/// --seed and --quick. \param group of the manual, or empty
void add_questions_options(ArgumentParser& command, QuestionsOption& option, const std::string& group);

/// \param dtype an element type's name, empty for float32
/// \throws InputError for positions or a type that there are not
QuestionOptions read_questions_option(const QuestionsOption& option, const std::string& dtype);

}  // namespace vernier
