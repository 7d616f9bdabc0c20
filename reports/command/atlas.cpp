#include "reports/exchange/atlas/atlas.hpp"

#include <iostream>
#include <optional>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"
#include "reports/words/file.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// As a verdict that is inconclusive.
constexpr int exit_code_of_doubt = 4;

struct AtlasArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& out = command.given<std::string>("--output");
  const LongWorkOption work{command};
};

CataloguedRotations wanted(const SpecOption& option) {
  if (!option.given()) {
    return catalogued_rotations();
  }
  const auto encoding = read_encoding("atlas", option);
  try {
    return {{{table_of_recipes(*encoding), encoding->summary(), {option.name()}}}, {}};
  } catch (const InputError& error) {
    throw InputError("{}: {}", option.source(), error.what());
  }
}

int run_atlas(const AtlasArguments& arguments, std::ostream& out) {
  const bool is_saved = !arguments.out.empty() && arguments.out != standard_output;
  std::optional<Progress> progress(std::in_place, progress_place(arguments.work.quiet));
  const auto atlas = make_atlas(wanted(arguments.spec), {.file = is_saved ? arguments.out : "",
                                                         .threads = arguments.work.threads,
                                                         .looks_at_sines = !arguments.spec.given(),
                                                         .progress = progress->listener()});
  progress.reset();
  if (!atlas) {
    std::cerr << "vernier: interrupted; "
              << (is_saved ? "what is proved is saved, and the same command goes on from there"
                           : "nothing is saved, as no file was given with -o")
              << "\n";
    return is_saved ? exit_code_of_saved_work : exit_code_of_an_interrupt;
  }
  if (is_saved) {
    out << fmt::format("{}: {}; {} undecided\n", one_line(arguments.out),
                       counted(atlas->rotations.size(), "rotation", "rotations"), atlas->undecided());
  } else {
    out << (arguments.out.empty() ? atlas_words(*atlas) : atlas_text(*atlas));
  }
  return atlas->undecided() == 0 ? 0 : exit_code_of_doubt;
}

}  // namespace

Action declare_atlas(ArgumentParser& command) {
  return declared(command, run_atlas);
}

}  // namespace vernier
