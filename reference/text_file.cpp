#include "reference/text_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::uintmax_t largest_file = 64 << 20;

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw InputError(file.string() + ": no such file");
  }
  if (const auto size = std::filesystem::file_size(file, error); error || size > largest_file) {
    throw InputError(file.string() + ": found more than 64 MiB, expected a JSON document");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw InputError(file.string() + ": cannot be read");
  }
  return text;
}

}  // namespace vernier
