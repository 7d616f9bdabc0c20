#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/words/program_manual.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)

class App;
class Option;

}  // namespace CLI

// How commands declare their arguments. Only argument_parser.cpp and cli.cpp know CLI11, whose headers take
// longer to compile than most commands.
namespace vernier {

/// commands.json, which says of the programs, their commands and their arguments all that the manual does. Of
/// an argument it has
///   "text": what it is for; none: the words that it may be
///   "names": all of them, where it has more than the one that it is declared by
///   "value": what stands for its value in the manual, "FILE", where its type does not say it
///   "group": the heading in the manual
///   "required", "shows_default" (the manual shows what stands where none is given)
///   "from", "to": of a number, ends included
///   "separator": between several values in one word; "one_at_a_time": each in a word after the option again
///   "with": the option that it needs
///   "usually": what shells complete it with: "models", "recipes", "contracts", "formats" or "takes"
///   "file": "read" or "written": no file that is written may be another that is written or read
/// What commands share stands in "shared_arguments"; a command has only what it says otherwise.
const OrderedJson& command_texts();

/// The values of an argument that may be given several times.
using Words = std::vector<std::string>;

/// A file that the command line names. Empty: none; "-": standard output.
struct FileArgument {
  std::string option;  ///< "--json"
  std::string name;
};

/// The arguments of one command.
class ArgumentParser {
 public:
  /// \param texts the command in command_texts() \param description gets what is declared; both outlive this
  ArgumentParser(CLI::App& command, const OrderedJson& texts, CommandDescription& description)
      : command_(&command), texts_(&texts), description_(&description) {}

  /// Declares an argument as command_texts() has it; one without a value if `value` is a bool.
  /// \param name the long one: "--output", or "CASE" for a positional one \param value what is read goes
  /// there; must live until the command has done its work \param described_as its name there, if it is
  /// another
  template <class Value>
  void add(const std::string& name, Value& value, const std::string& described_as = {});

  /// \name The same of a value that lives as long as what file_check() returns
  /// @{
  /// \param otherwise what it is where the command line does not give it
  template <class Value>
  const Value& given(const std::string& name, Value otherwise = {}) {
    auto& value = kept(std::move(otherwise));
    add(name, value);
    return value;
  }
  /// Several arguments that belong together. \param declare adds them
  template <class Option>
  const Option& given(void (*declare)(ArgumentParser& command, Option& option)) {
    auto& option = kept(Option());
    declare(*this, option);
    return option;
  }
  /// One of these; who wrote another is told the nearest. \param choices at least one
  const std::string& chosen(const std::string& name, std::vector<std::string> choices,
                            std::string otherwise = {});
  /// @}

  /// What the argument that was declared last usually is, for shells to complete.
  void usually(std::function<std::vector<std::string>()> choices) {
    description_->arguments.back().choices = std::move(choices);
  }

  /// Files that the command reads beside those that arguments name; asked for once the command line is read.
  void also_reads(std::function<std::vector<FileArgument>()> files) { read_->push_back(std::move(files)); }

  /// Makes sure, once the command line is read, that each file to write is one of its own: neither another
  /// one, which it would replace, nor one that is read. What is no regular file (a terminal, /dev/null) may
  /// be given twice. Throws InputError naming both. Keeps the values that given() returned.
  std::function<void()> file_check() const;

 private:
  using Files = std::vector<std::function<std::vector<FileArgument>()>>;

  OrderedJson text_of(const std::string& name) const;
  void describe(CLI::Option& option, const std::string& names, const OrderedJson& text);
  template <class Value>
  Value& kept(Value value) {
    const auto owner = std::make_shared<Value>(std::move(value));
    values_->push_back(owner);
    return *owner;
  }

  CLI::App* command_;
  const OrderedJson* texts_;
  CommandDescription* description_;
  std::shared_ptr<std::vector<std::shared_ptr<void>>> values_ =
      std::make_shared<std::vector<std::shared_ptr<void>>>();
  std::shared_ptr<Files> written_ = std::make_shared<Files>();
  std::shared_ptr<Files> read_ = std::make_shared<Files>();
};

}  // namespace vernier
