#include <cmath>
#include <optional>
#include <ranges>

#include "numerics/asking/asked_positions.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/threads.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/tolerances/tolerance_judgement.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::vector<std::string> comparisons() {
  const auto names = expected_names();
  return {names.begin(), names.end()};
}

struct ToleranceArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& positions = command.given<std::string>("--positions");
  const std::string& dtype = command.given<std::string>("--dtype", "float32");
  const std::string& against = command.chosen("--against", comparisons(), "certified");
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& recipe = command.given<std::string>("--recipe");
  const std::string& tables = command.given<std::string>("--tables");
  const std::string& math = command.given<std::string>("--math");
  const bool& is_fused = command.given<bool>("--fused");
  const double& input_bound = command.given<double>("--input-bound");
  const std::string& judged = command.given<std::string>("--judge");
  const unsigned& threads = command.given<unsigned>("--threads", available_threads());
  const std::string& json = command.given<std::string>("--json");

  bool rotates() const { return !tables.empty() || !math.empty() || is_fused || input_bound > 0; }
};

const Contract& contract_of(const ToleranceArguments& arguments, const Recipe* recipe, Format stored) {
  refuse_if(recipe != nullptr && !arguments.contract.empty(),
            "tolerance: found both --recipe and --contract, expected one of them, as a recipe has its "
            "own contract");
  if (recipe == nullptr && arguments.contract.empty()) {
    return default_contract(stored);
  }
  return read_contract(recipe == nullptr ? std::string_view(arguments.contract) : recipe->contract);
}

RotationOrder requested_rotation(const ToleranceArguments& arguments, const Encoding& encoding,
                                 Format vectors, const Contract& contract) {
  refuse_if(encoding.rotation() == nullptr || encoding.rotation()->scale,
            "tolerance: --tables, --math, --fused and --input-bound are of rotated vectors; found {}, "
            "expected a rotary encoding without a scale of its own",
            encoding.summary());
  const auto computed = contract.bind(encoding.plain_tables().front(), Format::binary32).parameters().compute;
  RotationOrder order;
  order.vectors = vectors;
  order.tables = read_format(arguments.tables, computed, "--tables");
  order.math = read_format(
      arguments.math, traits(computed).precision < traits(vectors).precision ? vectors : computed, "--math");
  order.is_fused = arguments.is_fused;
  order.input_bound = arguments.input_bound > 0 ? arguments.input_bound : 1;
  refuse_if(traits(order.math).precision < traits(vectors).precision,
            "--math: found {}, expected a format no narrower than --dtype {}", traits(order.math).name,
            traits(vectors).name);
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
      frequency_orders(question.encoding->plain_tables().front().frequencies, *question.contract, recipe);
  refuse_if(!question.encoding->positions().is_plain(),
            "tolerance: found {}, expected an encoding with unscaled integer positions: the bounds hold for "
            "phases that are one product of position and frequency",
            question.encoding->summary());
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

/// "atol=1e-2,rtol=1e-2", either of them alone, in any order.
Tolerance parse_tolerance(const std::string& text) {
  std::optional<double> absolute;
  std::optional<double> relative;
  bool is_right = true;
  for (const auto& one : std::views::split(std::string_view(text), ',')) {
    const std::string_view word(one.begin(), one.end());
    auto& part = word.starts_with("atol=") ? absolute : relative;
    is_right = is_right && (word.starts_with("atol=") || word.starts_with("rtol=")) && !part;
    part = is_right ? parsed_number<double>(word.substr(5)) : std::nullopt;
    is_right = part && std::isfinite(*part) && *part >= 0;
  }
  refuse_if(!is_right, "--judge: found \"{}\", expected atol=NUMBER,rtol=NUMBER, such as atol=1e-2,rtol=1e-2",
            one_line(text));
  return {absolute.value_or(0), relative.value_or(0)};
}

int run_tolerance(const ToleranceArguments& arguments, std::ostream& out) {
  const auto wanted =
      arguments.judged.empty() ? std::nullopt : std::optional(parse_tolerance(arguments.judged));
  const auto question = question_of(arguments);
  const auto study = study_tolerance(question);
  refuse_if(!std::isfinite(study.whole().errors.total.total()),
            "--input-bound: found {}, expected a bound for which every honest result is a number of {}",
            arguments.input_bound, traits(question.stored()).name);
  auto json = tolerance_json(question, study);
  std::string text;
  bool is_good = true;
  if (wanted) {
    refuse_if(question.positions.step != 1,
              "--positions: found a step of {}, expected consecutive positions with --judge",
              question.positions.step);
    const auto judgement = judge_tolerance(question, study, *wanted, arguments.threads);
    json["judged"] = judgement_json(judgement);
    text = judgement_text(judgement);
    is_good = judgement.is_as_good_as_can_be();
  }
  write_findings(arguments.json, json.dump(2) + "\n", text + tolerance_text(question, study), out);
  return is_good ? 0 : 1;
}

}  // namespace

Action declare_tolerance(ArgumentParser& command) {
  return declared(command, run_tolerance);
}

}  // namespace vernier
