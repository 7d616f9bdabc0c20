#include <optional>

#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/elements/element_value.hpp"
#include "reports/words/file.hpp"
#include "reports/words/positions.hpp"

namespace vernier {
namespace {

constexpr int most_digits = 1000;
constexpr int not_given = -1;

struct ValueArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& position = command.given<std::string>("--position");
  const int& pair = command.given<int>("--pair", not_given);
  const int& head = command.given<int>("--head", not_given);
  const int& column = command.given<int>("--column", not_given);
  const std::string& role = command.given<std::string>("--role");
  const int& digits = command.given<int>("--digits", 20);
  const std::string& recipe = command.given<std::string>("--recipe");
  const std::string& dtype = command.given<std::string>("--dtype");
  const std::string& json = command.given<std::string>("--json");
};

std::optional<std::int64_t> index_of(int given) {
  return given == not_given ? std::nullopt : std::optional<std::int64_t>(given);
}

std::optional<RecipeWish> recipe_wish(const ValueArguments& arguments) {
  if (arguments.recipe.empty()) {
    return std::nullopt;
  }
  const auto& recipe = read_recipe(arguments.recipe);
  return RecipeWish{&recipe, read_format(arguments.dtype, recipe.compute())};
}

int run_value(const ValueArguments& arguments, std::ostream& out) {
  const auto recipe = recipe_wish(arguments);
  const auto position = parse_position(arguments.position, "--position");
  const auto encoding = read_encoding("value", arguments.spec);
  const auto elements = defined_elements(*encoding,
                                         {.position = position,
                                          .pair = index_of(arguments.pair),
                                          .head = index_of(arguments.head),
                                          .column = index_of(arguments.column),
                                          .role = arguments.role},
                                         arguments.spec.source());
  const auto values = mapped(elements, [&](const auto& element) {
    return element_value(element, position, arguments.digits, recipe);
  });
  write_findings(arguments.json, element_json(*encoding, position, values),
                 element_text(*encoding, position, values), out);
  return 0;
}

}  // namespace

Action declare_value(ArgumentParser& command) {
  return declared(command, run_value);
}

}  // namespace vernier
