// What errors of positions cost attention: of a case, a recipe, or whatever keeps a contract.

#include <charconv>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "numerics/asking/asked_positions.hpp"
#include "numerics/formats/tensor_file.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reference/support/input_error.hpp"
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
  std::string file;
  SpecOption spec;
  std::string recipe;
  std::string dtype;
  std::string contract;
  std::int64_t context = 0;
  std::string norms;
  double scale = 0;
  std::string queries;
  std::string keys;
  std::uint64_t seed = 1;
  double kl = 0;
  std::int64_t moves = 0;
  std::string json;
};

/// "11.3,9.5": both positive.
std::pair<double, double> parse_norms(const std::string& text) {
  std::pair<double, double> norms;
  const char* const end = text.data() + text.size();
  const auto [comma, first] = std::from_chars(text.data(), end, norms.first);
  bool is_right = first == std::errc{} && comma != end && *comma == ',';
  if (is_right) {
    const auto [last, second] = std::from_chars(comma + 1, end, norms.second);
    const auto is_norm = [](double norm) { return norm >= 1e-9 && norm <= 1e9; };
    is_right = second == std::errc{} && last == end && is_norm(norms.first) && is_norm(norms.second);
  }
  if (!is_right) {
    throw InputError("--norms: found \"{}\", expected two numbers from 1e-9 to 1e9, such as 11.3,11.3",
                     one_line(text));
  }
  return norms;
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
  if (arguments.queries.empty() != arguments.keys.empty()) {
    throw InputError("cost: found one of --queries and --keys, expected both or neither");
  }
  if (arguments.queries.empty()) {
    return std::nullopt;
  }
  const auto read = [&](const std::string& place, std::string_view role) {
    return paired_vectors(read_tensor_file(place, role), one_line(place), rotation);
  };
  GivenVectors given{read(arguments.queries, "queries"), read(arguments.keys, "keys")};
  if (given.keys.size() != given.queries.size()) {
    throw InputError("--keys: found {} rows, expected the {} of --queries", given.keys.size(),
                     given.queries.size());
  }
  return given;
}

/// The rotation of an encoding that turns queries and keys by one position.
HeadRotation rotation_of_attention(const Encoding& encoding, const std::string& source) {
  const auto* rotation = encoding.rotation();
  if (rotation == nullptr || !turns_queries_and_keys(*rotation)) {
    throw InputError(
        "{}: found {}, expected a rotary encoding that turns queries and keys by one integer position, "
        "without a scale (shifted keys: --moves)",
        source, encoding.summary());
  }
  return *rotation;
}

CostReport of_case(const CostArguments& arguments) {
  require_case_file(arguments.file);
  const auto subject = read_case(arguments.file);
  const auto rotation = rotation_of_attention(*subject.encoding, one_line(arguments.file));
  const auto rotations = rotations_of(subject);
  if (!rotations) {
    throw InputError("{}: tensors: found no table of sines and cosines of every pair, expected both of each",
                     one_line(arguments.file));
  }
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
  const auto stored = [&](Format otherwise) {
    return arguments.dtype.empty() ? otherwise : *traits(read_dtype(arguments.dtype)).format;
  };
  CostReport report;
  report.summary = encoding->summary();
  if (arguments.moves != 0) {
    const auto cache = stored(Format::bfloat16);
    report.moves = moves_of(contract_of_cost(arguments, cache), rotation, cache, context, arguments.moves);
  }
  if (arguments.recipe.empty()) {
    if (!arguments.queries.empty()) {
      throw InputError("--queries: found vectors and no errors that are known, expected --recipe or a case");
    }
    const auto format = stored(Format::binary32);
    const auto& contract = contract_of_cost(arguments, format);
    report.cost = allowed_cost(contract, rotation, format, context, attention);
    report.cost.computed =
        fmt::format("whatever keeps the contract {} in {}", contract.id, traits(format).name);
    return report;
  }
  if (context > longest_computed) {
    throw InputError("--context: found {}, expected at most {} with --recipe", context, longest_computed);
  }
  const auto& recipe = read_recipe(arguments.recipe);
  const auto format = stored(recipe.compute);
  report.cost = cost_of(rotations_of(recipe, rotation.table, format, {0, 1, context}), attention,
                        vectors_of(arguments, rotation));
  report.cost.computed = fmt::format("the recipe {} in {}", recipe.id, traits(format).name);
  return report;
}

int run_cost(const CostArguments& arguments, std::ostream& out) {
  if (arguments.file.empty() == !arguments.spec.given()) {
    throw InputError("cost: found {}, expected a case, or one of --spec and --model",
                     arguments.file.empty() ? "neither" : "a case and a spec");
  }
  const bool names_errors =
      !arguments.recipe.empty() || !arguments.dtype.empty() || !arguments.contract.empty();
  if (!arguments.file.empty() && (names_errors || arguments.context != 0)) {
    throw InputError(
        "cost: found --recipe, --dtype, --contract or --context beside a case, expected its tables to say "
        "what errs");
  }
  if (!arguments.recipe.empty() && !arguments.contract.empty()) {
    throw InputError("--contract: found it beside --recipe, expected one of the two");
  }
  if (!arguments.queries.empty() && !arguments.norms.empty()) {
    throw InputError("--norms: found it beside --queries, expected the norms of those vectors alone");
  }
  if (!arguments.file.empty() && arguments.moves != 0) {
    throw InputError("--moves: found a case, expected --spec or --model, as keys are stored elsewhere");
  }
  auto report = arguments.file.empty() ? of_spec(arguments) : of_case(arguments);
  report.measured_kl = arguments.kl > 0 ? std::optional(arguments.kl) : std::nullopt;
  if (!arguments.json.empty()) {
    write_file(arguments.json, cost_document(report).dump(2) + "\n", out);
  }
  if (arguments.json != standard_output) {
    out << cost_text(report);
  }
  return 0;
}

}  // namespace

Action declare_cost(ArgumentParser& command) {
  const auto arguments = std::make_shared<CostArguments>();
  command.add("CASE", arguments->file);
  add_spec_option(command, arguments->spec);
  command.add("--recipe", arguments->recipe);
  command.add("--dtype", arguments->dtype);
  command.add("--contract", arguments->contract);
  command.add("--context", arguments->context);
  command.add("--norms", arguments->norms);
  command.add("--scale", arguments->scale);
  command.add("--queries", arguments->queries);
  command.add("--keys", arguments->keys);
  command.add("--seed", arguments->seed);
  command.add("--kl", arguments->kl);
  command.add("--moves", arguments->moves);
  command.add("--json", arguments->json);
  return [arguments](std::ostream& out) { return run_cost(*arguments, out); };
}

}  // namespace vernier
