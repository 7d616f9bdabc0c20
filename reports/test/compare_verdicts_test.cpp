// What got worse and what better from one verdict to another.

#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/test/compare_documents.hpp"

namespace vernier {
namespace {

using enum Status;

TEST_F(Compare, CountsWhatChanged) {
  EXPECT_EQ(finding({{"a", pass}, {"b", pass}, {"c", fail}, {"d", pass}},
                    {{"a", fail}, {"b", inconclusive}, {"c", fail}, {"d", pass}}, 1),
            "2 checks got worse, 2 are the same");
  EXPECT_EQ(
      finding({{"a", fail}, {"b", pass}}, {{"a", pass}, {"b", pass}}, 0),
      "1 check got better, 1 is the same; the verdict changed from \"does not conform\" to \"conforms\"");
  EXPECT_EQ(finding({{"a", pass}}, {{"a", pass}}, 0), "1 check is the same");
}

TEST_F(Compare, OrdersStatuses) {
  const std::vector<Status> from_good_to_bad{pass, waived, inconclusive, error, fail};
  for (std::size_t i = 0; i < from_good_to_bad.size(); ++i) {
    for (std::size_t j = 0; j < from_good_to_bad.size(); ++j) {
      const auto text = finding({{"a", from_good_to_bad[i]}}, {{"a", from_good_to_bad[j]}}, i < j ? 1 : 0);
      EXPECT_THAT(text, ::testing::StartsWith(i < j   ? "1 check got worse"
                                              : i > j ? "1 check got better"
                                                      : "1 check is the same"));
    }
  }
}

TEST_F(Compare, TellsNewChecksAndThoseThatAreGone) {
  EXPECT_EQ(finding({{"a", pass}, {"b", pass}, {"c", pass}}, {{"a", pass}, {"c", skipped}, {"d", pass}}, 0),
            "2 checks are gone, 1 is new, 1 is the same");
  EXPECT_EQ(finding({{"a", pass}, {"b", skipped}}, {{"a", pass}, {"b", skipped}}, 0),
            "2 checks are the same");
  // A failure that nobody looked for before is one all the same.
  EXPECT_EQ(
      finding({{"a", pass}}, {{"a", pass}, {"b", fail}}, 1),
      "1 check got worse, 1 is the same; the verdict changed from \"conforms\" to \"does not conform\"");
  // All checks are gone: the verdict tells.
  EXPECT_EQ(finding({{"a", pass}}, {{"a", skipped}}, 1),
            "1 check is gone; the verdict changed from \"conforms\" to \"nothing checked\"");
}

TEST_F(Compare, HoldsReplacedChecksAgainstTheOneInTheirPlace) {
  EXPECT_THAT(finding({{"effects/batch", Status::pass}, {"use/packed", Status::fail}},
                      {{"use/order", Status::pass}}, 0),
              ::testing::HasSubstr("1 check got better"));
  EXPECT_THAT(finding({{"state/types", Status::pass}, {"state/longer", Status::skipped}},
                      {{"state/history", Status::fail}}, 1),
              ::testing::HasSubstr("1 check got worse"));
}

TEST_F(Compare, JudgesFiguresOfTheSameElements) {
  const auto change = [&](double before, double after, int exit_code, const std::string& options = "") {
    return finding({{"a", pass, before}}, {{"a", pass, after}}, exit_code, options);
  };
  EXPECT_EQ(change(0.4, 0.403, 0), "1 check is the same");
  EXPECT_EQ(change(0.4, 0.405, 1), "1 check got worse");
  EXPECT_EQ(change(0.405, 0.4, 0), "1 check got better");
  EXPECT_EQ(change(0.4, 0.403, 1, "--slack 0"), "1 check got worse");
  EXPECT_EQ(change(0.4, 0.5, 0, "--slack 30"), "1 check is the same");
  EXPECT_EQ(change(infinity, infinity, 0), "1 check is the same");
  EXPECT_EQ(change(0.4, infinity, 1), "1 check got worse");
  EXPECT_EQ(change(0, 0, 0), "1 check is the same");
}

/// Maxima of other samples differ by chance.
TEST_F(Compare, LetsFiguresOfOtherSamplesDecideNothing) {
  auto before = made_verdict({{"accuracy/cos", pass, 0.2}, {"law/rope", pass, 0.2}});
  auto after = made_verdict({{"accuracy/cos", pass, 0.4}, {"law/rope", pass, 0.4}});
  before.seed = 1;
  after.seed = 2;
  EXPECT_EQ(finding(before, after, 0), "2 checks are the same");
  EXPECT_THAT(run("compare before.json after.json").out, ::testing::HasSubstr("note: The seeds differ"));
  // Cosines that were asked for whole are no sample.
  before.asking.coverage = after.asking.coverage = {{"cos, sin", {8, 8, 0}}};
  EXPECT_EQ(finding(before, after, 1), "1 check got worse, 1 is the same");
  // Other rows are other elements, whatever the seed.
  after.seed = before.seed;
  after.rows = 4;
  after.greatest_position = 3;
  EXPECT_EQ(finding(before, after, 0), "2 checks are the same");
  EXPECT_THAT(
      run("compare before.json after.json").out,
      ::testing::HasSubstr("note: before has 8 rows, positions 0 to 7; after has 4 rows, positions 0 to 3"));
  after.rows = 8;
  after.greatest_position = 7;
  after.checks[0].counts.elements = 50;
  EXPECT_EQ(finding(before, after, 1), "1 check got worse, 1 is the same");
}

TEST_F(Compare, NotesAnotherContract) {
  auto after = made_verdict({{"a", pass, 0.1}});
  after.contracts[0].id = "float32-iterated";
  EXPECT_EQ(finding(made_verdict({{"a", pass, 0.9}}), after, 0), "1 check got better");
  EXPECT_THAT(
      run("compare before.json after.json").out,
      ::testing::HasSubstr("note: cos was held to the contract float32 in before, to float32-iterated in"));
}

TEST_F(Compare, CountsStaleWaivers) {
  auto after = made_verdict({{"a", pass}});
  after.stale_waivers = {{"a", "KERNEL-7", "it expired"}};
  EXPECT_EQ(finding(made_verdict({{"a", pass}}), after, 1), "1 check is the same; 1 waiver is stale");
}

/// Everything is the same as itself, and what is worse one way is better the other way.
TEST_F(Compare, HasTwoSides) {
  const auto good = made_verdict({{"a", pass, 0.2}, {"b", pass}, {"c", waived, 0.3}});
  const auto bad = made_verdict({{"a", pass, 0.3}, {"b", fail}, {"c", waived, 0.4}});
  for (const auto& verdict : {good, bad}) {
    EXPECT_EQ(finding(verdict, verdict, 0), "3 checks are the same");
  }
  EXPECT_THAT(finding(good, bad, 1), ::testing::StartsWith("3 checks got worse"));
  EXPECT_THAT(finding(bad, good, 0), ::testing::StartsWith("3 checks got better"));
}

/// The greatest share of the budget alone hides what frequencies in float32 cost.
TEST_F(Compare, SeesErrorsThatUseNoMoreOfTheBudget) {
  const auto table = SinusoidalSpec{.d_model = 64}.table();
  const auto positions = positions_from(0, 256);
  for (const auto& recipe : recipes()) {
    if (recipe.id == "float64-pow" || recipe.id == "float32-exp-log") {
      const std::string name(recipe.id);
      folder_.write(name + ".npy",
                    npy_bytes(tensor_of(Format::binary32, {256, 64},
                                        values_of(RecipeTable(recipe, table, Format::binary32), positions))));
      folder_.write(name + ".case.json", sinusoidal_case("\"d_model\": 64", name + ".npy"));
      EXPECT_EQ(run("validate " + name + ".case.json -q --json " + name + ".json").exit_code, 0);
    }
  }
  const auto outcome = run("compare float64-pow.json float32-exp-log.json --verbose");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\n  worse   accuracy/encoding: pass;"));
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("the root mean square error [^(]*[(]worse[)]"));
}

}  // namespace
}  // namespace vernier
