// Indices, shares, digits, learned tables and growing sinusoids as people compute them, honest and with known
// faults, judged as the command judges them.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

constexpr std::size_t value_rows = 300;

Verdict judged(const std::string& spec, const Tensor& tensor, const std::string& contract) {
  Case subject{"made", "a test", parsed(spec), {}, {}, {}};
  subject.tensors.all<ExactTensor>().push_back(
      {subject.encoding->all<ExactTable>().at(0), tensor, contract_named(contract)});
  subject.positions = positions_from(0, tensor.shape().front());
  return validate(subject, "");
}

/// What an implementation gives at a position and column.
using Entry = std::function<double(std::int64_t position, std::size_t column)>;

Tensor made(Format format, std::size_t count, std::size_t columns, const Entry& entry) {
  std::vector<double> values;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      values.push_back(round_to(format, entry(static_cast<std::int64_t>(row), column)));
    }
  }
  return tensor_of(format, {count, columns}, values);
}

void expect_status(const Verdict& verdict, Status status) {
  ASSERT_EQ(verdict.checks.size(), 1U);
  EXPECT_EQ(verdict.checks.front().id, "values/encoding");
  EXPECT_EQ(verdict.checks.front().status, status) << verdict.checks.front().reason;
}

TEST(IntegerIndex, FromAnotherOriginFailsEverywhere) {
  const std::string from_one = R"({"scheme": "integer_index", "first_index": 1})";
  const auto counted = [](std::int64_t from) {
    return made(Format::binary32, value_rows, 1,
                [from](std::int64_t p, std::size_t) { return static_cast<double>(p + from); });
  };
  expect_status(judged(from_one, counted(1), "exact"), Status::pass);
  const auto verdict = judged(from_one, counted(0), "exact");
  expect_status(verdict, Status::fail);
  EXPECT_EQ(verdict.checks.front().counts.failing, value_rows);
}

/// bfloat16 has no 257: arange in bfloat16 stores 256, which is the nearest, but not the index.
TEST(IntegerIndex, BeyondItsFormatIsNearestButNotExact) {
  const auto tensor = made(Format::bfloat16, value_rows, 1,
                           [](std::int64_t p, std::size_t) { return static_cast<double>(p); });
  expect_status(judged(R"({"scheme": "integer_index"})", tensor, "float32"), Status::pass);
  const auto verdict = judged(R"({"scheme": "integer_index"})", tensor, "exact");
  expect_status(verdict, Status::fail);
  EXPECT_THAT(verdict.checks.front().counterexample,
              ::testing::Contains(std::pair<std::string, std::string>("position", "257")));
}

std::string normalised(const std::string& reading) {
  return R"({"scheme": "normalised", "length": 300, "reading": ")" + reading + "\"}";
}

/// t/(L - 1) as a quotient, and as linspace makes it, by a rounded step: off by up to 1.5 ulp, so the one is
/// correctly rounded and the other is not.
TEST(Normalised, PassesAsAQuotientAndByARoundedStep) {
  const auto quotient = made(Format::binary32, value_rows, 1, [](std::int64_t p, std::size_t) {
    return static_cast<double>(static_cast<float>(p) / static_cast<float>(value_rows - 1));
  });
  const auto step = 1.0F / static_cast<float>(value_rows - 1);
  const auto stepped = made(Format::binary32, value_rows, 1, [step](std::int64_t p, std::size_t) {
    return static_cast<double>(static_cast<float>(p) * step);
  });
  expect_status(judged(normalised("zero_to_one"), quotient, "correctly-rounded"), Status::pass);
  expect_status(judged(normalised("zero_to_one"), quotient, "float32"), Status::pass);
  expect_status(judged(normalised("zero_to_one"), stepped, "float32"), Status::pass);
  expect_status(judged(normalised("zero_to_one"), stepped, "correctly-rounded"), Status::fail);
  expect_status(judged(normalised("zero_to_below_one"), quotient, "float32"), Status::fail);
  expect_status(judged(normalised("above_zero_to_one"), quotient, "float32"), Status::fail);
}

/// Adding up a rounded step drifts out of the budget of a quotient.
TEST(Normalised, FailsWhereStepsAreAddedUp) {
  float sum = 0;
  std::vector<double> values;
  for (std::size_t row = 0; row < value_rows; ++row) {
    values.push_back(static_cast<double>(sum));
    sum += 1.0F / static_cast<float>(value_rows - 1);
  }
  expect_status(
      judged(normalised("zero_to_one"), tensor_of(Format::binary32, {value_rows, 1}, values), "float32"),
      Status::fail);
}

TEST(Binary, InTheOtherOrderFails) {
  const auto tensor = made(Format::binary16, 8, 3, [](std::int64_t p, std::size_t column) {
    return static_cast<double>((p >> (2 - column)) & 1);
  });
  expect_status(judged(R"({"scheme": "binary", "bits": 3})", tensor, "exact"), Status::pass);
  expect_status(
      judged(R"({"scheme": "binary", "bits": 3, "bit_order": "least_significant_first"})", tensor, "exact"),
      Status::fail);
}

/// A lookup gives what is stored, bit for bit: one step of the format is one too many.
TEST(Learned, LookupGivesTheStoredValuesAndNothingElse) {
  const std::string spec = R"({"scheme": "learned", "values": [[0.1, -0.2], [0.3, "1/3"]]})";
  const auto entries = [](float nudged) {
    return tensor_of(Format::binary32, {2, 2},
                     std::vector<double>{static_cast<double>(0.1F), static_cast<double>(-0.2F),
                                         static_cast<double>(0.3F), static_cast<double>(nudged)});
  };
  expect_status(judged(spec, entries(1.0F / 3), "float32"), Status::pass);
  expect_status(judged(spec, entries(std::nextafter(1.0F / 3, 1.0F)), "float32"), Status::fail);
  expect_status(judged(spec, entries(std::nanf("")), "float32"), Status::fail);
}

std::string scaled(const std::string& divisor) {
  return R"({"scheme": "scaled_sinusoid", "d_model": 16, "divisor": )" + divisor + "}";
}

/// (p/C) times the float32 sinusoid of the exp/log recipe.
double grown(std::int64_t position, std::size_t column, float divisor) {
  const auto exponent = static_cast<float>(column - column % 2) * static_cast<float>(-std::log(10000.0) / 16);
  const float phase = static_cast<float>(position) * std::exp(exponent);
  const float sine = column % 2 == 0 ? std::sin(phase) : std::cos(phase);
  return static_cast<double>(static_cast<float>(position) / divisor * sine);
}

TEST(ScaledSinusoid, PassesAsFloat32ComputesItAndFailsByAnotherDivisor) {
  const auto of_divisor = [](float divisor) {
    return made(Format::binary32, value_rows, 16,
                [divisor](std::int64_t p, std::size_t column) { return grown(p, column, divisor); });
  };
  expect_status(judged(scaled("1000"), of_divisor(1000), "float32"), Status::pass);
  expect_status(judged(scaled("1000"), of_divisor(1000), "correctly-rounded"), Status::fail);
  expect_status(judged(scaled("1000"), of_divisor(1001), "float32"), Status::fail);
}

TEST(TransformerXl, FailsWhereFarOffsetsAreNotHeldToTheClamp) {
  const std::string spec = R"({"scheme": "transformer_xl", "d_model": 16, "clamp_len": 200})";
  const auto clamped_at = [](std::int64_t last) {
    return made(Format::binary32, value_rows, 16, [last](std::int64_t p, std::size_t column) {
      const auto of_pair = column % 8 * 2 + column / 8;
      const auto offset = std::min(p, last);
      return offset == 0 ? static_cast<double>(of_pair % 2)
                         : grown(offset, of_pair, static_cast<float>(offset));
    });
  };
  expect_status(judged(spec, clamped_at(200), "float32"), Status::pass);
  expect_status(judged(spec, clamped_at(1000), "float32"), Status::fail);
}

}  // namespace
}  // namespace vernier
