#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

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
  std::string kind = "numpy";
  std::string folder = ".";
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
  const auto arguments = std::make_shared<InitArguments>();
  command.add("KIND", arguments->kind).chosen_from(names_of(starting_points(), &StartingPoint::id));
  command.add("FOLDER", arguments->folder);
  return [arguments](std::ostream& out) { return run_init(*arguments, out); };
}

}  // namespace vernier
