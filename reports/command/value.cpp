#include <memory>
#include <optional>

#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/elements/element_outputs.hpp"
#include "reports/words/file.hpp"
#include "reports/words/positions.hpp"

namespace vernier {
namespace {

constexpr int most_digits = 1000;
constexpr int not_given = -1;

struct ValueArguments {
  SpecOption spec;
  std::string position;
  int pair = not_given;
  int head = not_given;
  int column = not_given;
  std::string role;
  int digits = 20;
  std::string recipe;
  std::string dtype;
  std::string json;
};

std::optional<std::int64_t> index_of(int given) {
  return given == not_given ? std::nullopt : std::optional<std::int64_t>(given);
}

std::optional<RecipeWish> recipe_wish(const ValueArguments& arguments) {
  if (arguments.recipe.empty()) {
    return std::nullopt;
  }
  const auto& recipe = read_recipe(arguments.recipe);
  return RecipeWish{&recipe,
                    arguments.dtype.empty() ? recipe.compute : *traits(read_dtype(arguments.dtype)).format};
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
  std::vector<ElementValue> values;
  for (const auto& element : elements) {
    values.push_back(element_value(element, position, arguments.digits, recipe));
  }
  if (!arguments.json.empty()) {
    write_file(arguments.json, element_json(*encoding, position, values), out);
  }
  if (arguments.json != standard_output) {
    out << element_text(*encoding, position, values);
  }
  return 0;
}

}  // namespace

Action declare_value(ArgumentParser& command) {
  const auto arguments = std::make_shared<ValueArguments>();
  add_spec_option(command, arguments->spec);
  command.add("--position", arguments->position);
  command.add("--pair", arguments->pair);
  command.add("--head", arguments->head);
  command.add("--column", arguments->column);
  command.add("--role", arguments->role);
  command.add("--digits", arguments->digits);
  command.add("--recipe", arguments->recipe);
  command.add("--dtype", arguments->dtype);
  command.add("--json", arguments->json);
  return [arguments](std::ostream& out) { return run_value(*arguments, out); };
}

}  // namespace vernier
