#pragma once

#include <string>
#include <vector>

#include "numerics/arithmetic/stored_bits.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/command/validate_options.hpp"

namespace vernier {

/// One or two programs that are asked for tables and for rotated vectors, as the command line gave them.
struct AskedPrograms {
  SpecOption spec;
  LiveOption live;  ///< plug-in, command and server
  std::string dtype;
  std::string positions;
};

void add_asked_programs(ArgumentParser& command, AskedPrograms& option);

/// What each answered, by the program: tables and vectors at one set of positions, which reaches beyond 65504
/// where the context does. The vectors are the same for all, and made to tell rotations apart: one in three
/// nearly cancels, one in three is next to a tie.
/// \throws InputError for a program that answers neither
std::vector<StoredBits> answers_of(const AskedPrograms& option);

}  // namespace vernier
