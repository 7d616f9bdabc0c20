#include "reports/commands/argument_parser.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

#include <CLI/CLI.hpp>

namespace vernier {

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
  option_->check(CLI::Range(lowest, highest));
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

template <class Value>
Argument ArgumentParser::add(const std::string& name, Value& value, const std::string& description) {
  return Argument(*command_->add_option(name, value, description));
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
  return Argument(*command_->add_flag(name, value, description));
}

}  // namespace vernier
