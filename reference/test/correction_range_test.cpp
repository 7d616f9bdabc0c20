// YaRN's and NTK-by-parts' bands and multipliers against the rule of Hugging Face's modeling_rope_utils.py
// (find_correction_range and linear_ramp_factor; jquesnelle/yarn's is the same), written once more in double
// precision: parameters are drawn far beyond those of any model, so that the ends of the ramp are clamped,
// coincide, and are carried past each other.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

/// What c(x) = r ln(n / (2 pi x)) / (2 ln b) may be off by in double: for r <= 256, b >= 2 and n <= 2^31 it
/// is within 4100; five roundings and two logarithms of 1 ulp make 9 * 2^-53 of that, and the argument's
/// three roundings move it by 185 * 3 * 2^-53. Together less than 1e-11.
constexpr double end_error = 1e-11;

struct DrawnRange {
  std::int64_t base, dim, length;
  double fast, slow;
  bool truncate;
  bool pairs;  ///< clamp
  double factor;
};

/// The ends of the ramp by the double rule; nothing where rounding decides them.
struct Ends {
  double low, high;

  bool crossed() const { return low > high; }
};

/// An end as computed, rounded if it is truncated, clamped by `limit`; nothing where rounding decides it.
template <class Round, class Clamp>
std::optional<double> end_of(const DrawnRange& at, double turns, Round round, double limit, Clamp clamp) {
  double end = static_cast<double>(at.dim) *
               std::log(static_cast<double>(at.length) / (turns * 2 * std::numbers::pi)) /
               (2 * std::log(static_cast<double>(at.base)));
  if (at.truncate) {
    if (std::fabs(end - std::round(end)) < end_error) {
      return std::nullopt;
    }
    end = round(end);
  } else if (std::fabs(end - limit) < end_error) {
    return std::nullopt;
  }
  return clamp(end, limit);
}

std::optional<Ends> ends_of(const DrawnRange& at) {
  const auto greater = [](double a, double b) { return std::max(a, b); };
  const auto lesser = [](double a, double b) { return std::min(a, b); };
  const auto greatest = static_cast<double>((at.pairs ? at.dim / 2 : at.dim) - 1);
  const auto low = end_of(
      at, at.fast, [](double x) { return std::floor(x); }, 0, greater);
  const auto high = end_of(
      at, at.slow, [](double x) { return std::ceil(x); }, greatest, lesser);
  if (!low || !high) {
    return std::nullopt;
  }
  return Ends{*low, *low == *high ? *high + 0.001 : *high};
}

/// The share of a pair that is divided, and what it may be off by.
struct Share {
  double value, error;
};

/// Nothing where the pair is so near an end that rounding decides its band.
std::optional<Share> share_of(const DrawnRange& at, const Ends& ends, int pair) {
  if (!at.truncate && (std::fabs(pair - ends.low) < end_error || std::fabs(pair - ends.high) < end_error)) {
    return std::nullopt;
  }
  const double share = (pair - ends.low) / (ends.high - ends.low);
  return Share{std::clamp(share, 0.0, 1.0), 4 * end_error / std::fabs(ends.high - ends.low)};
}

PairTreatment band_of(double share) {
  return share == 0 ? PairTreatment::unchanged : share == 1 ? PairTreatment::divided : PairTreatment::blended;
}

class Draws {
 public:
  DrawnRange next() {
    DrawnRange drawn{};
    drawn.base = logarithmic(2, 100'000'000);
    drawn.dim = 2 * between(2, 128);
    drawn.length = logarithmic(2, std::int64_t{1} << 31);
    drawn.slow = static_cast<double>(between(1, 64)) / 4;
    drawn.fast = between(0, 9) == 0 ? drawn.slow : drawn.slow * static_cast<double>(between(2, 64));
    drawn.truncate = between(0, 2) != 0;
    drawn.pairs = between(0, 2) == 0;
    drawn.factor = static_cast<double>(between(5, 256)) / 4;
    return drawn;
  }

 private:
  std::int64_t between(std::int64_t least, std::int64_t greatest) {
    return std::uniform_int_distribution<std::int64_t>(least, greatest)(engine_);
  }
  std::int64_t logarithmic(std::int64_t least, std::int64_t greatest) {
    const double x = std::uniform_real_distribution<double>(std::log(static_cast<double>(least)),
                                                            std::log(static_cast<double>(greatest)))(engine_);
    return std::clamp(std::llround(std::exp(x)), static_cast<long long>(least),
                      static_cast<long long>(greatest));
  }

  std::mt19937_64 engine_{test_seed()};
};

std::string spec_text(const DrawnRange& at, std::string_view type) {
  OrderedJson scaling{
      {"rope_type", type}, {"factor", at.factor}, {"original_max_position_embeddings", at.length}};
  if (type == "yarn") {
    scaling.update(OrderedJson{{"beta_fast", at.fast},
                               {"beta_slow", at.slow},
                               {"truncate", at.truncate},
                               {"clamp", at.pairs ? "pairs" : "rotary_dim"}});
  }
  return OrderedJson{
      {"scheme", "rope"}, {"head_dim", at.dim}, {"rope_theta", at.base}, {"rope_scaling", scaling}}
      .dump();
}

RopeSpec parsed_rope(const std::string& text) {
  return dynamic_cast<const RopeEncoding&>(*parsed(text)).parameters();
}

/// Counts of what was compared, so that a test can say that it saw all of it.
using Seen = std::map<std::string, int>;

/// A double computation of a multiplier, with every operation's rounding far below the ends' error.
constexpr double own_error = 1e-13;

TEST(CorrectionRange, YarnAgreesWithHuggingFaceInDoublePrecision) {
  const WorkingPrecision precision(96);
  Draws draws;
  Seen seen;
  for (int i = 0; i < 400; ++i) {
    const auto drawn = draws.next();
    const auto ends = ends_of(drawn);
    if (!ends) {
      continue;
    }
    const auto text = spec_text(drawn, "yarn");
    const auto spec = parsed_rope(text);
    const auto frequencies = spec.frequencies();
    for (int pair = 0; pair < spec.pairs(); ++pair) {
      const auto share = share_of(drawn, *ends, pair);
      if (!share) {
        continue;
      }
      const PairTreatment band = band_of(share->value);
      ASSERT_EQ(frequencies.scaled()->treatment(pair), band) << text << ", pair " << pair;
      const double multiplier = (1 - share->value) + share->value / drawn.factor;
      ASSERT_NEAR(middle(frequencies.scaled()->multiplier(pair)), multiplier, share->error + own_error)
          << text << ", pair " << pair;
      ++seen[std::string(ends->crossed() ? "crossed, " : "") + (band == PairTreatment::unchanged ? "unchanged"
                                                                : band == PairTreatment::divided
                                                                    ? "divided"
                                                                    : "blended")];
    }
  }
  for (const auto* kind : {"unchanged", "blended", "divided", "crossed, unchanged", "crossed, divided"}) {
    EXPECT_GT(seen[kind], 100) << kind;
  }
  EXPECT_EQ(seen["crossed, blended"], 0);
}

TEST(CorrectionRange, NtkByPartsAgreesWithItsAuthorsInDoublePrecision) {
  const WorkingPrecision precision(96);
  Draws draws;
  Seen seen;
  for (int i = 0; i < 400; ++i) {
    auto drawn = draws.next();
    drawn.truncate = true;
    drawn.pairs = false;
    drawn.fast = 1.25;
    drawn.slow = 0.75;
    const auto inner = ends_of(drawn);
    drawn.fast = 16;
    drawn.slow = 2;
    const auto outer = ends_of(drawn);
    if (!inner || !outer) {
      continue;
    }
    const auto text = spec_text(drawn, "ntk_by_parts");
    const auto spec = parsed_rope(text);
    const auto frequencies = spec.frequencies();
    for (int pair = 0; pair < spec.pairs(); ++pair) {
      const double stretched = std::pow(drawn.factor, -static_cast<double>(pair) / (spec.pairs() - 1));
      const double divided = share_of(drawn, *inner, pair)->value;
      const double scaled = share_of(drawn, *outer, pair)->value;
      const double within = divided / drawn.factor + (1 - divided) * stretched;
      const double multiplier = within * scaled + (1 - scaled);
      ASSERT_NEAR(middle(frequencies.scaled()->multiplier(pair)), multiplier, own_error)
          << text << ", pair " << pair;
      ASSERT_EQ(frequencies.scaled()->treatment(pair) == PairTreatment::unchanged, scaled == 0)
          << text << ", pair " << pair;
    }
    ++seen[outer->crossed() ? (outer->high < 0 ? "crossed below" : "crossed above") : "in order"];
  }
  for (const auto* kind : {"in order", "crossed below", "crossed above"}) {
    EXPECT_GT(seen[kind], 10) << kind;
  }
}

/// The configurations that showed it: YaRN's rule divides every pair where even the low end lies beyond the
/// last dimension.
TEST(CorrectionRange, DividesAllWhereTheLowEndLiesBeyondTheLastDimension) {
  for (const DrawnRange& drawn : {DrawnRange{2, 64, 8192, 32, 1, true, false, 8},
                                  DrawnRange{1000, 64, 1 << 20, 32, 1, true, true, 8}}) {
    const auto spec = parsed_rope(spec_text(drawn, "yarn"));
    for (int pair = 0; pair < spec.pairs(); ++pair) {
      EXPECT_EQ(spec.frequencies().scaled()->treatment(pair), PairTreatment::divided)
          << drawn.base << ", pair " << pair;
    }
  }
}

}  // namespace
}  // namespace vernier
