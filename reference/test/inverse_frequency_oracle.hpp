// The independent oracle for inverse frequencies and amplitudes: once more, from the JSON of a spec by the
// formulas of the papers and of transformers' modeling_rope_utils.py, in Arb's ball arithmetic. Not a line of
// the schemes, their scalings or their JSON reader is used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/test/ball.hpp"
#include "reference/test/decimal_json.hpp"

namespace vernier::oracle {

/// What the oracle computes of one spec at one length.
struct Answer {
  std::vector<Ball> frequencies;
  Ball amplitude = 1;
};

/// One RoPE spec at one length of sequence.
class InverseFrequencies {
 public:
  InverseFrequencies(const Json& spec, std::int64_t length)
      : spec_(spec),
        scaling_(spec.contains("rope_scaling") ? spec["rope_scaling"] : Json::object()),
        type_(text_at(scaling_, "rope_type", "default")),
        length_(length),
        head_dim_(integer_at(spec, "head_dim")),
        base_(text_at(spec, "rope_theta", "10000")) {}

  Answer answer() const {
    if (type_ == "default") {
      return {geometric(base_), 1};
    }
    if (type_ == "linear") {
      return {divided(geometric(base_), factor()), 1};
    }
    if (type_ == "dynamic" || type_ == "dynamic_qwen" || type_ == "ntk") {
      return {geometric(base_ * power(alpha(), Ball(rotating()) / (rotating() - 2))), 1};
    }
    if (type_ == "ntk_mixed") {
      return {ntk_mixed(), 1};
    }
    if (type_ == "yarn") {
      return {yarn(), yarn_amplitude()};
    }
    if (type_ == "ntk_by_parts") {
      return {ntk_by_parts(), 1};
    }
    if (type_ == "longrope") {
      return {longrope(), longrope_amplitude()};
    }
    if (type_ == "llama3") {
      return {llama3(), 1};
    }
    if (type_ == "proportional") {
      return {proportional(), 1};
    }
    if (type_ == "riflex") {
      auto result = geometric(base_);
      result.at(static_cast<std::size_t>(integer_at(scaling_, "pair"))) =
          Ball("1.8") * Ball::pi() / Ball(integer_at(scaling_, "length"));
      return {result, 1};
    }
    throw std::invalid_argument("the oracle does not know " + type_);
  }

 private:
  std::string share() const { return text_at(spec_, "partial_rotary_factor", "1"); }
  std::int64_t rotating() const {
    return spec_.contains("rotary_dim") ? integer_at(spec_, "rotary_dim")
                                        : floor_of_product(head_dim_, share());
  }
  std::int64_t positions() const { return integer_at(spec_, "max_position_embeddings"); }
  std::int64_t original() const {
    return scaling_.contains("original_max_position_embeddings")
               ? integer_at(scaling_, "original_max_position_embeddings")
               : positions();
  }
  /// s; where no factor is told, how much longer the context became.
  Ball factor() const {
    const auto told = text_at(scaling_, "factor", "");
    return told.empty() ? Ball(positions()) / original() : Ball(told);
  }

  /// b^(-2i/r).
  std::vector<Ball> geometric(const Ball& base) const {
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < rotating() / 2; ++i) {
      result.push_back(power(base, Ball(-2 * i) / rotating()));
    }
    return result;
  }

  static std::vector<Ball> divided(std::vector<Ball> values, const Ball& divisor) {
    for (auto& value : values) {
      value = value / divisor;
    }
    return values;
  }

  /// What the base is multiplied by, before the power r/(r-2): (s L'/N - (s-1)) with L' = max(L, N) for
  /// dynamic NTK, 2^ceil(log2(L/N) + 1) - 1 and at least 1 for Qwen's.
  Ball alpha() const {
    if (type_ == "ntk") {
      return Ball(text_at(scaling_, "alpha", ""));
    }
    if (type_ == "dynamic") {
      const auto longest = std::max(length_, original());
      return factor() * longest / original() - (factor() - 1);
    }
    std::int64_t power_of_two = 1;  // the least 2^k >= 2 L/N with k >= 0
    while (power_of_two * original() < 2 * length_) {
      power_of_two *= 2;
    }
    return std::max<std::int64_t>(power_of_two - 1, 1);
  }

  /// The pair, as a real number, that makes `turns` full turns in the original context.
  Ball pair_of_turns(const Ball& turns) const {
    return Ball(rotating()) * logarithm(Ball(original()) / (2 * Ball::pi() * turns)) / (2 * logarithm(base_));
  }

  /// How far each pair is from `fast` turns on its way to `slow` ones: 0 before the first, 1 behind the
  /// second, in between straight.
  std::vector<Ball> ramp(const std::string& fast, const std::string& slow) const {
    Ball low = pair_of_turns(Ball(fast));
    Ball high = pair_of_turns(Ball(slow));
    if (!scaling_.contains("truncate") || scaling_["truncate"].get<bool>()) {
      low = floor(low);
      high = ceiling(high);
    }
    const bool clamped_to_pairs = text_at(scaling_, "clamp", "rotary_dim") == "pairs";
    low = greater(low, 0);
    high = lesser(high, (clamped_to_pairs ? rotating() / 2 : rotating()) - 1);
    if (arb_equal(low.get(), high.get()) != 0) {
      high = high + Ball("0.001");
    }
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < rotating() / 2; ++i) {
      result.push_back(lesser(greater((Ball(i) - low) / (high - low), 0), 1));
    }
    return result;
  }

  static std::vector<Ball> blended(const std::vector<Ball>& before, const std::vector<Ball>& behind,
                                   const std::vector<Ball>& ramp) {
    std::vector<Ball> result;
    for (std::size_t i = 0; i < ramp.size(); ++i) {
      result.push_back(behind[i] * ramp[i] + before[i] * (1 - ramp[i]));
    }
    return result;
  }

  std::vector<Ball> yarn() const {
    const auto plain = geometric(base_);
    auto share = ramp(text_at(scaling_, "beta_fast", "32"), text_at(scaling_, "beta_slow", "1"));
    for (auto& one : share) {
      one = 1 - (1 - one) * Ball(text_at(scaling_, "extrapolation_factor", "1"));
    }
    return blended(plain, divided(plain, factor()), share);
  }

  /// jquesnelle/yarn, scaled_rope/LlamaPartNTKScaledRotaryEmbedding.py.
  std::vector<Ball> ntk_by_parts() const {
    const auto plain = geometric(base_);
    const auto ntk = geometric(base_ * power(factor(), Ball(rotating()) / (rotating() - 2)));
    return blended(plain, blended(ntk, divided(plain, factor()), ramp("1.25", "0.75")), ramp("16", "2"));
  }

  /// NTKScalingRotaryEmbedding of vLLM: a = log(s)/(d/2)^b; inv_freq / exp(a m^b), m = 1 .. d/2; without
  /// mixed_b the base times s, and s^(2/d).
  std::vector<Ball> ntk_mixed() const {
    if (!scaling_.contains("mixed_b")) {
      return divided(geometric(base_ * factor()), power(factor(), Ball(2) / rotating()));
    }
    const Ball b(text_at(scaling_, "mixed_b", ""));
    auto result = geometric(base_);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const Ball share = Ball(static_cast<std::int64_t>(i + 1)) / (rotating() / 2);
      result[i] = result[i] / power(factor(), power(share, b));
    }
    return result;
  }

  Ball yarn_magnitude(const Ball& coefficient) const {
    return is_less(1, factor()) ? coefficient * logarithm(factor()) / 10 + 1 : 1;
  }

  Ball yarn_amplitude() const {
    if (scaling_.contains("attention_factor")) {
      return Ball(text_at(scaling_, "attention_factor", ""));
    }
    const Ball mscale(text_at(scaling_, "mscale", "0"));
    const Ball mscale_all_dim(text_at(scaling_, "mscale_all_dim", "0"));
    if (arb_is_nonzero(mscale.get()) != 0 && arb_is_nonzero(mscale_all_dim.get()) != 0) {
      return yarn_magnitude(mscale) / yarn_magnitude(mscale_all_dim);
    }
    return yarn_magnitude(1);
  }

  bool is_long() const { return length_ > original(); }

  std::vector<Ball> longrope() const {
    const auto& factors = scaling_.at(is_long() ? "long_factor" : "short_factor");
    auto result = geometric(base_);
    if (factors.size() != result.size()) {
      throw std::invalid_argument("as many factors as pairs");
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = result[i] / Ball(factors[i].get<std::string>());
    }
    return result;
  }

  Ball longrope_amplitude() const {
    for (const char* key : {"attention_factor", is_long() ? "long_mscale" : "short_mscale"}) {
      if (scaling_.contains(key)) {
        return Ball(text_at(scaling_, key, ""));
      }
    }
    return is_less(1, factor()) ? square_root(logarithm(factor()) / logarithm(Ball(original())) + 1) : 1;
  }

  std::vector<Ball> llama3() const {
    const Ball low_factor(text_at(scaling_, "low_freq_factor", ""));
    const Ball high_factor(text_at(scaling_, "high_freq_factor", ""));
    auto result = geometric(base_);
    for (auto& w : result) {
      const Ball turns = Ball(original()) * w / (2 * Ball::pi());  // context over wavelength
      if (is_less(high_factor, turns)) {
        continue;
      }
      if (is_less(turns, low_factor)) {
        w = w / factor();
        continue;
      }
      const Ball smooth = (turns - low_factor) / (high_factor - low_factor);
      w = (1 - smooth) * w / factor() + smooth * w;
    }
    return result;
  }

  std::vector<Ball> proportional() const {
    const auto live = floor_of_product(head_dim_, share()) / 2;
    const Ball divisor = scaling_.contains("factor") ? factor() : 1;
    std::vector<Ball> result;
    for (std::int64_t i = 0; i < head_dim_ / 2; ++i) {
      result.push_back(i < live ? power(base_, Ball(-2 * i) / head_dim_) / divisor : 0);
    }
    return result;
  }

  const Json& spec_;
  Json scaling_;
  std::string type_;
  std::int64_t length_;
  std::int64_t head_dim_;
  Ball base_;
};

}  // namespace vernier::oracle
