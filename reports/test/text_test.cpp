// The verdict in short: the first line with the finding, and at most ten of 110 characters.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/test/fake.hpp"
#include "reports/test/made_verdicts.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

void expect_short(const Verdict& verdict) {
  const auto text = render_text(verdict);
  EXPECT_THAT(lines_of(text), SizeIs(Le(11))) << text;
  for (const auto& line : lines_of(text)) {
    EXPECT_LE(characters(line), 110U) << text;
  }
}

ElementWitness witness() {
  return {.role = "cos",
          .row = 3348,
          .position = 3348,
          .column = 34,
          .meaning = {34, Component::cosine},
          .format = Format::binary32,
          .got = double{0.99965458F},
          .expected = double{-0.99999994F},
          .truth = "-0.99999991269468678496",
          .budget_ratio = 16486440};
}

/// One whose tensors are diagnosed, with as many failing checks.
Verdict failing(std::size_t checks, Diagnosis diagnosis) {
  Verdict verdict{
      .name = "case", .diagnosis = {std::move(diagnosis)}, .reproduce = "vernier validate case.json"};
  for (std::size_t i = 0; i < checks; ++i) {
    verdict.checks.push_back(
        {"accuracy/" + std::to_string(i), Status::fail, "elements fail", "required", {64, 60, 30, 4}});
    verdict.checks.back().worst = witness();
    verdict.checks.back().greatest_budget_ratio = 16486440;
  }
  verdict.checks.push_back({"finite/cos", Status::pass, "all are finite"});
  verdict.checks.push_back({"rows/cos", Status::skipped, "it does not apply"});
  return verdict;
}

TEST(ShortText, IsShortWhateverIsTold) {
  const std::string sentence = "a sentence that goes on and on, as they sometimes do. ";
  std::string story;
  for (int i = 0; i < 30; ++i) {
    story += sentence;
  }
  for (const auto& text : {std::string("x"), hostile_text(), std::string(1000, 'x'), story,
                           std::string("\xe4\xbd\x8d\xe7\xbd\xae") + std::string(300, 'y'), std::string()}) {
    for (auto& verdict : verdicts_of_all_conclusions(text)) {
      expect_short(verdict);
      verdict.checks.insert(verdict.checks.end(), 40, verdict.checks.front());
      verdict.kept_contracts = {"float32", "bfloat16"};
      verdict.stale_waivers.insert(verdict.stale_waivers.end(), 7, {text, text, text});
      verdict.asking.notes.insert(verdict.asking.notes.end(), 20, text);
      expect_short(verdict);
    }
  }
}

TEST(ShortText, IsShortOfAnImplementationThatIsAsked) {
  Fake honest;
  expect_short(judge(honest));
  Fake shifted;
  shifted.position = [](std::int64_t p) { return p + p % 3; };
  const auto verdict = judge(shifted);
  EXPECT_EQ(exit_code(verdict), 1);
  expect_short(verdict);
  Fake crashing([](const Request&, const Response&) { return failed(ResponseStatus::crashed, "killed"); });
  expect_short(judge(crashing));
}

TEST(ShortText, TellsTheFindingAndAllThatBelongsToIt) {
  auto diagnosis = made_diagnosis("0, 1", "the base is 500000, not 10000");
  auto& findings = diagnosis.explanations.front().findings;
  findings.pop_back();
  findings.front().edit = {{{"op", "replace"}, {"path", "/rope_theta"}, {"value", 500000}}};
  auto verdict = failing(2, diagnosis);
  verdict.spec = parsed(R"({"scheme": "rope", "head_dim": 8})")->spec();
  EXPECT_THAT(
      lines_of(render_text(verdict)),
      ElementsAre(
          "case: does not conform: the base is 500000, not 10000",
          "  Evidence: With this fault all 60 elements that can be judged (of 64) are reproduced, "
          "using at most 35 % of",
          "    the budget. Without it 60 miss, the worst by over 1e6 budgets.",
          "  Equally possible: the base is 500000, not 10000",
          "  Effect: Pairs turn at other speeds. Long texts suffer.",
          "  Fix: If this result is intended, set \"rope_theta\" to 500000 in the spec. Look at the line "
          "that computes",
          "    powers. It has a number in it.",
          "  FAIL  accuracy/0: 30 of 60; worst at position 3348, column 34: expected -1, got 0.9997 "
          "(over 1e6 budgets)",
          "  FAIL  accuracy/1: 30 of 60; worst at position 3348, column 34: expected -1, got 0.9997 "
          "(over 1e6 budgets)",
          "  1 check passes, 1 is skipped (reason: --verbose, or full_text in Python).",
          "  reproduce: vernier validate case.json"));
}

TEST(ShortText, TellsNumbersApart) {
  auto verdict = failing(1, {});
  verdict.diagnosis.clear();
  verdict.checks.front().worst->got = 0.938807607;
  verdict.checks.front().worst->expected = 0.938807547;
  EXPECT_THAT(render_text(verdict), HasSubstr("column 34: expected 0.9388075, got 0.9388076"));
}

/// The figures of this case come before what such faults do in general.
TEST(ShortText, TellsConsequencesInFigures) {
  auto diagnosis = made_diagnosis("0", "it is off");
  diagnosis.explanations.front().consequence = "Rows 0 and 64 are equal.";
  EXPECT_THAT(lines_of(render_text(failing(1, diagnosis))),
              AllOf(Contains("  Effect: Rows 0 and 64 are equal."), Not(Contains(HasSubstr("Pairs turn")))));
}

TEST(ShortText, CountsWhatHasNoRoom) {
  auto diagnosis = made_diagnosis("0", "it is off");
  diagnosis.explanations.insert(diagnosis.explanations.end(), 2, diagnosis.explanations.back());
  const auto lines = lines_of(render_text(failing(20, diagnosis)));
  EXPECT_THAT(lines,
              AllOf(SizeIs(11), Contains("  Equally possible: it is off; 2 more with --verbose"),
                    Contains(AllOf(StartsWith("  and 1"), HasSubstr(" more checks fail: accuracy/"))),
                    Contains("  1 check passes, 1 is skipped (reason: --verbose, or full_text in Python).")));
}

TEST(ShortText, TellsTheEvidenceOfEachTensorInSentences) {
  auto verdict = failing(1, made_mystery("cos", "rows 3 to 5"));
  verdict.diagnosis.push_back(made_mystery("sin", "rows 4 to 5"));
  verdict.diagnosis.push_back(made_mystery("rotated", "rows 6 to 9"));
  const auto text = render_text(verdict);
  EXPECT_THAT(text, AllOf(HasSubstr("cos: 77 faulty"), Not(HasSubstr(".,"))));
}

/// What was told at once is not told again.
TEST(ShortText, TellsAFailureFirstAndItsCauseApart) {
  auto diagnosis = made_diagnosis("0, 1", "the base is 500000, not 10000");
  diagnosis.explanations.front().findings.pop_back();
  const auto verdict = failing(2, diagnosis);
  auto so_far = verdict;
  so_far.diagnosis.clear();
  EXPECT_EQ(render_failure(so_far), "case: does not conform: elements fail (accuracy/0)");
  const auto whole = render_text(verdict);
  EXPECT_EQ(render_after_failure(verdict, false),
            "Cause: the base is 500000, not 10000" + whole.substr(whole.find('\n')));
  const auto full = render_full_text(verdict);
  EXPECT_EQ(render_after_failure(verdict, true),
            "Cause: the base is 500000, not 10000" + full.substr(full.find('\n')));
  EXPECT_EQ(render_after_failure(so_far, true), [&] {
    const auto text = render_full_text(so_far);
    return text.substr(text.find('\n') + 1);
  }());
  so_far.checks.front().finding = "wrong from row 33 on";
  EXPECT_EQ(render_failure(so_far), "case: does not conform: wrong from row 33 on");
}

TEST(ShortText, SaysWhatIsUnexplained) {
  const auto lines = lines_of(render_text(failing(1, made_mystery("0", "rows 3 to 5"))));
  EXPECT_EQ(lines.front(), "case: does not conform: unexplained");
  EXPECT_THAT(
      lines[1] + lines[2],
      AllOf(StartsWith(
                "  Evidence: 77 faulty computations were tried; none reproduces every element. The closest "
                "leaves 6 of 60"),
            EndsWith("their budgets: rows 3 to 5. rows 3 to 5.")));
}

TEST(ShortText, NamesTheChecksThatFailWhereNoTensorIsDiagnosed) {
  auto verdict = failing(3, {});
  verdict.diagnosis.clear();
  EXPECT_THAT(render_text(verdict),
              StartsWith("case: does not conform: accuracy/0, accuracy/1 and 1 more check fail\n"));
  verdict.checks.erase(verdict.checks.begin(), verdict.checks.begin() + 2);
  EXPECT_THAT(render_text(verdict), StartsWith("case: does not conform: accuracy/2 fails\n"));
}

TEST(ShortText, SaysWhatDecidedEveryOtherVerdict) {
  const auto decided = [](std::vector<Check> checks) {
    return render_text({.name = "case", .encoding = "RoPE", .checks = std::move(checks)});
  };
  EXPECT_EQ(decided({}), "case: nothing checked: there is nothing to check\n  RoPE.\n  0 checks pass.\n");
  EXPECT_THAT(decided({{"rows/cos", Status::skipped, "no rows"}}),
              AllOf(StartsWith("case: nothing checked: every check was skipped or waived\n"),
                    HasSubstr("  skipped rows/cos: no rows\n")));
  EXPECT_THAT(
      decided({{"a/b", Status::inconclusive, "its budget is wide"}, {"c/d", Status::error, "it crashed"}}),
      AllOf(StartsWith("case: inconclusive: c/d could not run, a/b is inconclusive\n"),
            HasSubstr("  error c/d: it crashed\n  inconclusive a/b: its budget is wide\n")));
  EXPECT_EQ(decided({{"a/b", Status::pass, "all are finite"}}),
            "case: conforms\n  RoPE.\n  1 check passes.\n");
  Verdict stale{
      .name = "case", .checks = {{"a/b", Status::pass, ""}}, .stale_waivers = {{"a/b", "#7", "it passes"}}};
  EXPECT_THAT(render_text(stale), AllOf(StartsWith("case: conforms, with 1 stale waiver\n"),
                                        HasSubstr("  STALE waivers/a/b (#7): it passes\n")));
}

/// Where the reason leaves no room, the place and the two values have it.
TEST(ShortText, TellsACounterexampleInALine) {
  Verdict verdict{.name = "case"};
  verdict.checks.push_back(
      {"accuracy/rotated", Status::fail, std::string(60, 'r'), "", {1600, 1600, 1370, 0}});
  verdict.checks.back().counterexample = {{"row", "1"},
                                          {"dimension", "1"},
                                          {"pair", "1"},
                                          {"input", "0.11525035, with 2.7439504 of dimension 9"},
                                          {"expected", "-0.41569546 = -0x1.a9ac12p-2 = 0xbed4d609"},
                                          {"got", "-0.7437878 = -0x1.7cd1c2p-1 = 0xbf3e68e1"},
                                          {"budget", "4.67e-07"}};
  EXPECT_THAT(render_text(verdict),
              HasSubstr("  FAIL  accuracy/rotated: 1370 of 1600; row 1, dimension 1, expected "
                        "-0.41569546, got -0.7437878\n"));
}

/// A long line goes on in the next: neither of the two values is left out.
TEST(ShortText, NeverLeavesOutWhatWasGot) {
  Verdict verdict{.name = "case"};
  verdict.checks.push_back({"law/rope/" + std::string(60, 'n'), Status::fail, "", "", {1600, 1600, 1370, 0}});
  verdict.checks.back().counterexample = {{"positions", "18446744073709551615, 18446744073709551614"},
                                          {"expected", "-0.41569546"},
                                          {"got", "-0.7437878"}};
  EXPECT_THAT(render_text(verdict), HasSubstr("got -0.7437878\n"));
}

TEST(ShortText, TellsEachReasonOnceAndWhole) {
  Verdict verdict{.name = "case"};
  const auto reason = "left after it wrote: " + std::string(150, 'w') + " ModuleNotFoundError: numpy";
  for (const auto* const id : {"a/cos", "a/sin", "a/rotated", "b/c"}) {
    verdict.checks.push_back({id, Status::error, id[0] == 'a' ? reason : "it crashed"});
  }
  const auto text = render_text(verdict);
  EXPECT_THAT(text,
              AllOf(HasSubstr("  error a/cos, a/sin and 1 more check: left after it wrote:"),
                    HasSubstr(" ModuleNotFoundError: numpy\n"), HasSubstr("  error b/c: it crashed\n")));
  EXPECT_EQ(text.find("left after", text.find("left after") + 1), std::string::npos) << text;
}

TEST(ShortText, CutsANameThatLeavesNoRoom) {
  auto verdict = failing(1, made_diagnosis("0", "it is off"));
  verdict.name = std::string(200, 'n');
  EXPECT_EQ(lines_of(render_text(verdict)).front(),
            std::string(39, 'n') + "…: does not conform: it is off, and it is off");
  EXPECT_THAT(render_full_text(verdict), HasSubstr(verdict.name));
}

TEST(Lines, AreBrokenBetweenWords) {
  const auto word = std::string(60, 'a');
  EXPECT_THAT(wrapped(word + " " + word, 2), ElementsAre("  " + word, "    " + word));
  EXPECT_THAT(wrapped(std::string(150, 'a'), 0),
              ElementsAre(std::string(110, 'a'), "  " + std::string(40, 'a')));
  EXPECT_THAT(wrapped("", 2), SizeIs(0));
}

TEST(Lines, EndWithASentenceWhereTheyCan) {
  const auto sentence = std::string(90, 'a') + ".";
  EXPECT_THAT(fitted(sentence + " " + sentence, 0, 1), ElementsAre(sentence));
  EXPECT_THAT(fitted(std::string(300, 'a'), 0, 2),
              ElementsAre(std::string(110, 'a'), AllOf(HasSubstr("…"), EndsWith("a"))));
  EXPECT_THAT(fitted(sentence, 0, 0), SizeIs(0));
}

TEST(Lines, CountCharactersAndNotBytes) {
  EXPECT_EQ(characters("Größe"), 5U);
  EXPECT_EQ(cut("Größe", 5), "Größe");
  EXPECT_EQ(cut("Größe", 4), "Grö…");
}

RC_GTEST_PROP(Lines, HoldAllWordsInTheirWidth, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))));
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  std::string letters;
  for (const auto& line : wrapped(text, *rc::gen::inRange<std::size_t>(0, 20))) {
    RC_ASSERT(characters(line) <= line_width);
    letters += line;
  }
  std::erase(letters, ' ');
  std::erase(text, ' ');
  RC_ASSERT(letters == text);
}

/// One line of two is not the whole entry.
TEST(Layout, EntriesAreWholeOrCounted) {
  const auto text = std::string(100, 'a') + " " + std::string(100, 'b');
  const auto block = entries({text, "second"}, 0, 5, [](std::size_t first) { return std::to_string(first); });
  EXPECT_EQ(block.wanted, 3U);
  EXPECT_THAT(block.lines(2), ElementsAre("0"));
  EXPECT_THAT(block.lines(3), ElementsAre(std::string(100, 'a'), "  " + std::string(100, 'b'), "second"));
}

RC_GTEST_PROP(Layout, TakesAllTheRoomItNeedsAndNoMore, ()) {
  const auto counts = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 6));
  const auto room = *rc::gen::inRange<std::size_t>(0, 20);
  std::vector<TextBlock> blocks;
  std::vector<std::size_t> by_rank;
  std::size_t wanted = 0;
  for (const auto count : counts) {
    by_rank.push_back(blocks.size());
    blocks.push_back(
        entries(std::vector<std::string>(count, "entry"), 0, 1, [](std::size_t) { return "others"; }));
    wanted += count;
  }
  RC_ASSERT(laid_out(blocks, by_rank, room).size() == std::min(room, wanted));
}

}  // namespace
}  // namespace vernier
