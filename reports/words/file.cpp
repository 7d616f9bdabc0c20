#include "reports/words/file.hpp"

#include <algorithm>
#include <list>
#include <set>
#include <system_error>
#include <vector>

#include "numerics/formats/removed_by_signal.hpp"
#include "numerics/formats/unfinished_file.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

namespace fs = std::filesystem;

namespace {

/// Folders that go with this object, or with a process that ends at once, if they are empty.
struct MadeFolders {
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders() {
    std::error_code not_empty;
    std::ranges::for_each(innermost_first, [&](const fs::path& path) { fs::remove(path, not_empty); });
  }

  std::vector<fs::path> innermost_first;
  std::list<RemovedBySignal> noted;
};

}  // namespace

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

void write_whole(const fs::path& file, std::string_view bytes) {
  UnfinishedFile unfinished(file);
  unfinished.append(std::as_bytes(std::span(bytes)));
  unfinished.finish();
}

bool is_there(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  refuse_if(status.type() == fs::file_type::none, "{}: cannot be read ({})", file.string(), error.message());
  return fs::exists(status);
}

std::shared_ptr<const void> made_folder(const fs::path& folder) {
  auto made = std::make_shared<MadeFolders>();
  std::error_code error;
  for (auto path = folder; !path.empty() && !is_there(path); path = path.parent_path()) {
    made->innermost_first.push_back(path);
    made->noted.emplace_back(path);
  }
  fs::create_directories(folder, error);
  refuse_if(error.value() != 0, "{}: cannot be made a folder ({})", folder.string(), error.message());
  return made;
}

void require_no_other_files(const fs::path& folder, std::span<const std::string> own) {
  std::error_code error;
  std::set<fs::path> others;
  auto entry = fs::directory_iterator(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (!name.starts_with('.') && std::ranges::find(own, name) == own.end()) {
      others.insert(entry->path());
    }
  }
  refuse_if(error && error != std::errc::no_such_file_or_directory, "{}: cannot be read ({})",
            folder.string(), error.message());
  if (!others.empty()) {
    throw InputError("{}: is there already, expected an empty folder or a new one", others.begin()->string());
  }
}

void require_written(std::ostream& out) {
  out << std::flush;
  refuse_if(!out, "standard output: cannot be written");
}

}  // namespace vernier
