#include "reference/support/text_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/core.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::uintmax_t largest_file = 64 << 20;

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::is_regular_file(status)) {
    const bool is_there = std::filesystem::exists(status);
    const bool is_known = status.type() != std::filesystem::file_type::none;
    throw InputError("{}: {}", file.string(),
                     is_there   ? "found a folder or device, expected a JSON file"
                     : is_known ? "no such file"
                                : fmt::format("cannot be read ({})", error.message()));
  }
  const auto size = std::filesystem::file_size(file, error);
  refuse_if(error.value() != 0, "{}: cannot be read ({})", file.string(), error.message());
  refuse_if(size > largest_file, "{}: found more than 64 MiB, expected a JSON document", file.string());
  try {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    refuse_if(!stream, "{}: cannot be read", file.string());
    return text;
  } catch (const std::ios_base::failure& failure) {  // as from a failing disk
    throw InputError("{}: cannot be read ({})", file.string(), failure.code().message());
  }
}

}  // namespace vernier
