// The independent oracle on numbers that have formulas of their own: scales of queries, decays of linear
// attention, biases by the distance. Each again in Arb from the code that defines it, as an enclosure and
// rounded to every format; and index tables again by integers.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "reference/test/ball.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::Ball;

constexpr slong computed_narrow_bits = 90;

Ball exponential(const Ball& x) {
  Ball result;
  arb_exp(result.get(), x.get(), oracle::oracle_bits);
  return result;
}

/// All of a ball in a format by MPFR, whose exponents have no ends: for normal numbers. Nothing where its
/// ends lie to both sides of the middle between two numbers.
std::optional<double> rounded_by_mpfr(const Ball& ball, Format format) {
  mpfr_t lower;
  mpfr_t upper;
  mpfr_init2(lower, oracle::oracle_bits);
  mpfr_init2(upper, oracle::oracle_bits);
  arb_get_interval_mpfr(lower, upper, ball.get());
  mpfr_prec_round(lower, traits(format).precision, MPFR_RNDN);
  mpfr_prec_round(upper, traits(format).precision, MPFR_RNDN);
  const bool is_decided = mpfr_equal_p(lower, upper) != 0;
  const double result = mpfr_get_d(lower, MPFR_RNDN);
  mpfr_clear(lower);
  mpfr_clear(upper);
  return is_decided ? std::optional(result) : std::nullopt;
}

class ComputedTally {
 public:
  /// An enclosure and the number in every format that has it as a normal one.
  void compare(const Real& ours, const Ball& theirs, const std::string& what) {
    const auto enclosure = [&] {
      const WorkingPrecision precision(128);
      return ours();
    }();
    const auto* ends = enclosure.backend().data();
    Ball ball;
    arb_set_interval_mpfr(ball.get(), &ends->left, &ends->right, oracle::oracle_bits);
    const bool is_exact = arb_is_exact(theirs.get()) != 0;
    add((arb_rel_accuracy_bits(ball.get()) > computed_narrow_bits || is_exact) &&
            arb_overlaps(ball.get(), theirs.get()) != 0,
        what);
    for (const auto format : all_formats()) {
      const auto expected = rounded_by_mpfr(theirs, format);
      const double magnitude = std::abs(expected.value_or(0));
      if (!expected) {
        ++undecided_;
      } else if (magnitude == 0 ||
                 (magnitude >= traits(format).smallest_normal() && magnitude <= traits(format).largest())) {
        const auto found = correctly_rounded(format, ours);
        ++by_format_[static_cast<std::size_t>(format)];
        add(found && *found == *expected, what + " in " + std::string(traits(format).name));
      }
    }
  }

  void add(bool agrees, const std::string& what) {
    ++numbers_;
    disagreements_ += agrees ? 0 : 1;
    EXPECT_TRUE(agrees || disagreements_ > 5) << what;
  }

  /// Tells how many were compared.
  void finish(const std::string& what, std::size_t least) const {
    std::cout << numbers_ << " numbers of " << what << " compared: " << disagreements_ << " disagreements, "
              << undecided_ << " undecided by Arb\n";
    for (const auto format : all_formats()) {
      std::cout << "  " << by_format_[static_cast<std::size_t>(format)] << " in " << traits(format).name
                << "\n";
    }
    EXPECT_EQ(disagreements_, 0U);
    EXPECT_LE(undecided_, 1U);
    EXPECT_GE(numbers_, least);
  }

 private:
  std::size_t numbers_ = 0;
  std::size_t disagreements_ = 0;
  std::array<std::size_t, format_table.size()> by_format_{};
  std::size_t undecided_ =
      0;  ///< numbers that are halfway between two of a format, which a ball does not tell
};

/// Positions about every edge, and of every size.
std::vector<std::int64_t> positions_about(std::int64_t step, std::mt19937_64& engine) {
  std::vector<std::int64_t> result;
  for (std::int64_t edge = 0; edge < 400; ++edge) {
    for (const std::int64_t by : {-2, -1, 0, 1}) {
      result.push_back(std::max<std::int64_t>(edge * step + by, 0));
    }
  }
  for (int draw = 0; draw < 1000; ++draw) {
    result.push_back(static_cast<std::int64_t>(engine() >> (33 + engine() % 31)));
  }
  return result;
}

TEST(ComputedOracle, ScalesOfQueriesEqualArbs) {
  std::mt19937_64 engine(test_seed());
  ComputedTally tally;
  for (const std::int64_t step : {8192, 16384, 128000, 1000, 7, 3}) {
    for (const int offset : {0, 1}) {
      const auto keys = std::to_string(step) + R"(, "position_offset": )" + std::to_string(offset) + "}";
      const auto llama = R"({"scheme": "query_scale", "beta": 0.1, "floor_scale": )" + keys;
      const auto qwen = R"({"scheme": "query_scale", "rule": "log_n", "training_length": )" + keys;
      const auto by_floor = parsed(llama)->all<ExactTable>().at(0);
      const auto inkling =
          R"({"scheme": "query_scale", "rule": "log", "beta": 0.1, "training_length": )" + keys;
      const auto by_log = parsed(qwen)->all<ExactTable>().at(0);
      const auto without_floor = parsed(inkling)->all<ExactTable>().at(0);
      for (const auto p : positions_about(step, engine)) {
        const Ball steps = floor((Ball(p) + Ball(offset)) / Ball(step));
        tally.compare(by_floor.entry(p, 0), Ball(1) + Ball("0.1") * logarithm(steps + Ball(1)), llama);
        const auto count = p + offset;
        tally.compare(by_log.entry(p, 0),
                      count > step ? logarithm(Ball(count)) / logarithm(Ball(step)) : Ball(1), qwen);
        tally.compare(without_floor.entry(p, 0),
                      count > step ? Ball(1) + Ball("0.1") * logarithm(Ball(count) / Ball(step)) : Ball(1),
                      inkling);
      }
    }
  }
  tally.finish("scales of queries", 50000);
}

/// All heads of a decay. \param rate of each \param kept e^-rate, where it is known without the rate
void compare_decays(const std::string& keys, std::int64_t heads,
                    const std::function<Ball(std::int64_t)>& rate, ComputedTally& tally,
                    const std::function<Ball(std::int64_t)>& kept = nullptr) {
  for (const std::string form : {"rate", "logarithm", "factor"}) {
    const auto spec = R"({"scheme": "decay", "as": ")" + form + R"(", "num_heads": )" +
                      std::to_string(heads) + ", " + keys + "}";
    const auto table = parsed(spec)->all<BiasTable>().at(0);
    for (std::int64_t head = 0; head < heads; ++head) {
      const auto r = rate(head);
      tally.compare(table.entry(static_cast<std::size_t>(head), 1),
                    form == "rate"        ? r
                    : form == "logarithm" ? Ball(0) - r
                    : kept                ? kept(head)
                                          : exponential(Ball(0) - r),
                    spec);
    }
  }
}

/// Press's code: the slopes of the next power of two below, then every other one of twice as many heads.
Ball alibi_slope(std::int64_t head, std::int64_t heads) {
  std::int64_t whole = 1;
  while (2 * whole <= heads) {
    whole *= 2;
  }
  const bool is_extra = head >= whole;
  const auto exponent = is_extra ? 2 * (head - whole) + 1 : head + 1;
  return power(Ball(2), Ball(0) - Ball(8 * exponent) / Ball(is_extra ? 2 * whole : whole));
}

TEST(ComputedOracle, DecaysEqualArbs) {
  ComputedTally tally;
  const Ball small("1e-5");
  for (const std::int64_t heads : {1, 8, 12, 40, 64}) {
    const auto kept = [](std::int64_t head) { return Ball(1) - power(Ball(2), Ball(-5 - head)); };
    compare_decays(R"("rule": "retnet")", heads,
                   [&](std::int64_t head) { return Ball(0) - logarithm(kept(head)); }, tally, kept);
    for (const std::int64_t layers : {1, 2, 33, 80}) {
      for (std::int64_t layer = 0; layer<layers; layer += layers> 40 ? 8 : 4) {
        const auto of_layer =
            R"(, "num_layers": )" + std::to_string(layers) + R"(, "layer": )" + std::to_string(layer);
        compare_decays(R"("rule": "lightning")" + of_layer, heads,
                       [&](std::int64_t head) {
                         const Ball share = layers == 1 ? Ball(0) : Ball(layer) / Ball(layers - 1);
                         return alibi_slope(head, heads) * (Ball(1) - share + small);
                       },
                       tally);
        compare_decays(R"("rule": "lightning", "variant": "huggingface")" + of_layer, heads,
                       [&](std::int64_t head) {
                         const Ball share = Ball(layer) / (Ball(layers - 1) + small);
                         return power(Ball(2), Ball(-8 * (head + 1)) / Ball(heads)) *
                                (Ball(1) - share + small);
                       },
                       tally);
        compare_decays(
            R"("rule": "transnormer")" + of_layer, heads,
            [&](std::int64_t head) { return Ball(8 * head * (layers - layer)) / Ball(heads * layers); },
            tally);
      }
    }
  }
  tally.finish("decays", 50000);
}

TEST(ComputedOracle, BiasesByTheDistanceEqualArbs) {
  std::mt19937_64 engine(test_seed());
  ComputedTally tally;
  // Numbers of binary64, as Arb holds exactly, and one that is a quotient.
  const std::array<std::array<std::string, 3>, 4> heads{
      {{"0.5", "1", "1"}, {"1.25", "0.375", "1"}, {"3", "17.5", "0.75"}, {"\"1/100\"", "2", "2"}}};
  const auto list = [&](std::size_t which) {
    std::string text;
    for (const auto& head : heads) {
      text += (text.empty() ? "[" : ", ") + head[which];
    }
    return text + "]";
  };
  const auto logs =
      R"({"scheme": "kerple", "scale": )" + list(0) + R"(, "a": )" + list(1) + R"(, "p": )" + list(2) + "}";
  const auto powers =
      R"({"scheme": "kerple", "kind": "power", "scale": )" + list(0) + R"(, "p": )" + list(2) + "}";
  const auto by_log = parsed(logs)->all<BiasTable>().at(0);
  const auto by_power = parsed(powers)->all<BiasTable>().at(0);
  for (int draw = 0; draw < 1600; ++draw) {
    const auto distance = draw < 400 ? draw : static_cast<std::int64_t>(engine() >> (33 + engine() % 31));
    for (std::size_t head = 0; head < heads.size(); ++head) {
      const auto scaled = [&](const Ball& x) { return head == 3 ? x / Ball(100) : Ball(heads[head][0]) * x; };
      const Ball of_distance = distance == 0 ? Ball(0) : power(Ball(distance), Ball(heads[head][2]));
      tally.compare(by_log.entry(head, -distance),
                    Ball(0) - scaled(logarithm(Ball(1) + Ball(heads[head][1]) * of_distance)), logs);
      tally.compare(by_power.entry(head, -distance), Ball(0) - scaled(of_distance), powers);
    }
  }
  tally.finish("KERPLE", 50000);
}

TEST(ComputedOracle, SandwichEqualsArbs) {
  std::mt19937_64 engine(test_seed());
  ComputedTally tally;
  constexpr std::int64_t heads = 6;
  constexpr std::int64_t width = 8;
  const std::string spec = R"({"scheme": "sandwich", "num_heads": 6, "head_dim": 8})";
  const auto table = parsed(spec)->all<BiasTable>().at(0);
  for (int draw = 0; draw < 1800; ++draw) {
    const auto distance = draw < 600 ? draw : static_cast<std::int64_t>(engine() >> (43 + engine() % 21));
    Ball sum(-width / 2);
    for (std::int64_t j = 1; j <= width / 2; ++j) {
      sum = sum + cosine(Ball(distance) / power(Ball(10000), Ball(2 * j) / Ball(width)));
    }
    for (std::int64_t head = 1; head <= heads; ++head) {
      tally.compare(table.entry(static_cast<std::size_t>(head - 1), -distance),
                    distance == 0 ? Ball(0) : sum / (Ball(8 * head) / Ball(heads)), spec);
    }
  }
  tally.finish("Sandwich", 50000);
}

}  // namespace
}  // namespace vernier
