#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/numbers/powers.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> scale_rule_names{"floor_log", "log_n", "log"};

/// A logarithm is good to 2u of itself, and 1 + n, where it is rounded, is off by u, which moves its
/// logarithm by u. So beta ln(1 + n) takes five roundings: the logarithm's two, beta, the product and the
/// sum; the one takes that of the sum; and what 1 + n adds, beta u, later roundings make less than 2 beta u.
/// The floor is that of integers: a position that a format does not hold, or a rounded 1/N, may lie across an
/// edge, and that is an error.
ComputedReal floor_log(std::int64_t steps, const Rational& beta) {
  if (steps == 0) {
    return {[] { return enclose(std::int64_t{1}); }, 1};
  }
  const double slope = approximately(beta);
  const double growth = slope * std::log1p(static_cast<double>(steps));
  return {[steps, beta] { return Interval(1 + enclose(beta) * log_of(Rational(1 + steps))); }, 1 + growth,
          [slope, growth](double u) { return growth * growth_by(5, u) + (1 + 2 * slope) * u; }};
}

/// Each logarithm is good to 2u of itself; p + o and N, where they are rounded, move theirs by u, which is at
/// most u/ln 2 of a logarithm of 2 or more; the quotient is rounded. So numerator and denominator are off by
/// 3.45 u each, and the quotient by 7.9 u + 31 u^2 of itself: less than nine roundings.
ComputedReal log_n(std::int64_t count, std::int64_t length) {
  if (count <= length) {
    return {[] { return enclose(std::int64_t{1}); }, 1};
  }
  const double value = std::log(static_cast<double>(count)) / std::log(static_cast<double>(length));
  return {[count, length] { return Interval(log_of(Rational(count)) / log_of(Rational(length))); }, value,
          [value](double u) { return value * growth_by(9, u); }};
}

/// p + o, N and the quotient are rounded, which moves its logarithm by 3u and more by less than u; the rest
/// is as in floor_log.
ComputedReal logarithmic(std::int64_t count, std::int64_t length, const Rational& beta) {
  if (count <= length) {
    return {[] { return enclose(std::int64_t{1}); }, 1};
  }
  const Rational quotient(count, length);
  const double slope = approximately(beta);
  const double growth = slope * std::log(approximately(quotient));
  return {[quotient, beta] { return Interval(1 + enclose(beta) * log_of(quotient)); }, 1 + growth,
          [slope, growth](double u) { return growth * growth_by(5, u) + (1 + 4 * slope) * u; }};
}

/// What queries are multiplied by, so that attention stays as sharp over long texts, with p the position and
/// o an offset:
/// floor_log: 1 + beta ln(1 + floor((p + o)/N)). Llama 4 scales the queries of layers without RoPE, with o =
/// 1 (attn_scale, floor_scale); Ministral 3 and Mistral 4 all queries after RoPE, with o = 0
/// (llama_4_scaling_beta, original_max_position_embeddings). They differ at p = kN - 1 alone.
/// log: 1 + beta ln max(1, (p + o)/N), with o = 1: the queries of Inkling's global layers
/// (log_scaling_alpha is beta, log_scaling_n_floor is N).
/// log_n: max(1, ln(p + o)/ln N), with o = 1: the first Qwen (use_logn_attn, seq_length).
struct QueryScaleSpec {
  enum class Rule { floor_log, log_n, log };

  static constexpr std::string_view scheme = "query_scale";

  Rule rule = Rule::floor_log;
  Rational beta = Rational(1, 10);   ///< of floor_log and log
  std::int64_t length = 2;           ///< N
  std::int64_t position_offset = 0;  ///< o

  void keys(KeyVisitor& visit) {
    visit.defaulted("rule", rule, one_of(scale_rule_names));
    const bool has_steps = rule == Rule::floor_log;
    if (rule != Rule::log_n) {
      visit.defaulted("beta", beta, number(positive_range()));
    }
    if (has_steps) {
      visit.required("floor_scale", length, integer(1, largest_position));
    } else {
      // ln N divides in log_n: it must not be 0.
      visit.required("training_length", length, integer(rule == Rule::log ? 1 : 2, largest_position));
    }
    visit.fallback(position_offset, has_steps ? 0 : 1);
    visit.defaulted("position_offset", position_offset, integer(0, 1));
  }

  std::string summary() const {
    const auto argument = position_offset == 0 ? "p" : "(p + 1)";
    if (rule == Rule::log_n) {
      return fmt::format("query scale max(1, ln {}/ln {})", argument, length);
    }
    if (rule == Rule::log) {
      return fmt::format("query scale 1 + {} ln max(1, {}/{})", to_string(beta), argument, length);
    }
    return fmt::format("query scale 1 + {} ln(1 + floor({}/{}))", to_string(beta), argument, length);
  }

  std::vector<TensorDefinition> tensors() const {
    const auto computed = [spec = *this](std::int64_t position, std::size_t) { return spec.at(position); };
    return {ExactTable{.role = "scale", .columns = 1, .first_position = 0, .computed = computed}};
  }

  ComputedReal at(std::int64_t position) const {
    const auto count = position + position_offset;
    switch (rule) {
      case Rule::floor_log:
        return floor_log(count / length, beta);
      case Rule::log_n:
        return log_n(count, length);
      case Rule::log:
        break;
    }
    return logarithmic(count, length, beta);
  }
};

}  // namespace

std::vector<Scheme> query_scale_schemes() {
  return schemes_of<QueryScaleSpec>();
}

}  // namespace vernier
