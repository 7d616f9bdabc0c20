#pragma once

#include <charconv>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "reference/support/input_error.hpp"

namespace vernier::rates {

/// The options of a measuring program as they were given: names, most of them followed by a value.
class Arguments {
 public:
  /// \param valued names of options that take a value \param flags names of those that take none
  /// \throws InputError for any other word
  Arguments(std::span<const char* const> words, std::span<const std::string_view> valued,
            std::span<const std::string_view> flags = {});

  /// \throws InputError for what is no integer of at least `least`
  template <class Number>
  Number number(const std::string& name, Number fallback, Number least) const {
    const auto found = given_.find(name);
    if (found == given_.end()) {
      return fallback;
    }
    Number value{};
    const auto& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least) {
      throw InputError(name + ": found " + text + ", expected an integer of at least " +
                       std::to_string(least));
    }
    return value;
  }
  /// Empty if it is not there.
  std::string text(const std::string& name) const;
  bool has(const std::string& name) const { return given_.contains(name); }

 private:
  std::map<std::string, std::string> given_;
};

/// \throws InputError
void write_file(const std::string& file, const std::string& text);

}  // namespace vernier::rates
