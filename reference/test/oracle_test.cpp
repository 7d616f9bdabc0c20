// The independent oracle: the tables again, from their papers' formulas, in Arb's ball arithmetic. Arb shares
// no code with MPFI, MPFR's functions or Boost's wrappers (both stand on GMP's integers), and neither the
// column layouts nor the rounding here are the reference's.

#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <random>

#include <arb.h>
#include <flint/fmpq.h>
#include <gtest/gtest.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

class Fraction {
 public:
  /// \param text "p" or "p/q"
  explicit Fraction(const std::string& text) {
    fmpq_init(value_);
    EXPECT_EQ(fmpq_set_str(value_, text.c_str(), 10), 0) << text;
  }
  Fraction(const Fraction&) = delete;
  Fraction& operator=(const Fraction&) = delete;
  ~Fraction() { fmpq_clear(value_); }
  const fmpq* get() const { return value_; }
  fmpq* get() { return value_; }

 private:
  fmpq_t value_;
};

class WideBall {
 public:
  WideBall() { arb_init(value_); }
  WideBall(const WideBall&) = delete;
  WideBall& operator=(const WideBall&) = delete;
  ~WideBall() { arb_clear(value_); }
  arb_struct* get() { return value_; }

 private:
  arb_t value_;
};

class Float {
 public:
  Float() { arf_init(value_); }
  Float(const Float&) = delete;
  Float& operator=(const Float&) = delete;
  ~Float() { arf_clear(value_); }
  arf_struct* get() { return value_; }

 private:
  arf_t value_;
};

/// The oracle's own idea of the formats.
struct OracleFormat {
  Format format;
  slong precision;
  slong emin;
  double largest;
  bool has_negative_zero = true;
};
constexpr std::array oracle_formats{
    OracleFormat{Format::binary64, 53, -1022, std::numeric_limits<double>::max()},
    OracleFormat{Format::binary32, 24, -126, 0x1.fffffep127},
    OracleFormat{Format::binary16, 11, -14, 65504},
    OracleFormat{Format::bfloat16, 8, -126, 0x1.fep127},
    OracleFormat{Format::float8_e4m3fn, 4, -6, 448},
    OracleFormat{Format::float8_e5m2, 3, -14, 57344},
    OracleFormat{Format::float8_e4m3fnuz, 4, -7, 240, false},
    OracleFormat{Format::float8_e5m2fnuz, 3, -15, 57344, false},
};

/// One end of a ball in a format: fewer digits for subnormals, none at all below half the smallest.
double round_end(const OracleFormat& format, const arf_t end) {
  static thread_local Float kept;
  if (arf_is_zero(end) != 0) {
    return 0;
  }
  const slong exponent = arf_abs_bound_lt_2exp_si(end) - 1;
  const slong digits = format.precision - std::max<slong>(format.emin - exponent, 0);
  const double zero = format.has_negative_zero ? arf_sgn(end) * 0.0 : 0.0;
  if (digits < 0) {
    return zero;
  }
  if (digits == 0) {  // between half the smallest subnormal and all of it; just the half ties to zero
    arf_abs(kept.get(), end);
    const bool half = arf_cmp_2exp_si(kept.get(), exponent) == 0;
    return half ? zero : arf_sgn(end) * std::ldexp(1.0, static_cast<int>(exponent + 1));
  }
  arf_set_round(kept.get(), end, digits, ARF_RND_NEAR);
  const double value = arf_get_d(kept.get(), ARF_RND_NEAR);
  return std::fabs(value) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                           : value;
}

/// What a column holds, as the test understands the scheme: component 's' or 'c' of pair i, or '0'.
struct Meaning {
  char component;
  int pair;
};

/// What the phase of a position is besides its frequency: factor pi^k (scale p + offset).
struct Line {
  std::string factor = "1";
  int power_of_pi = 0;  ///< 0 or 1
  std::string scale = "1";
  std::string offset = "0";
};

/// One encoding as a spec says it, and what that means in the test's own words.
struct Case {
  std::string spec;
  std::size_t table;  ///< which of the encoding's tables
  std::string base;
  int exponent_denominator;  ///< the frequency of pair i is base^(-i / this)
  std::string amplitude;
  std::vector<Meaning> columns;
  Line line = {};
  std::int64_t farthest = largest_position;  ///< of the positions that are compared
};

std::vector<Meaning> interleaved(int d, char even, char odd) {
  std::vector<Meaning> columns;
  for (int c = 0; c < d; ++c) {
    columns.push_back({c % 2 == 0 ? even : odd, c / 2});
  }
  return columns;
}

std::vector<Meaning> halves(int first_count, char first, int second_count, char second) {
  std::vector<Meaning> columns;
  for (int i = 0; i < first_count; ++i) {
    columns.push_back({first, i});
  }
  for (int i = 0; i < second_count; ++i) {
    columns.push_back({second, i});
  }
  return columns;
}

std::vector<Meaning> twice_each(int pairs, char component) {
  return interleaved(2 * pairs, component, component);
}

std::vector<Case> cases() {
  auto odd_tensor2tensor = halves(7, 's', 7, 'c');
  odd_tensor2tensor.push_back({'0', 0});
  return {
      {R"({"scheme": "sinusoidal", "d_model": 64})", 0, "10000", 32, "1", interleaved(64, 's', 'c')},
      {R"({"scheme": "sinusoidal", "d_model": 512, "first_position": 2})", 0, "10000", 256, "1",
       interleaved(512, 's', 'c')},
      {R"({"scheme": "sinusoidal", "d_model": 18, "order": "cos_sin", "base": 100})", 0, "100", 9, "1",
       interleaved(18, 'c', 's')},
      {R"({"scheme": "sinusoidal", "d_model": 24, "layout": "halves", "base": 1.5})", 0, "3/2", 12, "1",
       halves(12, 's', 12, 'c')},
      {R"({"scheme": "sinusoidal", "d_model": 20, "layout": "halves", "order": "cos_sin", "scale": 0.1})", 0,
       "10000", 10, "1/10", halves(10, 'c', 10, 's')},
      {R"({"scheme": "sinusoidal", "d_model": 32, "layout": "halves", "frequency": "tensor2tensor", "scale": 22.5})",
       0, "10000", 15, "45/2", halves(16, 's', 16, 'c')},
      {R"({"scheme": "sinusoidal", "d_model": 15, "layout": "halves", "frequency": "tensor2tensor"})", 0,
       "10000", 6, "1", odd_tensor2tensor},
      {R"({"scheme": "sinusoidal", "d_model": 4, "frequency": "tensor2tensor"})", 0, "10000", 1, "1",
       interleaved(4, 's', 'c')},
      {R"({"scheme": "rope", "head_dim": 128})", 0, "10000", 64, "1", halves(64, 'c', 0, ' ')},
      {R"({"scheme": "rope", "head_dim": 128, "rope_theta": 500000})", 2, "500000", 64, "1",
       halves(64, 's', 0, ' ')},
      {R"({"scheme": "rope", "head_dim": 96, "rope_theta": 1e6})", 1, "1000000", 48, "1",
       halves(48, 'c', 48, 'c')},
      {R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000.5, "layout": "interleaved"})", 3, "20001/2",
       32, "1", twice_each(32, 's')},
      {R"({"scheme": "rope", "head_dim": 80, "partial_rotary_factor": 0.4})", 3, "10000", 16, "1",
       halves(16, 's', 16, 's')},
      {R"({"scheme": "rope", "head_dim": 256, "partial_rotary_factor": 0.25, "rope_theta": 1e30})", 1,
       "1" + std::string(30, '0'), 32, "1", halves(32, 'c', 32, 'c')},
  };
}

/// Real positions. Diffusion models' timesteps; DINOv3's normalised coordinates; Deformable DETR's; positions
/// that are stored in binary; a list of frequencies is one of power 0.
std::vector<Case> real_cases() {
  constexpr std::int64_t some = std::int64_t{1} << 20;
  return {
      {R"({"scheme": "sinusoidal", "d_model": 320, "layout": "halves", "order": "cos_sin", "downscale_freq_shift": 0})",
       0, "10000", 160, "1", halves(160, 'c', 160, 's')},
      {R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves", "downscale_freq_shift": 1, "position_scale": 1000})",
       0,
       "10000",
       31,
       "1",
       halves(32, 's', 32, 'c'),
       {.scale = "1000"},
       some},
      {R"({"scheme": "sinusoidal", "d_model": 256, "layout": "halves", "order": "cos_sin", "downscale_freq_shift": 0, "position_unit": "1/16777216", "position_scale": 1000})",
       0,
       "10000",
       128,
       "1",
       halves(128, 'c', 128, 's'),
       {.scale = "1000/16777216"}},
      {R"({"scheme": "rope", "head_dim": 32, "rope_theta": 100, "position_scale": "1/7", "position_offset": "-13/14", "frequency_scale": "2pi"})",
       0,
       "100",
       16,
       "1",
       halves(16, 'c', 0, ' '),
       {"2", 1, "1/7", "-13/14"},
       some},
      {R"({"scheme": "rope", "head_dim": 64, "position_scale": 0.75, "position_offset": 1e6})",
       2,
       "10000",
       32,
       "1",
       halves(32, 's', 0, ' '),
       {.scale = "3/4", .offset = "1000000"}},
      {R"({"scheme": "sinusoidal", "d_model": 128, "position_scale": "2pi/33", "position_offset": "-pi/33"})",
       0,
       "10000",
       64,
       "1",
       interleaved(128, 's', 'c'),
       {"1", 1, "2/33", "-1/33"},
       some},
      {R"({"scheme": "frequency_family", "d_model": 8, "base": 16, "frequency_scale": "pi/2"})",
       0,
       "16",
       4,
       "1",
       interleaved(8, 's', 'c'),
       {.factor = "1/2", .power_of_pi = 1},
       some},
  };
}

/// The sines and cosines of one case in Arb, one position after another.
class Oracle {
 public:
  explicit Oracle(const Case& definition)
      : case_(definition),
        base_(definition.base),
        amplitude_(definition.amplitude),
        factor_(definition.line.factor),
        scale_(definition.line.scale),
        offset_(definition.line.offset) {}

  /// The entry rounded to every format; at a higher precision wherever the ball does not decide.
  std::array<double, oracle_formats.size()> entry(std::int64_t position, Meaning column) {
    std::array<double, oracle_formats.size()> result{};
    if (column.component == '0') {
      return result;
    }
    bool decided = false;
    for (slong bits = 128; !decided && bits <= 8192; bits *= 2) {
      auto& pair = values(position, column.pair, bits);
      auto* value = column.component == 's' ? pair.sine.get() : pair.cosine.get();
      arb_get_interval_arf(low_.get(), high_.get(), value, bits + 64);
      decided = true;
      for (std::size_t f = 0; f < oracle_formats.size(); ++f) {
        result[f] = round_end(oracle_formats[f], low_.get());
        const double other = round_end(oracle_formats[f], high_.get());
        decided = decided && result[f] == other && std::signbit(result[f]) == std::signbit(other);
      }
      if (!decided && bits == 8192 && is_zero(value)) {
        return {};
      }
    }
    EXPECT_TRUE(decided) << case_.spec << ", position " << position << ", pair " << column.pair;
    return result;
  }

 private:
  struct Pair {
    std::int64_t position = std::numeric_limits<std::int64_t>::min();
    WideBall sine;
    WideBall cosine;
  };

  /// Whether a ball that shrank to 2^-4000 still holds zero: a phase was a multiple of a quarter turn.
  static bool is_zero(const arb_struct* value) {
    return arb_contains_zero(value) != 0 && mag_cmp_2exp_si(arb_radref(value), -4000) < 0;
  }

  Pair& values(std::int64_t position, int pair, slong bits) {
    auto& result = pairs_[{bits, pair}];
    if (result.position != position) {
      result.position = position;
      set_real(phase_, position, bits + 64);
      arb_mul(phase_.get(), phase_.get(), frequency(pair, bits).get(), bits + 32);
      arb_sin_cos(result.sine.get(), result.cosine.get(), phase_.get(), bits);
      scale(result.sine, bits);
      scale(result.cosine, bits);
    }
    return result;
  }

  /// factor pi^k (scale p + offset)
  void set_real(WideBall& out, std::int64_t position, slong bits) {
    Fraction exact("0");
    auto* x = exact.get();
    fmpq_set_si(x, position, 1);
    fmpq_mul(x, x, scale_.get());
    fmpq_add(x, x, offset_.get());
    fmpq_mul(x, x, factor_.get());
    arb_set_fmpq(out.get(), x, bits);
    if (case_.line.power_of_pi == 1) {
      WideBall pi;
      arb_const_pi(pi.get(), bits);
      arb_mul(out.get(), out.get(), pi.get(), bits);
    }
  }

  void scale(WideBall& ball, slong bits) const {
    if (fmpq_is_one(amplitude_.get()) == 0) {
      arb_mul_fmpz(ball.get(), ball.get(), fmpq_numref(amplitude_.get()), bits);
      arb_div_fmpz(ball.get(), ball.get(), fmpq_denref(amplitude_.get()), bits);
    }
  }

  /// base^(-i/n) as the i-th power of a root, with 64 bits to spare for large positions.
  WideBall& frequency(int pair, slong bits) {
    const auto [entry, is_new] = frequencies_.try_emplace({bits, pair});
    if (is_new) {
      auto* w = entry->second.get();
      arb_set_fmpq(w, base_.get(), bits + 64);
      arb_root_ui(w, w, static_cast<ulong>(case_.exponent_denominator), bits + 64);
      arb_pow_ui(w, w, static_cast<ulong>(pair), bits + 64);
      arb_inv(w, w, bits + 64);
    }
    return entry->second;
  }

  const Case& case_;
  Fraction base_;
  Fraction amplitude_;
  Fraction factor_;
  Fraction scale_;
  Fraction offset_;
  std::map<std::pair<slong, int>, WideBall> frequencies_;
  std::map<std::pair<slong, int>, Pair> pairs_;
  WideBall phase_;
  Float low_;
  Float high_;
};

/// Starts of the runs of positions that are compared: around zero, both ends of the range, and random ones of
/// every size.
std::vector<std::int64_t> starts(std::int64_t run, std::int64_t farthest) {
  std::mt19937_64 engine(test_seed());
  std::vector<std::int64_t> result{-run / 2, run / 2, -farthest, farthest - run + 1};
  for (int bits = 10; std::int64_t{1} << bits <= farthest; bits += 3) {
    const auto magnitude =
        std::uniform_int_distribution<std::int64_t>(run, (std::int64_t{1} << bits) - run)(engine);
    result.push_back(engine() % 2 == 0 ? magnitude : -magnitude);
  }
  return result;
}

struct OracleTally {
  std::size_t entries = 0;
  std::size_t disagreements = 0;
};

void compare_row(const Case& which, CertifiedTable& table, Oracle& oracle, std::int64_t position,
                 OracleTally& tally) {
  static thread_local std::vector<Enclosure> row;
  row.resize(table.columns());
  table.row(table.table().positions.place(position), row);
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto theirs = oracle.entry(position, which.columns[c]);
    for (std::size_t f = 0; f < theirs.size(); ++f) {
      const auto ours =
          table.rounded_entry(oracle_formats[f].format, table.table().positions.place(position), c, row[c]);
      const bool agree = ours && *ours == theirs[f] && std::signbit(*ours) == std::signbit(theirs[f]);
      tally.disagreements += agree ? 0 : 1;
      EXPECT_TRUE(agree || tally.disagreements > 10)
          << which.spec << ", position " << position << ", column " << c << ", "
          << traits(oracle_formats[f].format).name << ": ours "
          << ours.value_or(std::numeric_limits<double>::quiet_NaN()) << ", Arb's " << theirs[f];
    }
    ++tally.entries;
  }
}

/// Every entry, correctly rounded in every format, equals that of Arb.
void compare_all(const std::vector<Case>& all, std::size_t least_entries) {
  constexpr std::int64_t run = 100;
  OracleTally tally;
  std::map<std::string, std::size_t> by_scheme;
  for (const auto& which : all) {
    const auto encoding = parsed(which.spec);
    const auto before = tally.entries;
    CertifiedTable table(encoding->plain_tables().at(which.table), run);
    ASSERT_EQ(table.columns(), which.columns.size()) << which.spec;
    Oracle oracle(which);
    for (const auto start : starts(run, which.farthest)) {
      for (std::int64_t position = start; position < start + run; ++position) {
        compare_row(which, table, oracle, position, tally);
      }
    }
    by_scheme[std::string(encoding->scheme())] += tally.entries - before;
  }
  for (const auto& [scheme, entries] : by_scheme) {
    for (const auto& one : oracle_formats) {
      std::cout << entries << " entries of " << scheme << " in " << traits(one.format).name << " compared\n";
    }
  }
  testing::Test::RecordProperty("entries", std::to_string(tally.entries));
  testing::Test::RecordProperty("disagreements", std::to_string(tally.disagreements));
  std::cout << tally.entries << " entries, each in " << oracle_formats.size()
            << " formats, compared with Arb: " << tally.disagreements << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0);
  EXPECT_GE(tally.entries, least_entries);
  flint_cleanup();
}

TEST(Oracle, CorrectlyRoundedEntriesEqualArbs) {
  compare_all(cases(), 1000000);
}

TEST(Oracle, EntriesAtRealPositionsEqualArbs) {
  compare_all(real_cases(), 800000);
}

}  // namespace
}  // namespace vernier
