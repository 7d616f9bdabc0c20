#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/input_error.hpp"
#include "reference/threads.hpp"
#include "reference/word_list.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/own_files.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/file.hpp"
#include "reports/nearest_names.hpp"
#include "reports/tolerances/judgement_text.hpp"
#include "reports/tolerances/tolerance_text.hpp"
#include "reports/value_text.hpp"

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

const Recipe* recipe_of(const ToleranceArguments& arguments) {
  if (arguments.recipe.empty()) {
    return nullptr;
  }
  const auto found = std::ranges::find(recipes(), arguments.recipe, &Recipe::id);
  if (found == recipes().end()) {
    throw InputError("--recipe: found \"{}\", expected one of {}", one_line(arguments.recipe),
                     joined(recipes(), &Recipe::id));
  }
  return &*found;
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
  const auto id = recipe == nullptr ? std::string_view(arguments.contract) : recipe->contract;
  const auto* contract = contract_named(id);
  if (contract == nullptr || contract->of_sines == nullptr) {
    throw InputError(
        "--contract: found \"{}\", expected one of sines and cosines that `vernier list contracts` "
        "names",
        one_line(arguments.contract));
  }
  return *contract;
}

Format format_of(const std::string& option, const std::string& word, Format otherwise) {
  try {
    return word.empty() ? otherwise : *traits(read_dtype(word)).format;
  } catch (const InputError&) {
    throw InputError("{}: {}", option, not_among(word, stored_formats()));
  }
}

RotationOrder requested_rotation(const ToleranceArguments& arguments, const Encoding& encoding,
                                 Format vectors, const Contract& contract) {
  if (!encoding.has<HeadRotation>() || encoding.all<HeadRotation>().front().scale) {
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
  question.positions = parse_positions(arguments.positions, "--positions");
  const auto* recipe = recipe_of(arguments);
  question.contract = &contract_of(arguments, recipe, question.stored());
  question.expected = *expected_named(arguments.against);
  question.encoding = read_table_encoding("tolerance", arguments.spec);
  question.frequencies =
      order_taken(question.encoding->plain_tables().front().frequencies,
                  recipe == nullptr ? order_of_contract(question.contract->id) : order_of_recipe(recipe->id));
  if (!question.encoding->positions().is_plain()) {
    throw InputError(
        "tolerance: found {}, expected an encoding that turns by positions as they are: the bounds of a "
        "tolerance are derived for phases that are one product, of a whole position and a frequency",
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

ToleranceJudgement judge(const ToleranceArguments& arguments, const Tolerance& judged,
                         const ToleranceQuestion& question, const ToleranceStudy& study) {
  if (question.positions.step != 1) {
    throw InputError("--positions: found a step of {}, expected consecutive positions with --judge",
                     question.positions.step);
  }
  const std::array both{judged, smallest_tolerance(study.whole(), question.stored(), question.expected)};
  return judge_tolerances(question, both, {.threads = arguments.threads});
}

int run_tolerance(const ToleranceArguments& arguments, std::ostream& out) {
  require_own_files(std::array{FileArgument{"--json", arguments.json}},
                    std::array{FileArgument{"--spec", arguments.spec.file}});
  const auto wanted =
      arguments.judged.empty() ? std::nullopt : std::optional(parse_tolerance(arguments.judged));
  const auto question = question_of(arguments);
  const auto study = study_tolerance(question);
  if (!std::isfinite(study.whole().total.total())) {
    throw InputError(
        "--input-bound: found {}, expected a bound for which every honest result is a number of {}",
        arguments.input_bound, traits(question.stored()).name);
  }
  auto json = tolerance_json(question, study);
  std::string text;
  bool is_good = true;
  if (wanted) {
    const auto judgement = judge(arguments, *wanted, question, study);
    const JudgedTolerance judged{question, study, judgement};
    json["judged"] = judgement_json(judged);
    text = judgement_text(judged);
    is_good = judged.is_as_good_as_can_be();
  }
  if (!arguments.json.empty()) {
    write_file(arguments.json, json.dump(2) + "\n", out);
  }
  if (arguments.json != standard_output) {
    out << text << tolerance_text(question, study);
  }
  return is_good ? 0 : 1;
}

Action declare_tolerance(ArgumentParser& command) {
  const auto arguments = std::make_shared<ToleranceArguments>();
  add_spec_option(command, arguments->spec, "a spec file, or a model's config.json");
  command
      .add("--positions", arguments->positions, "A:B or A:B:STEP, B not included; numbers may be written 2^N")
      .named("A:B")
      .required();
  command
      .add("--dtype", arguments->dtype,
           "of the tensors that are compared: float64, float32, float16, bfloat16 or a float8 type")
      .named("TYPE")
      .usually(stored_formats)
      .shows_default();
  command
      .add(
          "--against", arguments->against,
          "what they are compared with: the certified value, the certified value rounded to --dtype, another "
          "implementation of the same order of operations, or one that rotates by the same table")
      .chosen_from(comparisons())
      .shows_default();
  command
      .add("--contract", arguments->contract,
           "how the sines and cosines are computed (vernier list contracts); default float64 for float64, "
           "else "
           "float32")
      .named("CONTRACT")
      .usually([] { return names_of(contracts(), &Contract::id); })
      .in_group("Order of operations");
  command
      .add("--recipe", arguments->recipe,
           "how they are computed, more closely: the order of operations of a recipe (vernier list recipes)")
      .named("RECIPE")
      .usually([] { return names_of(recipes(), &Recipe::id); })
      .in_group("Order of operations");
  command
      .add("--tables", arguments->tables,
           "of rotated vectors: the format that cosines and sines are stored in; default that they are "
           "computed in")
      .named("TYPE")
      .usually(stored_formats)
      .in_group("Order of operations");
  command
      .add("--math", arguments->math,
           "of rotated vectors: the format of products and sums; default that of the sines, or --dtype if "
           "that "
           "is wider")
      .named("TYPE")
      .usually(stored_formats)
      .in_group("Order of operations");
  command
      .add_flag("--fused", arguments->is_fused,
                "of rotated vectors: one product is added before it is rounded (fused multiply-add)")
      .in_group("Order of operations");
  command
      .add("--input-bound", arguments->input_bound,
           "of rotated vectors: no element of the input is larger; default 1")
      .between(1e-9, 1e9)
      .named("NUMBER")
      .in_group("Order of operations");
  command
      .add(
          "--judge", arguments->judged,
          "a tolerance to judge, atol=NUMBER,rtol=NUMBER: which catalogued faults slip through it, and which "
          "honest implementations it rejects. The exit code is 1 if it may reject an honest one, or lets a "
          "fault "
          "through that the smallest tolerance catches")
      .named("TOLERANCE");
  command
      .add("--threads", arguments->threads,
           "of --judge: how many threads work; the result does not depend on it")
      .between(1U, 1024U);
  command.add("--json", arguments->json, "write the bounds as JSON to a file, '-' for standard output")
      .named("FILE")
      .in_group("Outputs");
  return [arguments](std::ostream& out) { return run_tolerance(*arguments, out); };
}

}  // namespace

Command tolerance_command() {
  return {
      "tolerance",
      "Say the smallest tolerance that no honest implementation exceeds, and why",
      declare_tolerance,
      {"vernier tolerance --model llama-2-7b-hf --positions 0:4096 --dtype bfloat16",
       "vernier tolerance --model llama-2-7b-hf --positions 0:4096 --dtype bfloat16 --tables bfloat16 "
       "--input-bound 4",
       "vernier tolerance --model llama-2-7b-hf --positions 0:512 --dtype float16 --input-bound 4 --judge "
       "atol=1e-2,rtol=1e-2"}};
}

}  // namespace vernier
