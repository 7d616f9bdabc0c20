#include "numerics/implementations/request_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "reference/input_error.hpp"
#include "reference/json.hpp"

namespace vernier {

namespace fs = std::filesystem;

RequestFolder::RequestFolder() {
  std::error_code error;
  auto pattern = (fs::temp_directory_path(error) / "vernier-XXXXXX").string();
  if (error) {
    const auto* named = std::getenv("TMPDIR");
    throw InputError("TMPDIR: found {} ({}), expected a folder, in which requests are written",
                     in_quotes(named == nullptr ? "" : named), error.message());
  }
  if (mkdtemp(pattern.data()) == nullptr) {
    throw InputError("{}: cannot make a folder for requests ({}); TMPDIR may name another place", pattern,
                     std::error_code(errno, std::generic_category()).message());
  }
  path_ = pattern;
  noted_.emplace(path_);
  noted_request_.emplace(request());
  noted_response_.emplace(response());
}

RequestFolder::~RequestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace vernier
