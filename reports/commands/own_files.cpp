#include "reports/commands/own_files.hpp"

#include <filesystem>
#include <system_error>

#include "reference/input_error.hpp"
#include "reports/file.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

bool same_file(const FileArgument& a, const FileArgument& b) {
  for (const auto* one : {&a, &b}) {
    if (one->name.empty() || one->name == standard_output) {
      return false;
    }
  }
  std::error_code error;
  const auto status = fs::status(a.name, error);
  if (!fs::exists(status)) {
    // As far as folders exist links are followed; the rest is compared as it is written.
    return fs::weakly_canonical(fs::absolute(a.name, error), error) ==
           fs::weakly_canonical(fs::absolute(b.name, error), error);
  }
  return fs::is_regular_file(status) && fs::equivalent(a.name, b.name, error);
}

void require_other(const FileArgument& output, const FileArgument& other) {
  if (same_file(output, other)) {
    throw InputError("{}: found {}, which {} names as well, expected a file of its own", output.option,
                     one_line(output.name), other.option);
  }
}

}  // namespace

void require_own_files(std::span<const FileArgument> outputs, std::span<const FileArgument> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const auto& earlier : outputs.first(i)) {
      require_other(outputs[i], earlier);
    }
    for (const auto& input : inputs) {
      require_other(outputs[i], input);
    }
  }
}

}  // namespace vernier
