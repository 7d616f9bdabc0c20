#include <algorithm>
#include <filesystem>

#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/exchange/starting_points/starting_points.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

struct InitArguments {
  ArgumentParser& command;
  const std::string& kind = command.chosen("KIND", names_of(starting_points(), &StartingPoint::id), "numpy");
  const std::string& folder = command.given<std::string>("FOLDER", ".");
};

const StartingPoint& point_of(const InitArguments& arguments) {
  return *std::ranges::find(starting_points(), arguments.kind, &StartingPoint::id);
}

int run_init(const InitArguments& arguments, std::ostream& out) {
  const auto& point = point_of(arguments);
  const fs::path folder = arguments.folder;
  const auto readme = readme_of(point);
  auto files = point.files;
  files.push_back({"README.md", readme});
  require_no_other_files(folder);
  const auto made = made_folder(folder);
  for (const auto& file : files) {
    write_file((folder / file.name).string(), file.text, out);
  }
  out << one_line(folder.string()) << ": " << joined(files, &StartingFile::name) << "\n";
  if (arguments.folder != ".") {
    out << "  cd " << one_line(shell_word(arguments.folder)) << "\n";
  }
  for (const auto command : point.commands) {
    out << "  " << command << "\n";
  }
  return 0;
}

}  // namespace

Action declare_init(ArgumentParser& command) {
  return declared(command, run_init);
}

}  // namespace vernier
