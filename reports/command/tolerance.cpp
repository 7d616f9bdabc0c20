#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "numerics/asking/asked_positions.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/tolerances/tolerance_text.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct ToleranceArguments {
  SpecOption spec;
  std::string positions;
  std::string dtype = "float32";
  std::string contract;
  std::string recipe;
  std::string tables;
  std::string math;
  bool is_fused = false;
  double input_bound = 0;
  std::string against = "certified";
  std::string judged;
  std::string json;
  unsigned threads = available_threads();

  bool rotates() const { return !tables.empty() || !math.empty() || is_fused || input_bound > 0; }
};

std::vector<std::string> comparisons() {
  const auto names = expected_names();
  return {names.begin(), names.end()};
}

const Contract& contract_of(const ToleranceArguments& arguments, const Recipe* recipe, Format stored) {
  if (recipe != nullptr && !arguments.contract.empty()) {
    throw InputError(
        "tolerance: found both --recipe and --contract, expected one of them, as a recipe has its "
        "own contract");
  }
  if (recipe == nullptr && arguments.contract.empty()) {
    return default_contract(stored);
  }
  return read_contract(recipe == nullptr ? std::string_view(arguments.contract) : recipe->contract);
}

Format format_of(const std::string& option, const std::string& word, Format otherwise) {
  return word.empty() ? otherwise : *traits(read_dtype(word, Integers::none, option)).format;
}

RotationOrder requested_rotation(const ToleranceArguments& arguments, const Encoding& encoding,
                                 Format vectors, const Contract& contract) {
  if (encoding.rotation() == nullptr || encoding.rotation()->scale) {
    throw InputError(
        "tolerance: --tables, --math, --fused and --input-bound are of rotated vectors; found {}, "
        "expected a rotary encoding without a scale of its own",
        encoding.summary());
  }
  const auto computed = contract.bind(encoding.plain_tables().front(), Format::binary32).parameters().compute;
  RotationOrder order;
  order.vectors = vectors;
  order.tables = format_of("--tables", arguments.tables, computed);
  order.math = format_of("--math", arguments.math,
                         traits(computed).precision < traits(vectors).precision ? vectors : computed);
  order.is_fused = arguments.is_fused;
  order.input_bound = arguments.input_bound > 0 ? arguments.input_bound : 1;
  if (traits(order.math).precision < traits(vectors).precision) {
    throw InputError("--math: found {}, expected a format no narrower than --dtype {}",
                     traits(order.math).name, traits(vectors).name);
  }
  return order;
}

ToleranceQuestion question_of(const ToleranceArguments& arguments) {
  ToleranceQuestion question;
  question.type = read_dtype(arguments.dtype);
  const auto* recipe = arguments.recipe.empty() ? nullptr : &read_recipe(arguments.recipe);
  question.contract = &contract_of(arguments, recipe, question.stored());
  question.expected = *expected_named(arguments.against);
  question.encoding = read_table_encoding("tolerance", arguments.spec);
  question.positions = arguments.positions.empty() ? asked_range(*question.encoding, std::nullopt)
                                                   : parse_positions(arguments.positions, "--positions");
  question.frequencies =
      order_taken(question.encoding->plain_tables().front().frequencies,
                  recipe == nullptr ? order_of_contract(question.contract->id) : order_of_recipe(recipe->id));
  if (!question.encoding->positions().is_plain()) {
    throw InputError(
        "tolerance: found {}, expected an encoding with unscaled integer positions: the bounds hold for "
        "phases that are one product of position and frequency",
        question.encoding->summary());
  }
  if (arguments.rotates()) {
    question.rotation =
        requested_rotation(arguments, *question.encoding, question.stored(), *question.contract);
  } else if (question.expected == Expected::same_table) {
    throw InputError(
        "--against: found same-table, expected rotated vectors: one of --tables, --math, --fused, "
        "--input-bound");
  }
  return question;
}

std::optional<double> parsed_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  return is_number && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

/// "atol=1e-2,rtol=1e-2", either of them alone, in any order.
Tolerance parse_tolerance(const std::string& text) {
  std::optional<double> absolute;
  std::optional<double> relative;
  bool is_right = true;
  for (std::size_t begin = 0; begin <= text.size() && is_right;) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto word = std::string_view(text).substr(begin, end - begin);
    auto& part = word.starts_with("atol=") ? absolute : relative;
    is_right = (word.starts_with("atol=") || word.starts_with("rtol=")) && !part;
    if (is_right) {
      part = parsed_number(word.substr(5));
      is_right = part.has_value();
    }
    begin = end + 1;
  }
  if (!is_right) {
    throw InputError("--judge: found \"{}\", expected atol=NUMBER,rtol=NUMBER, such as atol=1e-2,rtol=1e-2",
                     one_line(text));
  }
  return {absolute.value_or(0), relative.value_or(0)};
}

int run_tolerance(const ToleranceArguments& arguments, std::ostream& out) {
  const auto wanted =
      arguments.judged.empty() ? std::nullopt : std::optional(parse_tolerance(arguments.judged));
  const auto question = question_of(arguments);
  const auto study = study_tolerance(question);
  if (!std::isfinite(study.whole().errors.total.total())) {
    throw InputError(
        "--input-bound: found {}, expected a bound for which every honest result is a number of {}",
        arguments.input_bound, traits(question.stored()).name);
  }
  auto json = tolerance_json(question, study);
  std::string text;
  bool is_good = true;
  if (wanted) {
    if (question.positions.step != 1) {
      throw InputError("--positions: found a step of {}, expected consecutive positions with --judge",
                       question.positions.step);
    }
    const auto judgement = judge_tolerance(question, study, *wanted, arguments.threads);
    json["judged"] = judgement_json(judgement);
    text = judgement_text(judgement);
    is_good = judgement.is_as_good_as_can_be();
  }
  if (!arguments.json.empty()) {
    write_file(arguments.json, json.dump(2) + "\n", out);
  }
  if (arguments.json != standard_output) {
    out << text << tolerance_text(question, study);
  }
  return is_good ? 0 : 1;
}

}  // namespace

Action declare_tolerance(ArgumentParser& command) {
  const auto arguments = std::make_shared<ToleranceArguments>();
  add_spec_option(command, arguments->spec);
  command.add("--positions", arguments->positions);
  command.add("--dtype", arguments->dtype);
  command.add("--against", arguments->against).chosen_from(comparisons());
  command.add("--contract", arguments->contract);
  command.add("--recipe", arguments->recipe);
  command.add("--tables", arguments->tables);
  command.add("--math", arguments->math);
  command.add("--fused", arguments->is_fused);
  command.add("--input-bound", arguments->input_bound);
  command.add("--judge", arguments->judged);
  command.add("--threads", arguments->threads);
  command.add("--json", arguments->json);
  return [arguments](std::ostream& out) { return run_tolerance(*arguments, out); };
}

}  // namespace vernier
