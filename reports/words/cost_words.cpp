#include "reports/words/cost_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// A gate on KL that projects use for two implementations of one model (NeMo Automodel 1951).
constexpr double usual_kl_gate = 5e-3;

std::string at_most(double value) {
  return !std::isfinite(value) ? "infinity" : value > 0 ? bound_text(value, shown_digits) : "0";
}

/// A number that is given or attained: "0.012".
std::string measured(double value) {
  return fmt::format("{:.{}g}", value, shown_digits);
}

/// Whether attention that was computed loses more than two implementations usually may.
bool explains(const Cost& cost) {
  return cost.row.kl.lower >= usual_kl_gate;
}

std::string of_sample(const AttentionSample& sample) {
  return fmt::format("{} rows of {} attention over {} keys", sample.rows, sample.is_drawn ? "drawn" : "your",
                     sample.keys);
}

OrderedJson end_value(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson("infinity");
}

OrderedJson enclosed(const ValueBounds& bounds) {
  return {{"lower", end_value(bounds.lower)}, {"upper", end_value(bounds.upper)}};
}

std::string within(const ValueBounds& bounds) {
  return bounds.lower > 0 ? fmt::format("{} to {}", measured(bounds.lower), at_most(bounds.upper))
                          : fmt::format("at most {}", at_most(bounds.upper));
}

std::string moves_text(const Moves& moves) {
  auto text = fmt::format(
      "A key may be moved by {} positions {} times: each move adds at most {} of its norm to {}, and an "
      "error "
      "above {} proves nothing.\n",
      moves.shift, moves.most, at_most(moves.of_one), at_most(moves.first), conclusive_share);
  if (moves.amplitude_again) {
    text += fmt::format("  A move that multiplies by the attention factor again is off by {} at once.\n",
                        measured(*moves.amplitude_again));
  }
  if (moves.scaling_ignored) {
    text += fmt::format("  A move by the frequencies before the scaling is off by {} at once.\n",
                        measured(*moves.scaling_ignored));
  }
  return text;
}

OrderedJson moves_value(const Moves& moves) {
  return {{"shift", moves.shift},
          {"most", moves.most},
          {"limit", conclusive_share},
          {"first", end_value(moves.first)},
          {"each", end_value(moves.of_one)},
          {"amplitude_again", json_or_null(moves.amplitude_again)},
          {"scaling_ignored", json_or_null(moves.scaling_ignored)}};
}

std::string converse(const CostReport& report) {
  const auto& cost = report.cost;
  const double kl = *report.measured_kl;
  if (cost.row.kl.upper < kl) {
    return fmt::format(
        "Errors of the encoding explain at most {} of your KL of {}, if it is one of rows of attention{}.\n",
        at_most(cost.row.kl.upper), measured(kl),
        cost.has_gaps ? " among these positions" : ": something else contributes");
  }
  return cost.row.kl.lower >= kl
             ? fmt::format("Errors of the encoding can explain your KL of {}: {} in {}.\n", measured(kl),
                           measured(cost.row.kl.lower), of_sample(cost.sample))
             : fmt::format(
                   "Errors of the encoding may explain your KL of {}: they make at most {}, and {} reach "
                   "{}.\n",
                   measured(kl), at_most(cost.row.kl.upper), of_sample(cost.sample),
                   measured(cost.row.kl.lower));
}

OrderedJson cost_value(const Cost& cost) {
  const auto at_distance = [](const DistanceChange& at) {
    auto value = enclosed(at.change);
    value["distance"] = at.distance;
    value["pair"] = at.pair;
    return value;
  };
  const auto& sample = cost.sample;
  OrderedJson of_sample{{"attention", sample.is_drawn ? "drawn" : "given"},
                        {"rows", sample.rows},
                        {"keys", sample.keys},
                        {"seed", sample.is_drawn ? OrderedJson(cost.attention.seed) : OrderedJson(nullptr)},
                        {"measured", sample.is_measured},
                        {"mean_kl", enclosed(sample.mean.kl)},
                        {"mean_kl_bound", end_value(sample.mean.kl_bound)},
                        {"greatest_kl", enclosed(sample.greatest.kl)},
                        {"greatest_kl_bound", end_value(sample.greatest.kl_bound)},
                        {"mean_total_variation", enclosed(sample.mean.total_variation)}};
  return {{"sentence", cost_sentence(cost)},
          {"computed", cost.computed},
          {"assumed",
           {{"words", cost_assumptions(cost)},
            {"context", cost.context},
            {"query_norm", cost.attention.query_norm},
            {"key_norm", cost.attention.key_norm},
            {"scale", cost.attention.scale}}},
          {"score",
           {{"worst", at_distance(cost.score.worst)},
            {"by_distance", array_json(cost.score.by_distance, at_distance)}}},
          {"softmax",
           {{"weight_change", enclosed(cost.row.weight_change)},
            {"weight_factor", enclosed({1, cost.row.weight_factor})}}},
          {"kl", enclosed(cost.row.kl)},
          {"total_variation", enclosed(cost.row.total_variation)},
          {"sample", std::move(of_sample)}};
}

}  // namespace

std::string cost_assumptions(const Cost& cost) {
  const auto& attention = cost.attention;
  return fmt::format("queries of norm {} and keys of norm {} at most, logits scaled by {}, {} positions{}",
                     measured(attention.query_norm), measured(attention.key_norm), measured(attention.scale),
                     cost.context, cost.has_gaps ? ", with others between them that were not seen" : "");
}

std::string cost_sentence(const Cost& cost) {
  if (!std::isfinite(cost.row.kl.upper)) {
    return "Nothing bounds the KL: the errors of the tables, times the norms, are beyond what a number "
           "holds.";
  }
  if (explains(cost)) {
    return fmt::format("Errors of the encoding explain a KL of {}, seen in {}; a logit moves by at most {}.",
                       measured(cost.row.kl.lower), of_sample(cost.sample),
                       at_most(cost.score.worst.change.upper));
  }
  return fmt::format("Errors of the encoding explain a KL of at most {}: a logit moves by {} at most, if {}.",
                     at_most(cost.row.kl.upper), at_most(cost.score.worst.change.upper),
                     fmt::format("queries and keys have norms of {} and {} at most",
                                 measured(cost.attention.query_norm), measured(cost.attention.key_norm)));
}

OrderedJson cost_summary_value(const Cost& cost) {
  return {{"sentence", cost_sentence(cost)},
          {"assumed", cost_assumptions(cost)},
          {"score", enclosed(cost.score.worst.change)},
          {"weight_change", enclosed(cost.row.weight_change)},
          {"total_variation", enclosed(cost.row.total_variation)},
          {"kl", enclosed(cost.row.kl)}};
}

OrderedJson cost_document(const CostReport& report) {
  OrderedJson document{{"vernier_cost", 1}, {"encoding", report.summary}};
  document.update(cost_value(report.cost));
  if (report.measured_kl) {
    document["explained"] = {{"measured_kl", *report.measured_kl},
                             {"at_most", end_value(std::min(*report.measured_kl, report.cost.row.kl.upper))},
                             {"sentence", converse(report)}};
    document["explained"]["sentence"].get_ref<std::string&>().pop_back();  // the end of the line
  }
  if (report.moves) {
    document["moves"] = moves_value(*report.moves);
  }
  return document;
}

std::string cost_text(const CostReport& report) {
  const auto& cost = report.cost;
  auto text = report.measured_kl ? converse(report) : cost_sentence(cost) + "\n";
  text += fmt::format("  of {}: {}\n  assumed: {}\n", cost.computed, report.summary, cost_assumptions(cost));
  text +=
      fmt::format("  a logit             {}, worst {} apart in pair {}\n", within(cost.score.worst.change),
                  counted(static_cast<std::uint64_t>(cost.score.worst.distance), "position", "positions"),
                  cost.score.worst.pair);
  text += fmt::format("  an attention weight {}, and by a factor of {}\n", within(cost.row.weight_change),
                      at_most(cost.row.weight_factor));
  text += fmt::format("  total variation     {}\n", within(cost.row.total_variation));
  text += fmt::format("  KL of a row         {}\n", within(cost.row.kl));
  const auto& sample = cost.sample;
  text += fmt::format("  {}: {} {} on average, total variation {}\n", of_sample(sample),
                      sample.is_measured ? "KL" : "KL at most",
                      at_most(sample.is_measured ? sample.mean.kl.upper : sample.mean.kl_bound),
                      at_most(sample.mean.total_variation.upper));
  text += fmt::format("{:<12}{:>22}\n", "distance", "a logit moves by");
  for (const auto& at : cost.score.by_distance) {
    text += fmt::format("{:<12}{:>22}\n", at.distance, at_most(at.change.upper));
  }
  return report.moves ? text + moves_text(*report.moves) : text;
}

}  // namespace vernier
