// What the program says of findings: in a verdict, in full, as a spec, and explained.

#include "numerics/computation/fault_kind.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Program, ExplainsEveryFinding) {
  const auto all = run("list findings").out;
  for (const auto& kind : fault_kinds()) {
    EXPECT_THAT(all, HasSubstr(kind.id + ": " + kind.title + "\n"));
    const auto told = explained(kind.id);
    EXPECT_THAT(told, AllOf(StartsWith(kind.id + "\n\n"), HasSubstr("\nWhat it means: "),
                            HasSubstr("\nWhat to do: ")));
    for (const auto& bug : kind.similar) {
      EXPECT_THAT(told, HasSubstr(bug));
    }
  }
  expect_refused("explain mapping/moon", "mapping/moon");
}

/// Ten lines for who waits at a terminal, all of it for who asks.
TEST_F(Program, TellsDetailsIfAsked) {
  const auto brief = run("validate bad.json").out;
  const auto full = run("validate bad.json --verbose").out;
  EXPECT_LE(std::ranges::count(brief, '\n'), 11);
  EXPECT_EQ(brief.substr(0, brief.find('\n')), full.substr(0, full.find('\n')));
  EXPECT_THAT(full,
              AllOf(HasSubstr("required: "), HasSubstr("expected "), HasSubstr("pass  finite/encoding")));
  EXPECT_EQ(run("validate bad.json --verbose --text -").out, full);
  EXPECT_EQ(run("validate bad.json --text -").out, brief);
}

TEST_F(Program, TellsTheFindingAloneIfQuiet) {
  for (const std::string which : {"good", "bad"}) {
    const auto usual = run("validate " + which + ".json --verbose");
    const auto quiet = run("validate " + which + ".json --quiet");
    EXPECT_EQ(quiet.out, usual.out.substr(0, usual.out.find('\n') + 1));
    EXPECT_EQ(quiet.exit_code, usual.exit_code);
    EXPECT_EQ(quiet.err, "");
    EXPECT_EQ(run("validate " + which + ".json -q").out, quiet.out);
    EXPECT_EQ(run("validate " + which + ".json -v").out, usual.out);
    EXPECT_EQ(run("validate " + which + ".json -q --text -").out, run("validate " + which + ".json").out);
  }
  expect_refused("validate good.json -q -v", "--quiet beside --verbose");
}

// A job of a cluster may have one processor of many.
TEST_F(Program, UsesTheProcessorsThatItMay) {
  const auto one = shell(
      "taskset -c $(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status) "
      "\"$VERNIER\" validate bad.json");
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(one.out, run("validate bad.json").out);
}

TEST_F(Program, PrintsNoSpecWhereNoneIsKnown) {
  const auto good = run("validate good.json --patch");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out, "");
  EXPECT_EQ(good.err, "vernier: the tensors conform, so the spec needs no edit\n");
  const auto bad = run("validate bad.json --patch --json verdict.json");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(std::ranges::count(bad.err, '\n'), 1) << bad.err;
  EXPECT_THAT(slurp("verdict.json"), HasSubstr("does_not_conform"));
  expect_refused("validate bad.json --patch --json -", "--patch");
}

}  // namespace
}  // namespace vernier
