// Implementations that are asked for what is not RoPE of one position: xPos, tokens of several positions,
// biases of several queries. Honest ones conform, and each of those with a known fault fails where it shows.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/xpos_code.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// The values of a tensor that is wanted; none if it is not done.
using TensorAnswer = std::function<std::optional<std::vector<double>>(const Request&, const WantedTensor&)>;

class TensorFake final : public LiveImplementation {
 public:
  explicit TensorFake(TensorAnswer answer) : answer_(std::move(answer)) {}

  std::string description() const override { return "a fake"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override {
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto values = answer_(request, wanted);
      if (!values) {
        return {ResponseStatus::unsupported, "not done"};
      }
      response.tensors.emplace(wanted.role, tensor_of(Format::binary32, wanted.shape, *values));
    }
    return response;
  }

 private:
  TensorAnswer answer_;
};

/// \param positions that are asked for; nothing: all
Verdict judge(const std::string& spec, const TensorAnswer& answer,
              const std::optional<PositionRange>& positions = std::nullopt, bool bitwise = false) {
  TensorFake fake(answer);
  return validate_live(fake, parsed(spec),
                       {.name = "fake",
                        .source = "spec",
                        .questions = {.positions = positions},
                        .cases = 2,
                        .bitwise = bitwise});
}

/// The same answers, of which every other one to the same question is off by a factor.
TensorAnswer alternately_off(const TensorAnswer& answer, double factor) {
  using Key = std::pair<std::vector<std::int64_t>, Shape>;
  return [=, times = std::map<Key, int>()](const Request& request, const WantedTensor& wanted) mutable {
    auto values = answer(request, wanted);
    const bool is_off = times[{integers_of(request.positions), wanted.shape}]++ % 2 == 1;
    for (auto value = 0U; values && value < values->size(); ++value) {
      (*values)[value] = round_to(Format::binary32, (*values)[value] * (is_off ? factor : 1));
    }
    return values;
  };
}

/// The checks of tensors that fail.
std::vector<std::string> failing(const Verdict& verdict) {
  return ids(verdict.checks, Status::fail);
}

std::vector<std::int64_t> positions_of(const Request& request) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < request.positions.elements(); ++i) {
    result.push_back(*request.positions.integer(i));
  }
  return result;
}

std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> result(tensor.elements());
  tensor.numbers(0, result);
  return result;
}

// xPos
// --------------------------------------------------------------------------------------------------------

Verdict judge_xpos(const XposCode& code, const std::string& spec = "") {
  return judge(spec.empty() ? code.spec() : spec, [&](const Request& request, const WantedTensor& wanted) {
    if (request.input) {
      // Batches and heads come one after another, each with all positions.
      const auto positions = positions_of(request);
      std::vector<std::int64_t> of_rows;
      for (std::size_t row = 0; row < request.input->elements() / request.input->shape().back(); ++row) {
        of_rows.push_back(positions[row % positions.size()]);
      }
      return std::optional(code.rotated(numbers(*request.input), of_rows, wanted.role == "rotated_k"));
    }
    return wanted.shape.back() == static_cast<std::size_t>(code.pairs())
               ? std::optional(code.table(wanted.role, positions_of(request)))
               : std::nullopt;
  });
}

TEST(XposLive, HonestCodesConform) {
  for (const auto* style : {"torchscale", "x_transformers", "flash_attn"}) {
    const auto verdict = judge_xpos({.style = style, .length = 301});
    EXPECT_EQ(exit_code(verdict), 0) << style;
    EXPECT_EQ(verdict.greatest_position, 300) << "the scale is that of one length";
    for (const auto* id :
         {"scaled/cos", "scaled/sin", "scaled/cos_k", "scaled/sin_k", "scaled/scale", "accuracy/rotated",
          "accuracy/rotated_k", "norm/rotated", "norm/rotated_k", "finite/rotated_k", "use/order"}) {
      EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass) << id;
    }
    EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").status, Status::skipped);
    EXPECT_THAT(verdict.diagnosis, IsEmpty());
  }
}

TEST(XposLive, KeysThatAreScaledLikeQueriesFail) {
  const auto verdict = judge_xpos({.style = "torchscale", .length = 301, .keys_like_queries = true});
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(failing(verdict),
              UnorderedElementsAre("scaled/cos_k", "scaled/sin_k", "accuracy/rotated_k", "norm/rotated_k",
                                   "property/xpos/offset-only", "property/xpos/constant-norm",
                                   "property/xpos/keys-undo-queries"));
}

TEST(XposLive, AnotherCentreFails) {
  const auto verdict = judge_xpos({.style = "torchscale", .length = 301},
                                  XposCode{.style = "x_transformers", .length = 301}.spec());
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_EQ(check_named(verdict.checks, "scaled/scale").status, Status::fail);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::fail);
}

// Several positions
// -------------------------------------------------------------------------------------------

struct AxisTurn {
  std::size_t stream;
  double exponent;
};

/// Half layout, in double, rounded once.
TensorAnswer turning(const std::function<AxisTurn(int pair)>& turn_of) {
  return [=](const Request& request, const WantedTensor& wanted) -> std::optional<std::vector<double>> {
    if (!request.input) {
      return std::nullopt;
    }
    const auto rows = rows_of(request);
    const auto width = wanted.shape.back();
    const auto pairs = width / 2;
    const auto positions = positions_of(request);
    const auto x = numbers(*request.input);
    std::vector<double> y(x.size());
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const auto turn = turn_of(static_cast<int>(pair));
        const double phase =
            static_cast<double>(positions[turn.stream * rows + row]) * std::pow(10000.0, -turn.exponent);
        const auto a = row * width + pair;
        const auto b = a + pairs;
        y[a] = round_to(Format::binary32, x[a] * std::cos(phase) - x[b] * std::sin(phase));
        y[b] = round_to(Format::binary32, x[a] * std::sin(phase) + x[b] * std::cos(phase));
      }
    }
    return y;
  };
}

Verdict judge_turns(const std::string& spec, const std::function<AxisTurn(int pair)>& turn_of) {
  return judge(spec, turning(turn_of));
}

constexpr auto mrope_spec = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 300,
    "rope_scaling": {"rope_type": "default", "mrope_section": [2, 3, 3]}})";
constexpr auto pixtral_spec = R"({"scheme": "axial_rope", "head_dim": 16, "grid_width": 37})";

AxisTurn by_section(int pair) {
  return {pair < 2 ? 0U : pair < 5 ? 1U : 2U, pair / 8.0};
}

AxisTurn by_axis(int pair) {
  return pair < 4 ? AxisTurn{0, 2 * pair / 8.0} : AxisTurn{1, (2 * (pair - 4) + 1) / 8.0};
}

TEST(StreamsLive, HonestRotationsConform) {
  for (const auto& verdict : {judge_turns(mrope_spec, by_section), judge_turns(pixtral_spec, by_axis)}) {
    EXPECT_EQ(exit_code(verdict), 0);
    for (const auto* id : {"implementation/answers/rotated", "accuracy/rotated", "norm/rotated"}) {
      EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass) << id;
    }
    EXPECT_THAT(verdict.diagnosis, IsEmpty());
  }
}

TEST(StreamsLive, AxesInAnotherOrderFail) {
  const auto exchanged = judge_turns(mrope_spec, [](int pair) {
    auto turn = by_section(pair);
    turn.stream = turn.stream == 0 ? 0 : 3 - turn.stream;
    return turn;
  });
  EXPECT_THAT(failing(exchanged), UnorderedElementsAre("accuracy/rotated", "property/rope/offset-only",
                                                       "property/rope/own-position"));
  EXPECT_THAT(
      check_named(exchanged.checks, "accuracy/rotated").counterexample,
      ::testing::Contains(std::pair<std::string, std::string>("turns by", "the position along axis 1")));
  const auto columns_first = judge_turns(pixtral_spec, [](int pair) {
    auto turn = by_axis(pair);
    turn.stream = 1 - turn.stream;
    return turn;
  });
  EXPECT_THAT(failing(columns_first),
              UnorderedElementsAre("accuracy/rotated", "property/axial_rope/offset-only",
                                   "property/axial_rope/own-position"));
}

TEST(StreamsLive, TextsPositionForEveryPairFails) {
  EXPECT_THAT(
      failing(judge_turns(mrope_spec,
                          [](int pair) {
                            return AxisTurn{0, pair / 8.0};
                          })),
      UnorderedElementsAre("accuracy/rotated", "property/rope/offset-only", "property/rope/own-position"));
}

// Transformer-XL
// ----------------------------------------------------------------------------------------------

constexpr auto transformer_xl_spec = R"({"scheme": "transformer_xl", "d_model": 8})";
constexpr auto clamped_spec = R"({"scheme": "transformer_xl", "d_model": 8, "clamp_len": 50})";

/// Sines, then cosines, of offsets.
std::vector<double> offset_rows(const std::vector<std::int64_t>& offsets, bool sines_first = true) {
  std::vector<double> values;
  for (const auto offset : offsets) {
    for (int column = 0; column < 8; ++column) {
      const double phase = static_cast<double>(offset) * std::pow(10000.0, -(column % 4) / 4.0);
      const bool is_sine = (column < 4) == sines_first;
      values.push_back(round_to(Format::binary32, is_sine ? std::sin(phase) : std::cos(phase)));
    }
  }
  return values;
}

TEST(TransformerXl, RowsAreJudgedLive) {
  const auto verdict_of = [](const char* spec, std::int64_t clamp, bool sines_first) {
    return judge(
        spec,
        [&](const Request& request, const WantedTensor&) {
          auto offsets = positions_of(request);
          for (auto& offset : offsets) {
            offset = std::min(offset, clamp);
          }
          return std::optional(offset_rows(offsets, sines_first));
        },
        PositionRange{0, 1, 4096});
  };
  EXPECT_EQ(exit_code(verdict_of(transformer_xl_spec, largest_position, true)), 0);
  EXPECT_EQ(exit_code(verdict_of(clamped_spec, 50, true)), 0);
  EXPECT_EQ(exit_code(verdict_of(transformer_xl_spec, largest_position, false)), 1);
  const auto ignored = verdict_of(clamped_spec, largest_position, true);
  EXPECT_EQ(check_named(ignored.checks, "values/encoding").status, Status::fail);
}

TEST(TransformerXl, NegativeOffsetsHaveRowsOfTheirOwn) {
  for (const auto* spec : {transformer_xl_spec, clamped_spec}) {
    const auto verdict = judge(spec, [&](const Request& request, const WantedTensor&) {
      auto offsets = positions_of(request);
      for (auto& offset : offsets) {
        offset = std::min<std::int64_t>(std::abs(offset), spec == clamped_spec ? 50 : largest_position);
      }
      return std::optional(offset_rows(offsets));
    });
    EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").reason,
              "position -1 got the row of position 1 (encoding)");
  }
}

/// Without positions, rows descend to the offset 0.
TEST(TransformerXl, RowsAreJudgedFromFiles) {
  const auto exit_code_of = [](const char* spec, bool descend) {
    auto offsets = positions_from(0, 40);
    if (descend) {
      std::ranges::reverse(offsets);
    }
    const CaseInput parts{"a test",
                          "made",
                          "",
                          {{"encoding", {"x", tensor_of(Format::binary32, {40, 8}, offset_rows(offsets))}}},
                          std::nullopt};
    return exit_code(validate(assemble_case(parts, parsed(spec)), ""));
  };
  for (const auto* spec : {transformer_xl_spec, clamped_spec}) {
    EXPECT_EQ(exit_code_of(spec, true), 0);
    EXPECT_EQ(exit_code_of(spec, false), 1);
  }
}

// Biases of several queries
// --------------------------------------------------------------------------------------------------------

constexpr auto distance_alibi = R"({"scheme": "alibi", "num_heads": 4, "bias": "distance"})";
/// Its slopes are no powers of two: biases are rounded.
constexpr auto finer_distance = R"({"scheme": "alibi", "num_heads": 16, "bias": "distance"})";

/// \param query_of the query whose biases a query is given
TensorAnswer biasing(bool by_queries, bool by_last_query,
                     const std::function<std::size_t(std::size_t query, std::size_t queries)>& query_of,
                     int heads = 4) {
  return [=](const Request& request, const WantedTensor& wanted) -> std::optional<std::vector<double>> {
    const auto keys = positions_of(request);
    const bool has_queries = wanted.shape.size() == 3;
    if (wanted.role == "slopes" || (has_queries ? !by_queries : !by_last_query)) {
      return std::nullopt;
    }
    const auto queries = has_queries ? wanted.shape[1] : 1;
    std::vector<double> values;
    for (int head = 0; head < heads; ++head) {
      const double slope = std::exp2(-8.0 / heads * (head + 1));
      for (std::size_t query = 0; query < queries; ++query) {
        for (const auto key : keys) {
          const auto at = keys[keys.size() - queries + query_of(query, queries)];
          values.push_back(-slope * static_cast<double>(std::abs(at - key)));
        }
      }
    }
    return values;
  };
}

Verdict judge_alibi(bool by_queries, bool by_last_query,
                    const std::function<std::size_t(std::size_t query, std::size_t queries)>& query_of) {
  return judge(distance_alibi, biasing(by_queries, by_last_query, query_of));
}

std::size_t itself(std::size_t query, std::size_t) {
  return query;
}

TEST(QueriesLive, HonestBiasesConform) {
  const auto verdict = judge_alibi(true, true, itself);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/bias/queries").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/bias").status, Status::pass);
}

/// An engine may take another path for another shape: the rule of tables holds for biases, and below for rows
/// of several positions.
void expect_other_bits_are_judged(const std::string& spec, const TensorAnswer& answer, double ulp) {
  const PositionRange few{0, 1, 200};
  const auto within = judge(spec, alternately_off(answer, 1 + ulp), few);
  EXPECT_EQ(exit_code(within), 0) << render_text(within);
  EXPECT_THAT(check_named(within.checks, "effects/determinism").reason,
              HasSubstr("bits differ from call to call"));
  const auto& used = check_named(within.checks, "effects/determinism").greatest_budget_ratio;
  EXPECT_GT(used.value_or(0), 0);
  EXPECT_LE(used.value_or(2), 1);
  const auto strict = judge(spec, alternately_off(answer, 1 + ulp), few, true);
  EXPECT_EQ(check_named(strict.checks, "effects/determinism").status, Status::fail);
  const auto beyond = judge(spec, alternately_off(answer, 1 + 0x1p-12), few);
  const auto& wrong = check_named(beyond.checks, "effects/determinism");
  EXPECT_EQ(wrong.status, Status::fail);
  EXPECT_THAT(wrong.reason, HasSubstr("times its budget"));
}

TEST(QueriesLive, OtherBitsWithinTheBudgetAreHonest) {
  expect_other_bits_are_judged(finer_distance, biasing(true, true, itself, 16), 0x1p-25);
}

TEST(StreamsLive, OtherBitsWithinTheBudgetAreHonest) {
  expect_other_bits_are_judged(mrope_spec, turning(by_section), 0x1p-23);
  expect_other_bits_are_judged(pixtral_spec, turning(by_axis), 0x1p-23);
}

TEST(QueriesLive, TheLastQuerysBiasesForAllFail) {
  const auto verdict = judge_alibi(true, true, [](std::size_t, std::size_t queries) { return queries - 1; });
  EXPECT_THAT(failing(verdict), UnorderedElementsAre("accuracy/bias/queries", "property/alibi/offset-only"));
  EXPECT_EQ(exit_code(verdict), 1);
  const auto reversed =
      judge_alibi(true, true, [](std::size_t query, std::size_t queries) { return queries - 1 - query; });
  EXPECT_THAT(failing(reversed), UnorderedElementsAre("accuracy/bias/queries", "property/alibi/offset-only"));
}

TEST(QueriesLive, AreSkippedByWhoHasThemNotAndJudgedOfWhoHasNothingElse) {
  const auto without = judge_alibi(false, true, itself);
  EXPECT_EQ(exit_code(without), 0);
  EXPECT_EQ(check_named(without.checks, "accuracy/bias/queries").status, Status::skipped);
  EXPECT_THAT(check_named(without.checks, "accuracy/bias/queries").reason, HasSubstr("were not given"));
  const auto alone = judge_alibi(true, false, itself);
  EXPECT_EQ(exit_code(alone), 0);
  EXPECT_EQ(check_named(alone.checks, "accuracy/bias/queries").status, Status::pass);
  EXPECT_EQ(exit_code(judge_alibi(true, false, [](std::size_t, std::size_t) { return 0; })), 1);
}

}  // namespace
}  // namespace vernier
