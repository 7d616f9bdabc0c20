// Questions put into forms that implementations take: blocks, one length, few rows, the length of the
// sequence.

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/asked_through.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Positions = std::vector<std::int64_t>;

/// Answers each position by itself, as float64, if it takes the positions at all.
class Echo : public LiveImplementation {
 public:
  using Judge = std::function<ResponseStatus(const Positions&)>;

  explicit Echo(Judge judge) : judge_(std::move(judge)) {}

  std::string description() const override { return "an echo"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return process; }
  Takes takes() const override { return says; }
  void start_afresh() override { asked.push_back({-1}); }
  Response ask(const Request& request) override {
    const auto positions = integers_of(request.positions);
    asked.push_back(positions);
    Response response{judge_(positions), "the reason"};
    response.side_effects = {{SideEffectKind::changed_input, "seen"}};
    if (response.status == ResponseStatus::answered) {
      response.tensors.emplace("cos", integer_tensor({positions.size(), 1}, positions));
    }
    return response;
  }

  bool process = false;
  Takes says;
  std::vector<Positions> asked;  ///< {-1} for a fresh start

 private:
  Judge judge_;
};

ResponseStatus takes_all(const Positions& /*positions*/) {
  return ResponseStatus::answered;
}

ResponseStatus takes_blocks(const Positions& positions) {
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (positions[i] != positions[i - 1] + 1) {
      return ResponseStatus::rejected;
    }
  }
  return ResponseStatus::answered;
}

Request request_of(const Positions& positions) {
  return {{},
          integer_tensor({positions.size()}, positions),
          std::nullopt,
          {{"cos", ElementType::int64, {positions.size(), 1}}}};
}

Positions answer_of(const Response& response) {
  const auto found = response.tensors.find("cos");
  return found == response.tensors.end() ? Positions{} : integers_of(found->second);
}

const Positions unordered_positions{3, 4, 5, 9, 2, 3};

TEST(ContiguousBlocks, AreAskedOneByOneOfWhomSaysSo) {
  Echo echo(takes_blocks);
  echo.says.contiguous_only = true;
  ContiguousBlocks blocks(echo);
  const auto response = blocks.ask(request_of(unordered_positions));
  EXPECT_EQ(answer_of(response), unordered_positions);
  EXPECT_EQ(response.side_effects.size(), 3U) << "of every part";
  EXPECT_THAT(echo.asked, ElementsAre(Positions{3, 4, 5}, Positions{9}, Positions{2, 3}));
  EXPECT_FALSE(blocks.was_found_out());
}

TEST(ContiguousBlocks, AreFoundToBeAllThatIsTaken) {
  Echo echo(takes_blocks);
  ContiguousBlocks blocks(echo);
  EXPECT_EQ(answer_of(blocks.ask(request_of(unordered_positions))), unordered_positions);
  EXPECT_TRUE(blocks.was_found_out());
  EXPECT_TRUE(blocks.takes().contiguous_only);
  echo.asked.clear();
  blocks.ask(request_of(unordered_positions));
  EXPECT_EQ(echo.asked.size(), 3U) << "from then on without a try";
}

TEST(ContiguousBlocks, AreNotTriedOfWhomRefusesForAnotherReason) {
  Echo few(
      [](const Positions& p) { return p.size() > 2 ? ResponseStatus::rejected : ResponseStatus::answered; });
  ContiguousBlocks of_few(few);
  EXPECT_EQ(of_few.ask(request_of(unordered_positions)).status, ResponseStatus::rejected);
  EXPECT_FALSE(of_few.was_found_out());
  Echo none([](const Positions&) { return ResponseStatus::unsupported; });
  ContiguousBlocks of_none(none);
  EXPECT_EQ(of_none.ask(request_of(unordered_positions)).status, ResponseStatus::unsupported);
  EXPECT_EQ(none.asked.size(), 2U);
}

TEST(ContiguousBlocks, OfACommandAreFew) {
  Echo echo(takes_blocks);
  echo.process = true;
  echo.says.contiguous_only = true;
  ContiguousBlocks blocks(echo);
  EXPECT_EQ(answer_of(blocks.ask(request_of(unordered_positions))), unordered_positions);
  const auto refused = blocks.ask(request_of({1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(refused.status, ResponseStatus::unsupported);
  EXPECT_THAT(refused.reason, HasSubstr("contiguous blocks of positions only, and these are 6"));
}

TEST(OneLength, IsAProcessForEachLength) {
  Echo echo(takes_all);
  echo.says.one_length = true;
  OneLength one_length(echo);
  one_length.ask(request_of({1, 2}));
  one_length.ask(request_of({5, 9}));
  one_length.ask(request_of({1}));
  EXPECT_THAT(echo.asked, ElementsAre(Positions{1, 2}, Positions{5, 9}, Positions{-1}, Positions{1}));
}

TEST(InBlocks, AsLargeAsAreTaken) {
  Echo echo(
      [](const Positions& p) { return p.size() > 3 ? ResponseStatus::rejected : ResponseStatus::answered; });
  InBlocks blocks(echo);
  const Positions ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto answer = blocks.ask_for_most(request_of(ten));
  EXPECT_EQ(answer.rows, 10U);
  EXPECT_EQ(answer_of(answer.response), ten);
  EXPECT_EQ(answer.refusal.status, ResponseStatus::answered);
  echo.asked.clear();
  EXPECT_EQ(answer_of(blocks.ask(request_of(ten))), ten);
  EXPECT_EQ(echo.asked.size(), 5U);
}

TEST(InBlocks, UpToThePositionThatIsRefused) {
  Echo echo(
      [](const Positions& p) { return p.back() >= 5 ? ResponseStatus::rejected : ResponseStatus::answered; });
  InBlocks blocks(echo);
  const auto answer = blocks.ask_for_most(request_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(answer.rows, 5U);
  EXPECT_EQ(answer_of(answer.response), (Positions{0, 1, 2, 3, 4}));
  EXPECT_EQ(answer.refusal.status, ResponseStatus::rejected);
  EXPECT_LE(echo.asked.size(), 8U);
}

TEST(InBlocks, GiveUpOnWhoTakesTooLong) {
  Echo echo(
      [](const Positions& p) { return p.size() > 2 ? ResponseStatus::timed_out : ResponseStatus::answered; });
  InBlocks blocks(echo);
  const auto answer = blocks.ask_for_most(request_of(Positions(100)));
  EXPECT_EQ(answer.rows, 0U);
  EXPECT_EQ(answer.response.status, ResponseStatus::timed_out);
  EXPECT_EQ(echo.asked.size(), 3U);
}

TEST(InBlocks, CrashesAreNotAskedAround) {
  Echo echo(
      [](const Positions& p) { return p.size() > 2 ? ResponseStatus::crashed : ResponseStatus::answered; });
  InBlocks blocks(echo);
  EXPECT_EQ(blocks.ask_for_most(request_of(Positions(4))).response.status, ResponseStatus::crashed);
  EXPECT_EQ(echo.asked.size(), 1U);
}

TEST(LengthAnchor, IsTheLastPositionOfEveryQuestion) {
  Echo echo(takes_all);
  LengthAnchor anchored(echo, 100);
  EXPECT_EQ(answer_of(anchored.ask(request_of({3, 1}))), (Positions{3, 1}));
  EXPECT_EQ(answer_of(anchored.ask(request_of({99, 0}))), (Positions{99, 0}));
  EXPECT_EQ(answer_of(anchored.ask(request_of({1, 3}))), (Positions{1, 3}));
  EXPECT_THAT(echo.asked, ElementsAre(Positions{99, 3, 1}, Positions{99, 0}, Positions{1, 3, 99}))
      << "descending positions stay so";
  LengthAnchor free(echo, std::nullopt);
  free.ask(request_of({7}));
  EXPECT_EQ(echo.asked.back(), Positions{7});
}

TEST(TakesWords, AreReadFromPeopleAndFromMachines) {
  EXPECT_EQ(takes_of("contiguous, one-length something"), (Takes{true, true}));
  EXPECT_EQ(takes_of(""), Takes{});
  EXPECT_EQ(parse_takes("one-length", "--takes"), (Takes{false, true}));
  EXPECT_EQ(refusal_of([] { parse_takes("contiguous,scattered", "--takes"); }),
            "--takes: found \"scattered\", expected contiguous, one-length, batched-positions, gradients, "
            "float32-positions or float64-positions");
}

}  // namespace
}  // namespace vernier
