#include "reports/commands/argument_parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <ranges>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "reports/nearest_names.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// The whole word as a number of this type: neither one that wraps around nor one with anything after it.
template <class Number>
std::optional<Number> number_of(const std::string& word) {
  Number value{};
  const auto* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

std::string found_instead(const std::string& word, const std::string& expected) {
  return fmt::format("found {}, expected {}",
                     word.empty() ? std::string("nothing") : '"' + one_line(word) + '"', expected);
}

/// What is wrong with a word as a value of this type; nothing if it is one.
template <class Value>
std::string fault_of(const std::string& word) {
  if constexpr (std::is_floating_point_v<Value>) {
    const auto value = number_of<Value>(word);
    return value && std::isfinite(*value) ? std::string() : found_instead(word, "a number");
  } else if constexpr (std::is_integral_v<Value>) {
    using Limits = std::numeric_limits<Value>;
    return number_of<Value>(word)
               ? std::string()
               : found_instead(word, fmt::format("an integer from {} to {}", Limits::min(), Limits::max()));
  } else {
    return word.empty() ? found_instead(word, "a value") : std::string();
  }
}

}  // namespace

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::shows_default() {
  option_->capture_default_str();
  return *this;
}

Argument& Argument::in_group(const std::string& group) {
  option_->group(group);
  return *this;
}

template <class Number>
Argument& Argument::between(Number lowest, Number highest) {
  std::ostringstream wanted;
  wanted << "a number from " << lowest << " to " << highest;
  option_->check([=, expected = wanted.str()](const std::string& word) {
    const auto value = number_of<Number>(word);
    // So that NaN is refused as well.
    return value && *value >= lowest && *value <= highest ? std::string() : found_instead(word, expected);
  });
  return *this;
}
template Argument& Argument::between(int, int);
template Argument& Argument::between(unsigned, unsigned);
template Argument& Argument::between(double, double);

Argument& Argument::separated_by(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Argument& Argument::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

Argument& Argument::only_with(const Argument& other) {
  option_->needs(other.option_);
  return *this;
}

Argument& Argument::named(const std::string& value) {
  option_->type_name(value);
  description().value = value;
  return *this;
}

Argument& Argument::chosen_from(std::vector<std::string> choices) {
  option_->check([choices](const std::string& word) {
    return std::ranges::find(choices, word) != choices.end() ? std::string() : not_among(word, choices);
  });
  return usually([choices = std::move(choices)] { return choices; });
}

Argument& Argument::usually(std::function<std::vector<std::string>()> choices) {
  description().choices = std::move(choices);
  return *this;
}

Argument ArgumentParser::described(CLI::Option& option, const std::string& name,
                                   const std::string& description) {
  ArgumentDescription argument;
  argument.description = description;
  for (const auto& one : std::views::split(name, ',')) {
    argument.names.emplace_back(one.begin(), one.end());
  }
  argument.value = option.get_type_name();
  description_->arguments.push_back(std::move(argument));
  return {option, *description_};
}

template <class Value>
Argument ArgumentParser::add(const std::string& name, Value& value, const std::string& description) {
  auto* option = command_->add_option(name, value, description);
  // CLI11's own conversion takes -1 for 2^64 - 1.
  option->check(fault_of<Value>);
  option->type_name(std::is_same_v<Value, std::filesystem::path> ? "FILE"
                    : std::is_integral_v<Value>                  ? "N"
                    : std::is_floating_point_v<Value>            ? "NUMBER"
                                                                 : "WORD");
  return described(*option, name, description);
}
template Argument ArgumentParser::add(const std::string&, std::string&, const std::string&);
template Argument ArgumentParser::add(const std::string&, std::vector<std::string>&, const std::string&);
template Argument ArgumentParser::add(const std::string&, std::filesystem::path&, const std::string&);
template Argument ArgumentParser::add(const std::string&, int&, const std::string&);
template Argument ArgumentParser::add(const std::string&, unsigned&, const std::string&);
template Argument ArgumentParser::add(const std::string&, std::int64_t&, const std::string&);
template Argument ArgumentParser::add(const std::string&, std::uint64_t&, const std::string&);
template Argument ArgumentParser::add(const std::string&, double&, const std::string&);

Argument ArgumentParser::add_flag(const std::string& name, bool& value, const std::string& description) {
  return described(*command_->add_flag(name, value, description), name, description);
}

}  // namespace vernier
