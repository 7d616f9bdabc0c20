#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/shell_word.hpp"
#include "reports/file.hpp"
#include "reports/nearest_names.hpp"
#include "reports/starting_points/starting_points.hpp"
#include "reports/value_text.hpp"

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

Action declare_init(ArgumentParser& command) {
  const auto arguments = std::make_shared<InitArguments>();
  command.add("KIND", arguments->kind, "what to start from: numpy, pytorch, c or cpp")
      .shows_default()
      .chosen_from(names_of(starting_points(), &StartingPoint::id));
  command.add("FOLDER", arguments->folder, "where to write it; it is made if it is not there")
      .named("FOLDER")
      .shows_default();
  return [arguments](std::ostream& out) { return run_init(*arguments, out); };
}

}  // namespace

Command init_command() {
  return {"init",
          "Write a small implementation that conforms, with its spec, to start from",
          declare_init,
          {"vernier init numpy my-rope", "vernier init c my-kernel"}};
}

}  // namespace vernier
