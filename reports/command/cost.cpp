// What errors of positions cost attention: of a case, a recipe, or whatever keeps a contract.

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "numerics/asking/asked_positions.hpp"
#include "numerics/formats/tensor_file.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/file_kind.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/words/cost_words.hpp"
#include "reports/words/file.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The longest context whose every row a recipe is computed at.
constexpr std::int64_t longest_computed = std::int64_t{1} << 20;

struct CostArguments {
  ArgumentParser& command;
  const std::string& file = command.given<std::string>("CASE");
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& recipe = command.given<std::string>("--recipe");
  const std::string& dtype = command.given<std::string>("--dtype");
  const std::string& contract = command.given<std::string>("--contract");
  const std::int64_t& context = command.given<std::int64_t>("--context");
  const std::string& norms = command.given<std::string>("--norms");
  const double& scale = command.given<double>("--scale");
  const std::string& queries = command.given<std::string>("--queries");
  const std::string& keys = command.given<std::string>("--keys");
  const std::uint64_t& seed = command.given<std::uint64_t>("--seed", 1);
  const double& kl = command.given<double>("--kl");
  const std::int64_t& moves = command.given<std::int64_t>("--moves");
  const std::string& json = command.given<std::string>("--json");
};

/// "11.3,9.5": both positive.
std::pair<double, double> parse_norms(const std::string& text) {
  const auto comma = std::min(text.find(','), text.size());
  const auto query = parsed_number<double>(std::string_view(text).substr(0, comma));
  const auto key = parsed_number<double>(std::string_view(text).substr(std::min(comma + 1, text.size())));
  const auto is_norm = [](const auto& norm) { return norm && *norm >= 1e-9 && *norm <= 1e9; };
  refuse_if(!is_norm(query) || !is_norm(key),
            "--norms: found \"{}\", expected two numbers from 1e-9 to 1e9, such as 11.3,11.3",
            one_line(text));
  return {*query, *key};
}

AttentionModel attention_of(const CostArguments& arguments, const HeadRotation& rotation) {
  auto attention = AttentionModel::of_unit_components(rotation);
  attention.seed = arguments.seed;
  if (!arguments.norms.empty()) {
    std::tie(attention.query_norm, attention.key_norm) = parse_norms(arguments.norms);
  }
  if (arguments.scale > 0) {
    attention.scale = arguments.scale;
  }
  return attention;
}

std::optional<GivenVectors> vectors_of(const CostArguments& arguments, const HeadRotation& rotation) {
  refuse_if(arguments.queries.empty() != arguments.keys.empty(),
            "cost: found one of --queries and --keys, expected both or neither");
  if (arguments.queries.empty()) {
    return std::nullopt;
  }
  const auto read = [&](const std::string& place, std::string_view role) {
    return paired_vectors(read_tensor_file(place, role), one_line(place), rotation);
  };
  GivenVectors given{read(arguments.queries, "queries"), read(arguments.keys, "keys")};
  refuse_if(given.keys.size() != given.queries.size(), "--keys: found {} rows, expected the {} of --queries",
            given.keys.size(), given.queries.size());
  return given;
}

/// The rotation of an encoding that turns queries and keys by one position.
HeadRotation rotation_of_attention(const Encoding& encoding, const std::string& source) {
  const auto* rotation = encoding.rotation();
  refuse_if(rotation == nullptr || !turns_queries_and_keys(*rotation),
            "{}: found {}, expected a rotary encoding that turns queries and keys by one integer position, "
            "without a scale (shifted keys: --moves)",
            source, encoding.summary());
  return *rotation;
}

CostReport of_case(const CostArguments& arguments) {
  require_case_file(arguments.file);
  const auto subject = read_case(arguments.file);
  const auto rotation = rotation_of_attention(*subject.encoding, one_line(arguments.file));
  const auto rotations = rotations_of(subject);
  refuse_if(!rotations,
            "{}: tensors: found no table of sines and cosines of every pair, expected both of each",
            one_line(arguments.file));
  CostReport report{cost_of(*rotations, attention_of(arguments, rotation), vectors_of(arguments, rotation)),
                    subject.encoding->summary()};
  report.cost.computed = "the tables of " + subject.name;
  return report;
}

const Contract& contract_of_cost(const CostArguments& arguments, Format stored) {
  return arguments.contract.empty() ? default_contract(stored) : read_contract(arguments.contract);
}

/// Of --spec and --model.
CostReport of_spec(const CostArguments& arguments) {
  const auto encoding = read_encoding("cost", arguments.spec);
  const auto rotation = rotation_of_attention(*encoding, arguments.spec.source());
  const auto context = arguments.context > 0 ? arguments.context : last_probed_position(*encoding) + 1;
  const auto attention = attention_of(arguments, rotation);
  const auto stored = [&](Format otherwise) { return read_format(arguments.dtype, otherwise); };
  CostReport report;
  report.summary = encoding->summary();
  if (arguments.moves != 0) {
    const auto cache = stored(Format::bfloat16);
    report.moves = moves_of(contract_of_cost(arguments, cache), rotation, cache, context, arguments.moves);
  }
  if (arguments.recipe.empty()) {
    refuse_if(!arguments.queries.empty(),
              "--queries: found vectors and no errors that are known, expected --recipe or a case");
    const auto format = stored(Format::binary32);
    const auto& contract = contract_of_cost(arguments, format);
    report.cost = allowed_cost(contract, rotation, format, context, attention);
    report.cost.computed =
        fmt::format("whatever keeps the contract {} in {}", contract.id, traits(format).name);
    return report;
  }
  refuse_if(context > longest_computed, "--context: found {}, expected at most {} with --recipe", context,
            longest_computed);
  const auto& recipe = read_recipe(arguments.recipe);
  const auto format = stored(recipe.compute());
  report.cost = cost_of(rotations_of(recipe, rotation.table, format, {0, 1, context}), attention,
                        vectors_of(arguments, rotation));
  report.cost.computed = fmt::format("the recipe {} in {}", recipe.id, traits(format).name);
  return report;
}

int run_cost(const CostArguments& arguments, std::ostream& out) {
  refuse_if(arguments.file.empty() == !arguments.spec.given(),
            "cost: found {}, expected a case, or one of --spec and --model",
            arguments.file.empty() ? "neither" : "a case and a spec");
  const bool names_errors =
      !arguments.recipe.empty() || !arguments.dtype.empty() || !arguments.contract.empty();
  refuse_if(
      !arguments.file.empty() && (names_errors || arguments.context != 0),
      "cost: found --recipe, --dtype, --contract or --context beside a case, expected its tables to say "
      "what errs");
  refuse_if(!arguments.recipe.empty() && !arguments.contract.empty(),
            "--contract: found it beside --recipe, expected one of the two");
  refuse_if(!arguments.queries.empty() && !arguments.norms.empty(),
            "--norms: found it beside --queries, expected the norms of those vectors alone");
  refuse_if(!arguments.file.empty() && arguments.moves != 0,
            "--moves: found a case, expected --spec or --model, as keys are stored elsewhere");
  auto report = arguments.file.empty() ? of_spec(arguments) : of_case(arguments);
  report.measured_kl = arguments.kl > 0 ? std::optional(arguments.kl) : std::nullopt;
  write_findings(arguments.json, cost_document(report).dump(2) + "\n", cost_text(report), out);
  return 0;
}

}  // namespace

Action declare_cost(ArgumentParser& command) {
  return declared(command, run_cost);
}

}  // namespace vernier
