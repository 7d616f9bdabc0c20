#include "reports/words/file.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

#include "numerics/formats/unfinished_file.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {

namespace fs = std::filesystem;

void write_file(const std::string& name, std::string_view bytes, std::ostream& out) {
  if (name == standard_output) {
    out << bytes;
    require_written(out);
    return;
  }
  UnfinishedFile file(name, Irregular::write_in_place);
  file.append(std::as_bytes(std::span(bytes)));
  file.finish();
}

std::shared_ptr<const void> made_folder(const fs::path& folder) {
  std::vector<fs::path> made;
  std::error_code error;
  for (auto path = folder; !path.empty() && !fs::exists(path, error); path = path.parent_path()) {
    made.push_back(path);
  }
  fs::create_directories(folder, error);
  if (error) {
    throw InputError("{}: cannot be made a folder ({})", folder.string(), error.message());
  }
  return {nullptr, [made = std::move(made)](std::nullptr_t) {
            std::error_code not_empty;
            std::ranges::for_each(made, [&](const fs::path& path) { fs::remove(path, not_empty); });
          }};
}

void require_no_other_files(const fs::path& folder, std::span<const std::string> own) {
  std::error_code error;
  std::set<fs::path> others;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with('.') && std::ranges::find(own, name) == own.end()) {
      others.insert(entry.path());
    }
  }
  if (!others.empty()) {
    throw InputError("{}: is there already, expected an empty folder or a new one", others.begin()->string());
  }
}

void require_written(std::ostream& out) {
  out << std::flush;
  if (!out) {
    throw InputError("standard output: cannot be written");
  }
}

}  // namespace vernier
