// Writes a verdict a way for a run to end, with hostile texts in it, in every form, for the checks of these
// forms.

#include "reports/test/made_verdicts.hpp"

#include <exception>
#include <iostream>

#include "reports/file.hpp"
#include "reports/outputs/output.hpp"

int main(int argc, char** argv) {
  try {
    if (argc != 2) {
      std::cerr << "usage: " << *argv << " FOLDER\n";
      return 2;
    }
    const auto verdicts = vernier::verdicts_of_all_conclusions(vernier::hostile_text());
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      for (const auto& output : vernier::outputs()) {
        const auto file =
            std::string(argv[1]) + "/made-" + std::to_string(i) + "." + std::string(output.name);
        vernier::write_file(file, output.render(verdicts[i]), std::cout);
      }
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
