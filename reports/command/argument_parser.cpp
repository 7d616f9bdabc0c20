#include "reports/command/argument_parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <ranges>
#include <sstream>
#include <system_error>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/processes/takes.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/common_options.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

/// commands.json as it stands.
std::string commands_text();

namespace {

namespace fs = std::filesystem;

std::string found_instead(const std::string& word, const std::string& expected) {
  return fmt::format("found {}, expected {}",
                     word.empty() ? std::string("nothing") : '"' + one_line(word) + '"', expected);
}

/// What is wrong with a word as a value of this type; nothing if it is one.
template <class Value>
std::string fault_of(const std::string& word) {
  if constexpr (std::is_floating_point_v<Value>) {
    const auto value = parsed_number<Value>(word);
    return value && std::isfinite(*value) ? std::string() : found_instead(word, "a number");
  } else if constexpr (std::is_integral_v<Value>) {
    using Limits = std::numeric_limits<Value>;
    return parsed_number<Value>(word)
               ? std::string()
               : found_instead(word, fmt::format("an integer from {} to {}", Limits::min(), Limits::max()));
  } else {
    return word.empty() ? found_instead(word, "a value") : std::string();
  }
}

/// What is wrong with a word as a number that the text of its argument bounds; nothing if it is one.
template <class Number>
std::function<std::string(const std::string&)> fault_beyond(const OrderedJson& text) {
  const auto lowest = text.at("from").get<Number>();
  const auto highest = text.at("to").get<Number>();
  std::ostringstream wanted;
  wanted << "a number from " << lowest << " to " << highest;
  return [=, expected = wanted.str()](const std::string& word) {
    const auto value = parsed_number<Number>(word);
    // So that NaN is refused as well.
    return value && *value >= lowest && *value <= highest ? std::string() : found_instead(word, expected);
  };
}

/// What shells complete values with.
struct UsualValues {
  std::string_view name;
  std::vector<std::string> (*values)();
};

constexpr std::array usual_values{
    UsualValues{"models", [] { return names_of(catalogue(), &CatalogueModel::id); }},
    UsualValues{"recipes", [] { return names_of(recipes(), &Recipe::id); }},
    UsualValues{"contracts", [] { return names_of(contracts(), &Contract::id); }},
    UsualValues{"formats", stored_formats}, UsualValues{"takes", words_of_takes}};

std::vector<FileArgument> files_of(const std::string& option, const std::string& file) {
  return {{option, file}};
}

std::vector<FileArgument> files_of(const std::string& option, const std::vector<std::string>& files) {
  return mapped(files, [&](const auto& file) -> FileArgument { return {option, file}; });
}

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
  refuse_if(same_file(output, other), "{}: found {}, which {} names as well, expected a file of its own",
            output.option, one_line(output.name), other.option);
}

std::vector<FileArgument> all_files(const std::vector<std::function<std::vector<FileArgument>()>>& parts) {
  std::vector<FileArgument> result;
  for (const auto& part : parts) {
    std::ranges::move(part(), std::back_inserter(result));
  }
  return result;
}

}  // namespace

const OrderedJson& command_texts() {
  static const auto texts = OrderedJson::parse(commands_text());
  return texts;
}

OrderedJson ArgumentParser::text_of(const std::string& name) const {
  auto text = OrderedJson::object();  // update() of null leaves a broken one if it gets no memory
  const auto take = [&](const OrderedJson& texts, const char* key) {
    if (const auto arguments = texts.find(key); arguments != texts.end() && arguments->contains(name)) {
      text.update(arguments->at(name));
    }
  };
  take(command_texts(), "shared_arguments");
  if (const auto& commands = command_texts().at("vernier"); commands.contains(description_->name)) {
    take(commands.at(description_->name), "arguments");
  }
  take(*texts_, "arguments");
  if (text.empty()) {
    throw std::logic_error(fmt::format("commands.json has no argument {} of {}", name, description_->name));
  }
  return text;
}

void ArgumentParser::describe(CLI::Option& option, const std::string& names, const OrderedJson& text) {
  option.required(text.value("required", false))->group(text.value("group", option.get_group()));
  if (text.value("shows_default", false)) {
    option.capture_default_str();
  }
  if (text.contains("separator")) {
    option.delimiter(text.at("separator").get<std::string>().front());
  }
  if (text.value("one_at_a_time", false)) {
    option.allow_extra_args(false);
  }
  if (text.contains("with")) {
    option.needs(command_->get_option(text.at("with")));
  }
  ArgumentDescription argument{
      .value = option.get_type_name(), .description = option.get_description(), .choices = nullptr};
  for (const auto& one : std::views::split(names, ',')) {
    argument.names.emplace_back(one.begin(), one.end());
  }
  if (text.contains("usually")) {
    const auto usual = text.at("usually").get<std::string>();
    argument.choices = std::ranges::find(usual_values, usual, &UsualValues::name)->values;
  }
  description_->arguments.push_back(std::move(argument));
}

template <class Value>
void ArgumentParser::add(const std::string& name, Value& value, const std::string& described_as) {
  const auto text = text_of(described_as.empty() ? name : described_as);
  const auto names = text.value("names", name);
  const auto words = text.value("text", std::string());
  if constexpr (std::is_same_v<Value, bool>) {
    describe(*command_->add_flag(names, value, words), names, text);
  } else {
    auto* option = command_->add_option(names, value, words);
    // CLI11's own conversion takes -1 for 2^64 - 1.
    option->check(fault_of<Value>);
    option->type_name(text.value("value", std::is_integral_v<Value>         ? "N"
                                          : std::is_floating_point_v<Value> ? "NUMBER"
                                                                            : "WORD"));
    if constexpr (std::is_arithmetic_v<Value>) {
      if (text.contains("from")) {
        option->check(fault_beyond<Value>(text));
      }
    } else if (text.contains("file")) {
      (text.at("file") == "written" ? written_ : read_)->push_back([name, &value] {
        return files_of(name, value);
      });
    }
    describe(*option, names, text);
  }
}

template void ArgumentParser::add(const std::string&, bool&, const std::string&);
template void ArgumentParser::add(const std::string&, std::string&, const std::string&);
template void ArgumentParser::add(const std::string&, std::vector<std::string>&, const std::string&);
template void ArgumentParser::add(const std::string&, int&, const std::string&);
template void ArgumentParser::add(const std::string&, unsigned&, const std::string&);
template void ArgumentParser::add(const std::string&, std::int64_t&, const std::string&);
template void ArgumentParser::add(const std::string&, std::uint64_t&, const std::string&);
template void ArgumentParser::add(const std::string&, double&, const std::string&);

const std::string& ArgumentParser::chosen(const std::string& name, std::vector<std::string> choices,
                                          std::string otherwise) {
  const auto& value = given(name, std::move(otherwise));
  auto* option = command_->get_option(name);
  auto& text = description_->arguments.back().description;
  if (text.empty()) {
    text = joined(choices, " or ");
    option->description(text);
  }
  option->check([choices](const std::string& word) {
    return std::ranges::find(choices, word) != choices.end() ? std::string() : not_among(word, choices);
  });
  usually([choices = std::move(choices)] { return choices; });
  return value;
}

std::function<void()> ArgumentParser::file_check() const {
  return [command = description_->name, written = written_, read = read_, values = values_] {
    const auto outputs = all_files(*written);
    const auto inputs = all_files(*read);
    refuse_if(std::ranges::count(outputs, standard_output, &FileArgument::name) > 1,
              "{}: found two outputs to '-', expected at most one to standard output", command);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      for (const auto& later : std::span(outputs).subspan(i + 1)) {
        require_other(outputs[i], later);
      }
      for (const auto& input : inputs) {
        require_other(outputs[i], input);
      }
    }
  };
}

}  // namespace vernier
