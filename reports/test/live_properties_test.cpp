// Laws tried on live implementations that live in this process: honest ones, every broken one, and some that
// do not answer. Requests are counted.

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/live_subjects.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "props/broken/broken.hpp"
#include "props/laws/law.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/parsed.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/checks/laws.hpp"

namespace vernier {
namespace {

using testing::HasSubstr;

/// What a request is answered with, row by row.
using RowAnswer = std::function<void(const std::string& role, std::int64_t position,
                                     std::span<const double> input, std::span<double> out)>;

class InProcess final : public LiveImplementation {
 public:
  InProcess(RowAnswer answer, bool costs_a_process)
      : answer_(std::move(answer)), costs_a_process_(costs_a_process) {}

  std::string description() const override { return "a test's"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return costs_a_process_; }

  Response ask(const Request& request) override {
    ++requests;
    if (respond) {
      if (auto response = respond(request)) {
        return *response;
      }
    }
    Response response;
    for (const auto& wanted : request.wanted) {
      response.tensors.emplace(wanted.role, tensor(wanted, request));
    }
    return response;
  }

  int requests = 0;
  /// What to respond instead of an answer, if that is not nothing.
  std::function<std::optional<Response>(const Request&)> respond = {};

 private:
  Tensor tensor(const WantedTensor& wanted, const Request& request) const {
    const auto rows = wanted.shape.front();
    const auto width = wanted.shape.back();
    std::vector<double> values(rows * width);
    std::vector<double> input(request.input ? request.input->elements() : 0);
    if (request.input) {
      request.input->numbers(0, input);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const auto inputs = input.size() / rows;
      answer_(wanted.role, *request.positions.integer(row), std::span(input).subspan(row * inputs, inputs),
              std::span(values).subspan(row * width, width));
    }
    return tensor_of(*traits(wanted.type).format, wanted.shape, values);
  }

  RowAnswer answer_;
  bool costs_a_process_;
};

RowAnswer answering(const std::shared_ptr<const TableUnderTest>& table) {
  return [table](const std::string&, std::int64_t position, std::span<const double>, std::span<double> out) {
    table->row(position, out);
  };
}

RowAnswer answering(const std::shared_ptr<const RotationUnderTest>& rotation) {
  return [rotation](const std::string&, std::int64_t position, std::span<const double> input,
                    std::span<double> out) { rotation->rotate(position, input, out); };
}

RowAnswer honest(const SinusoidalSpec& spec, Format stored = Format::binary32) {
  return answering(std::make_shared<RecipeTable>(recipe_named("float32-pow"), spec.table(), stored));
}

RowAnswer honest(const RopeSpec& spec, Format stored = Format::binary32) {
  return answering(std::make_shared<RecipeRotation>(recipe_named("float32-pow"), spec, stored));
}

void expect_all(Status status, const std::vector<Check>& checks) {
  for (const auto& check : checks) {
    EXPECT_EQ(check.status, status) << check.id << ": " << check.reason;
  }
}

const SinusoidalSpec small_sinusoid{.d_model = 10};
const RopeSpec partial_rope{.head_dim = 8, .partial_rotary_factor = Rational(1, 2)};
const LivePropertyOptions far_options{.cases = 30, .lowest_position = -65536, .highest_position = 65536};
/// As many cases as the command draws: the absolute value of t for t repeats rows where k = -2t, one case
/// of 40.
const LivePropertyOptions in_full{.lowest_position = -65536, .highest_position = 65536};

template <class Parameters>
void expect_laws_hold(const Parameters& spec, const Encoding& encoding, std::size_t laws, int most_requests) {
  for (const auto stored : {Format::binary32, Format::bfloat16}) {
    InProcess implementation(honest(spec, stored), true);
    const auto checks = live_property_checks(implementation, encoding, element_type_of(stored), far_options);
    EXPECT_EQ(checks.size(), laws);
    expect_all(Status::pass, checks);
    EXPECT_LE(implementation.requests, most_requests);
  }
}

TEST(LiveProperties, HoldForAnHonestTableInTwoRequests) {
  expect_laws_hold(small_sinusoid, SinusoidalEncoding(small_sinusoid), 8, 2);
}

TEST(LiveProperties, HoldForAnHonestRotationInThreeRequests) {
  expect_laws_hold(partial_rope, RopeEncoding(partial_rope), 5, 3);
}

TEST(LiveProperties, HoldForEveryOrderOfOperations) {
  for (const auto& recipe : every_recipe().subspan(recipes().size())) {
    InProcess implementation(
        answering(std::make_shared<RecipeRotation>(recipe, partial_rope, recipe.compute())), true);
    auto options = far_options;
    options.contract = contract_named(recipe.contract);
    for (const auto& check : live_property_checks(implementation, RopeEncoding(partial_rope),
                                                  element_type_of(recipe.compute()), options)) {
      EXPECT_EQ(check.status, Status::pass) << recipe.id << ", " << check.id << ": " << check.reason;
    }
  }
}

TEST(LiveProperties, HoldForScaledRotationsWithAnAmplitude) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 8, "layout": "interleaved",
      "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096}})");
  const auto& spec = dynamic_cast<const RopeEncoding&>(*encoding).parameters();
  ASSERT_FALSE(spec.amplitude().is_one());
  InProcess implementation(honest(spec), true);
  for (const auto& check :
       live_property_checks(implementation, *encoding, ElementType::float32, far_options)) {
    EXPECT_EQ(check.status, check.id == "law/rope/pass-through" ? Status::skipped : Status::pass)
        << check.id << ": " << check.reason;
  }
  auto unscaled = spec;
  unscaled.scaling = Unscaled{};
  InProcess other(honest(unscaled), true);
  const auto checks = live_property_checks(other, *encoding, ElementType::float32, far_options);
  EXPECT_EQ(check_named(checks, "law/rope/constant-norm").status, Status::fail)
      << "the amplitude is left out";
}

TEST(LiveProperties, HoldForFrequenciesThatAreNoPowersOfABase) {
  const auto sinusoid = [](const std::string& frequency) {
    return parsed(
        R"({"scheme": "sinusoidal", "d_model": 10, "first": "pi/2", "last": "64pi", "frequency": ")" +
        frequency + "\"}");
  };
  const auto checks_of = [&](const std::string& asked, const std::string& answered) {
    const auto table = dynamic_cast<const SinusoidalEncoding&>(*sinusoid(answered)).parameters().table();
    InProcess implementation(answering(honest_table(table, Format::binary32)), true);
    return live_property_checks(implementation, *sinusoid(asked), ElementType::float32, far_options);
  };
  for (const auto* frequency : {"geometric", "linear"}) {
    expect_all(Status::pass, checks_of(frequency, frequency));
  }
  EXPECT_EQ(check_named(checks_of("geometric", "linear"), "law/sinusoidal/accuracy").status, Status::fail);
}

/// Every broken implementation fails the laws that are there to catch it, asked in this way too.
void expect_caught(const Broken& broken, const RowAnswer& answer, const Encoding& encoding,
                   bool costs_a_process) {
  InProcess implementation(answer, costs_a_process);
  const auto checks = live_property_checks(implementation, encoding, ElementType::float32, in_full);
  for (const auto law : broken.caught_by) {
    const auto& check = check_named(checks, "law/" + std::string(law));
    EXPECT_EQ(check.status, Status::fail) << broken.id << ": " << check.id << ": " << check.reason;
    EXPECT_FALSE(check.counterexample.empty()) << broken.id;
  }
  if (costs_a_process) {
    EXPECT_LE(implementation.requests, 12) << broken.id;
  }
}

TEST(LiveProperties, CatchEveryBrokenTable) {
  for (const auto& broken : broken_implementations()) {
    if (broken.target.table) {
      for (const bool costs_a_process : {true, false}) {
        // What a bad reduction does to one pair is less than the budgets of several together.
        const auto spec =
            broken.id == "one-constant-reduction" ? SinusoidalSpec{.d_model = 2} : small_sinusoid;
        expect_caught(broken, answering(std::shared_ptr<const TableUnderTest>(broken.target.table(spec))),
                      SinusoidalEncoding(spec), costs_a_process);
      }
    }
  }
}

TEST(LiveProperties, CatchEveryBrokenRotation) {
  for (const auto& broken : broken_implementations()) {
    if (broken.target.rotation && !broken.target.key_rotation && !broken.target.gradient &&
        !broken.target.inverse) {
      for (const bool costs_a_process : {true, false}) {
        expect_caught(
            broken, answering(std::shared_ptr<const RotationUnderTest>(broken.target.rotation(partial_rope))),
            RopeEncoding(partial_rope), costs_a_process);
      }
    }
  }
}

TEST(LiveProperties, ShrinkAgainstTheImplementation) {
  const auto wraps = [](const std::string&, std::int64_t position, std::span<const double>,
                        std::span<double> out) {
    RecipeTable(recipe_named("float32-pow"), small_sinusoid.table(), Format::binary32)
        .row(position >= 5000 ? position - 5000 : position, out);
  };
  for (const bool costs_a_process : {true, false}) {
    InProcess implementation(wraps, costs_a_process);
    const auto checks = live_property_checks(implementation, SinusoidalEncoding(small_sinusoid),
                                             ElementType::float32, {.cases = 30, .highest_position = 65536});
    const auto& check = check_named(checks, "law/sinusoidal/accuracy");
    ASSERT_EQ(check.status, Status::fail);
    EXPECT_EQ(check.counterexample.front(), (std::pair<std::string, std::string>("t", "5000")))
        << check.reason;
    EXPECT_EQ(check.counterexample.back().first, "seed");
  }
}

TEST(LiveProperties, TurnByTheTablesWhereRotationIsNotSupported) {
  const auto tables = [](const std::string& role, std::int64_t position, std::span<const double>,
                         std::span<double> out) {
    const auto component = role == "cos" ? Component::cosine : Component::sine;
    RecipeTable(recipe_named("float32-pow"), partial_rope.table(component), Format::binary32)
        .row(position, out);
  };
  InProcess implementation(tables, true);
  implementation.respond = [](const Request& request) -> std::optional<Response> {
    return request.input ? std::optional(Response{ResponseStatus::unsupported, "tables only"}) : std::nullopt;
  };
  expect_all(Status::pass, live_property_checks(implementation, RopeEncoding(partial_rope),
                                                ElementType::float32, far_options));
  EXPECT_LE(implementation.requests, 4);
}

TEST(LiveProperties, EndWhereTheImplementationDoes) {
  const auto statuses = {std::pair(ResponseStatus::crashed, Status::error),
                         std::pair(ResponseStatus::timed_out, Status::error),
                         std::pair(ResponseStatus::malformed, Status::error),
                         std::pair(ResponseStatus::rejected, Status::inconclusive),
                         std::pair(ResponseStatus::unsupported, Status::skipped)};
  for (const auto& [response, status] : statuses) {
    for (const bool costs_a_process : {true, false}) {
      InProcess implementation(honest(small_sinusoid), costs_a_process);
      implementation.respond = [response = response](const Request&) {
        return std::optional(Response{response, "what it said"});
      };
      const auto checks = live_property_checks(implementation, SinusoidalEncoding(small_sinusoid),
                                               ElementType::float32, far_options);
      EXPECT_EQ(checks.size(), 8u);
      expect_all(status, checks);
      for (const auto& check : checks) {
        EXPECT_THAT(check.reason, HasSubstr("what it said"));
      }
      EXPECT_EQ(implementation.requests, 1) << "nothing is asked after a failure";
    }
  }
}

TEST(LiveProperties, LeaveThePaddingRowAlone) {
  auto padded = small_sinusoid;
  padded.padding_idx = 1;
  InProcess implementation(honest(padded), true);
  expect_all(Status::pass, live_property_checks(implementation, SinusoidalEncoding(padded),
                                                ElementType::float32, {.cases = 30, .highest_position = 9}));
}

TEST(LiveProperties, SayWhichLawsAreNotStatedForTheEncoding) {
  const SinusoidalSpec narrow{.d_model = 4};
  InProcess implementation(honest(narrow), true);
  const auto checks =
      live_property_checks(implementation, SinusoidalEncoding(narrow), ElementType::float32, far_options);
  EXPECT_EQ(check_named(checks, "law/sinusoidal/unique").status, Status::skipped);
  InProcess other(honest(small_sinusoid), true);
  const auto alibi = parsed(R"({"scheme": "alibi", "num_heads": 8})");
  const auto none = live_property_checks(other, *alibi, ElementType::float32, far_options);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].status, Status::skipped);
  EXPECT_EQ(other.requests, 0);
}

TEST(LiveProperties, GiveTheSameForTheSameSeed) {
  const auto& broken = *std::ranges::find(broken_implementations(), "wrong-sign", &Broken::id);
  const auto run = [&](std::uint64_t seed) {
    InProcess implementation(
        answering(std::shared_ptr<const TableUnderTest>(broken.target.table(small_sinusoid))), true);
    std::string text;
    for (const auto& check : live_property_checks(implementation, SinusoidalEncoding(small_sinusoid),
                                                  ElementType::float32, {.seed = seed, .cases = 10})) {
      text += check.id + check.reason;
    }
    return text;
  };
  EXPECT_EQ(run(3), run(3));
}

}  // namespace
}  // namespace vernier
