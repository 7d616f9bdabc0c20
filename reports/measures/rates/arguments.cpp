#include "reports/measures/rates/arguments.hpp"

#include <algorithm>
#include <fstream>

namespace vernier::rates {
namespace {

bool is_one_of(std::span<const std::string_view> names, std::string_view word) {
  return std::ranges::find(names, word) != names.end();
}

}  // namespace

Arguments::Arguments(std::span<const char* const> words, std::span<const std::string_view> valued,
                     std::span<const std::string_view> flags) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (is_one_of(flags, word)) {
      given_[word];
    } else if (is_one_of(valued, word) && i + 1 < words.size()) {
      given_[word] = words[++i];
    } else {
      std::string names;
      for (const auto& group : {valued, flags}) {
        for (const auto name : group) {
          names += ' ';
          names += name;
        }
      }
      throw InputError("found " + word + ", expected one of" + names +
                       ", and the value of those that have one");
    }
  }
}

std::string Arguments::text(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::string() : found->second;
}

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) {
    throw InputError(file + ": cannot be written");
  }
}

}  // namespace vernier::rates
