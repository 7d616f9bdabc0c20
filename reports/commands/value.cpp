#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "reference/input_error.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/own_files.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/commands/recipe_option.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/elements/element_outputs.hpp"
#include "reports/file.hpp"

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
  require_own_files(std::array{FileArgument{"--json", arguments.json}},
                    std::array{FileArgument{"--spec", arguments.spec.file}});
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

Action declare_value(ArgumentParser& command) {
  const auto arguments = std::make_shared<ValueArguments>();
  constexpr int most = std::numeric_limits<int>::max();
  add_spec_option(command, arguments->spec, "a spec file, or a model's config.json");
  command
      .add("--position", arguments->position,
           "the position; of a bias that of the key, the query being at 0; of a bucket the relative one; may "
           "be written 2^N")
      .named("P")
      .required();
  command.add("--pair", arguments->pair, "the pair, of tables of sines and cosines, from 0").between(0, most);
  command.add("--head", arguments->head, "the head, of slopes and biases, from 0").between(0, most);
  command.add("--column", arguments->column, "the column, of tables of values, from 0").between(0, most);
  command.add("--role", arguments->role, "one tensor alone: cos, sin, encoding, bias ...; default all")
      .named("ROLE");
  command.add("--digits", arguments->digits, "how many decimal places of the truth to print")
      .between(0, most_digits)
      .shows_default();
  const auto recipe =
      add_recipe_option(command, arguments->recipe, "what this recipe computes there (vernier list recipes)");
  command
      .add("--dtype,--format", arguments->dtype,
           "the format that the recipe's value is stored in: float64, float32, float16, bfloat16 or a float8 "
           "type; default "
           "the recipe's")
      .named("TYPE")
      .usually(stored_formats)
      .only_with(recipe);
  command.add("--json", arguments->json, "write all of it as JSON to a file, '-' for standard output")
      .named("FILE");
  return [arguments](std::ostream& out) { return run_value(*arguments, out); };
}

}  // namespace

Command value_command() {
  return {"value",
          "Tell the truth of one element: its decimals, and the numbers of each format around it",
          declare_value,
          {"vernier value --model llama-2-7b-hf --position 4095 --pair 3",
           "vernier value --spec spec.json --position 2^20 --pair 0 --recipe float32-pow --dtype bfloat16",
           "vernier value --model llama-2-7b-hf --position 1 --pair 63 --digits 100 --json -"}};
}

}  // namespace vernier
