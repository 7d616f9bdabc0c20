// `vernier survey`: how a survey is made, and its JSON as a page.

#include "reports/report/pages/pages.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class SurveyCommand : public Program {
 protected:
  SurveyCommand() {
    folder_.write("survey.json", R"({"survey": 1, "vernier": "0.2.0", "date": "2026-01-01",
      "headline": "1 of 2 judged encodings of 1 library version conform, 1 do not; 0 could not be judged", "libraries": [
      {"library": "lib", "version": "1.5", "problem": null, "told": "2 definitions of an encoding", "since": "1.4",
       "changes": ["Rope: does not conform"], "kinds": [["rotary", "2", "1", "1", "0", "31"]], "classes": [
        {"name": "Rope", "file": "lib/rope.py", "line": 20, "kind": "rotary", "status": "does_not_conform",
         "told": "does not conform: tables: the base is <20000>", "trials": [
           {"what": "tables", "verdict": "rope: does not conform"}, {"what": "gradient"}]},
        {"name": "Good", "file": "lib/rope.py", "line": 40, "kind": "rotary", "status": "conforms",
         "told": "conforms: 3 trials", "trials": []}]}]})");
  }
};

TEST_F(SurveyCommand, SaysHowASurveyIsMade) {
  const auto told = run("survey");
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_THAT(told.out, HasSubstr("python3 -m vernier survey transformers --json survey.json"));
}

TEST_F(SurveyCommand, ShowsEachClassWithItsVerdict) {
  const auto page = run("survey survey.json");
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, AllOf(HasSubstr("1 of 2 judged encodings"), HasSubstr("lib 1.5"),
                              HasSubstr("lib/rope.py:20"), HasSubstr("the base is &lt;20000&gt;"),
                              HasSubstr("rope: does not conform"), HasSubstr("What changed since 1.4"),
                              HasSubstr("lib 1.5, rotary"), Not(HasSubstr("gradient</summary>"))));
}

TEST_F(SurveyCommand, RefusesWhatIsNoSurvey) {
  for (const std::string text :
       {"", "[]", "{\"survey\": 1}", R"({"headline": 3, "date": "", "vernier": "", "libraries": [1]})",
        R"({"headline": [], "date": "", "vernier": "", "libraries": []})"}) {
    folder_.write("wrong.json", text);
    const auto told = run("survey wrong.json --html wrong.html");
    EXPECT_EQ(told.exit_code, 2) << text;
    EXPECT_THAT(told.err, HasSubstr("wrong.json: cannot be read as a survey")) << text;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "wrong.html")) << text;
  }
}

/// Every library version that the report records was surveyed, and shows what it found.
TEST(RecordedSurvey, HasResultsOfEachLibrary) {
  const auto content = libraries_content({});
  for (const auto& library : content.at("libraries")) {
    EXPECT_FALSE(library.at("told").get<std::string>().empty()) << library.at("heading");
  }
}

}  // namespace
}  // namespace vernier
