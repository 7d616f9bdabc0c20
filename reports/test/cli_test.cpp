// The program itself, run as people run it.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "props/laws/law.hpp"
#include "reference/json/json.hpp"
#include "reports/test/program.hpp"
#include "reports/verdict/checks/checks.hpp"

namespace vernier {

/// checks.json as it stands.
std::string checks_text();

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Program, SaysWhatItIsAndCanDo) {
  EXPECT_THAT(run("--version").out, StartsWith("vernier "));
  EXPECT_THAT(run("--help").out, AllOf(HasSubstr("validate"), HasSubstr("Exit codes")));
  EXPECT_THAT(run("validate --help").out,
              AllOf(HasSubstr("--json"), HasSubstr("--spec"), HasSubstr("--relative-positions")));
  EXPECT_THAT(run("list schemes").out, AllOf(HasSubstr("sinusoidal: "), HasSubstr("alibi: "),
                                             HasSubstr("t5_bucket: "), HasSubstr("deberta_bucket: ")));
  EXPECT_THAT(run("list contracts").out, HasSubstr("float32-iterated: "));
  EXPECT_THAT(run("list recipes").out, HasSubstr("float32-pow"));
  EXPECT_THAT(run("list checks").out, HasSubstr("property/<scheme>/constant-norm"));
  EXPECT_THAT(run("explain accuracy/cos").out, AllOf(HasSubstr("accuracy/<role>"), HasSubstr("Rests on")));
  EXPECT_EQ(run("explain accuracy/cos").exit_code, 0);
}

/// Whatever a verdict can hold is explained: checks of tensors, laws, waivers.
TEST_F(Program, ExplainsEveryCheck) {
  const auto all = run("explain").out;
  EXPECT_EQ(all, run("list checks").out);
  std::istringstream lines(all);
  std::size_t count = 0;
  for (std::string id; std::getline(lines, id); ++count) {
    EXPECT_THAT(explained(id), AllOf(StartsWith(id + "\n\n"), HasSubstr("\n\nRests on: "))) << id;
  }
  EXPECT_GE(count, check_kinds.size() + laws().size());
  EXPECT_EQ(OrderedJson::parse(checks_text()).size(), check_kinds.size() + 1)
      << "those of tensors and waivers";
  EXPECT_THAT(run("explain law/rope/constant-norm").out,
              AllOf(HasSubstr("|R_m x| = A |x|"), HasSubstr("Holds for: every spec"),
                    HasSubstr("A counterexample: ")));
  EXPECT_THAT(run("explain waivers/accuracy/cos").out, HasSubstr("expired"));
}

/// A base that is hardly off conforms by design, and the contract says how far that goes.
TEST_F(Program, ExplainsWhatAContractLetsPass) {
  const auto told = run("explain contract/float32");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.out, AllOf(StartsWith("contract/float32\n\n"),
                              HasSubstr("base 10000: a base off by less than 0.022;"),
                              HasSubstr("base 500000: a base off by less than 1.3"),
                              HasSubstr("an amplitude such as YaRN's: off by less than 2.4e-07")));
  EXPECT_THAT(run("explain contract/exact").out, HasSubstr("Budget of an element: "));
  EXPECT_EQ(run("explain contract/loose").exit_code, 2);
  EXPECT_THAT(run("list contracts").out, HasSubstr("explain contract/"));
}

TEST_F(Program, FailsForWaiversThatDescribeAnotherRun) {
  const std::string waiver =
      R"([{"check": "accuracy/encoding", "ceiling": {"any": true}, "reason": "the sign", "issue": "#7", )"
      R"("expires": "2026-06-30"}])";
  folder_.write("waivers.json", waiver);
  const std::string on_the_last_day = " --waivers waivers.json --date 2026-06-30";
  const auto stale = run("validate good.json" + on_the_last_day);
  EXPECT_EQ(stale.exit_code, 5);
  EXPECT_THAT(stale.out, HasSubstr("STALE waivers/accuracy/encoding (#7): the check passes without it"));
  EXPECT_EQ(run("validate bad.json --waivers waivers.json --date 2026-07-01").exit_code, 5);
  expect_refused("validate bad.json --waivers none.json", "none.json");
  expect_refused("validate bad.json --waivers waivers.json --date tomorrow", "--date: found \"tomorrow\"");
  expect_refused("validate bad.json --date 2026-07-01", "--waivers");
}

TEST_F(Program, ExitsByTheVerdict) {
  EXPECT_EQ(run("validate good.json").exit_code, 0);
  EXPECT_THAT(run("validate good.json").out, StartsWith("small: conforms\n"));
  EXPECT_EQ(run("validate bad.json").exit_code, 1);
  EXPECT_THAT(run("validate bad.json").out, HasSubstr("FAIL  accuracy/encoding"));
}

TEST_F(Program, JudgesTensorsGivenAsOptions) {
  const auto outcome = run("validate --spec spec.json --encoding bad.npy --contract faithful --json -");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document.at("contracts").at(0).at("contract"), "faithful");
  EXPECT_EQ(document.at("reproduce"),
            "vernier validate --spec spec.json --encoding bad.npy --contract faithful");
}

/// Two runs by one spec are told apart by their names, as in the tests of a project.
TEST_F(Program, CallsACaseWhatItIsTold) {
  const auto outcome = run("validate good.json --name 'my kernel' --json -");
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document.at("case"), "my kernel");
  EXPECT_EQ(document.at("reproduce"), "vernier validate good.json --name 'my kernel'");
}

TEST_F(Program, WritesTheDocumentBesideTheText) {
  const auto outcome = run("validate good.json --json verdict.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, StartsWith("small: conforms\n"));
  EXPECT_EQ(slurp("verdict.json"), run("validate good.json --json -").out);
  run("validate bad.json --json verdict.json");
  EXPECT_EQ(nlohmann::json::parse(slurp("verdict.json")).at("verdict"), "does_not_conform");
}

TEST_F(Program, TakesAModelInPlaceOfASpec) {
  EXPECT_EQ(run("table --model llama-2-7b-hf --positions 0:40 -o cos.npy").exit_code, 0);
  const auto judged =
      run("validate --model llama-2-7b-hf --cos cos.npy --contract correctly-rounded --json -");
  EXPECT_EQ(judged.exit_code, 0);
  const auto document = nlohmann::json::parse(judged.out);
  EXPECT_EQ(document.at("reproduce"),
            "vernier validate --model llama-2-7b-hf --cos cos.npy --contract correctly-rounded");
  EXPECT_EQ(run("validate --model mistral-7b-v0.2 --cos cos.npy").exit_code, 1);
  EXPECT_THAT(run("sweep --model gemma-3-1b --layer sliding_attention --recipe float32-pow "
                  "--positions 0:9")
                  .out,
              StartsWith("RoPE, head_dim 256, base 10000,"));
  EXPECT_THAT(run("sweep --model gemma-3-1b --layer full_attention --recipe float32-pow --positions 0:9").out,
              StartsWith("RoPE, head_dim 256, base 1000000,"));
}

TEST_F(Program, ListsModelsVerifiedAndNot) {
  const auto outcome = run("list models");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("\nllama-2-7b-hf (meta-llama/Llama-2-7b-hf): RoPE, head_dim 128, base 10000, "),
                    HasSubstr("\nbloom-560m (bigscience/bloom-560m; not verified): ALiBi, 16 heads"),
                    HasSubstr("\ngpt2 (gpt2): learned table of 1024 rows: its values are in the weights\n"),
                    HasSubstr("\n  sliding_attention: RoPE, head_dim 256, base 10000, ")));
}

TEST_F(Program, RefusesModelsItCannotTell) {
  const std::string sweep = " --recipe float32-pow --positions 0:9";
  expect_refused("sweep --model llama-3.2-2b" + sweep, "the nearest are llama-3.2-1b, ");
  expect_refused("sweep --model gemma-3-1b" + sweep,
                 "--layer: found none, expected full_attention or sliding_attention");
  expect_refused("sweep --model gemma-3-1b --layer global" + sweep, "--layer: found \"global\"");
  expect_refused("sweep --model gpt2" + sweep, "learned table of 1024 rows");
  expect_refused("sweep --model mpt-7b" + sweep, "sines and cosines are all of one position");
  expect_refused("sweep" + sweep, "sweep: found neither, expected either --spec or --model");
  expect_refused("table --model llama-2-7b-hf --spec spec.json --positions 0:9 -o t.npy",
                 "table: found both, expected either --spec or --model");
  expect_refused("validate --model llama-2-7b-hf good.json", "both");
  expect_refused("validate --model llama-2-7b-hf", "--model llama-2-7b-hf: nothing to judge");
}

TEST_F(Program, LeavesSymbolicLinksAndDevicesInPlace) {
  std::filesystem::create_symlink("target.json", folder_.path() / "link.json");
  folder_.write("target.json", "old");
  EXPECT_EQ(run("validate good.json --json link.json").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path() / "link.json"));
  EXPECT_TRUE(nlohmann::json::accept(slurp("target.json")));
  EXPECT_EQ(run("validate good.json --json /dev/null").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Program, RefusesBadCommandLines) {
  expect_refused("", "found no command");
  expect_refused("frobnicate", "frobnicate");
  expect_refused("validate", "expected either a case file or --spec");
  expect_refused("validate good.json --spec spec.json", "both");
  expect_refused("validate good.json --cos good.npy", "tensors beside a case file");
  expect_refused("validate good.json --unknown", "--unknown");
  expect_refused("validate good.json bad.json", "bad.json");
  expect_refused("validate good.json --json", "--json");
  expect_refused("validate good.json --json - --text -", "two outputs");
  expect_refused("validate good.json --json no/such/folder/v.json",
                 "no/such/folder/v.json: cannot be written");
  expect_refused("validate good.json --json .", "found a directory");
  expect_refused("validate good.json --contract loose --json v.json", "\"loose\"");
  expect_refused("validate --spec spec.json --encoding good.npy --dtype bfloat16 --json v.json", "ROLE=TYPE");
  expect_refused("validate --spec spec.json --json v.json", "spec.json: nothing to judge");
  expect_refused("list everything", "everything");
  expect_refused("explain accuracy", "\"accuracy\"");
}

TEST_F(Program, RefusesBadSpecs) {
  const std::vector<std::string> bad{
      R"("d_model": 0)",
      R"("d_model": 1000000000)",
      R"("d_model": 8.5)",
      R"("d_model": "8")",
      R"("d_model": null)",
      R"("d_model": 8, "base": 0)",
      R"("d_model": 8, "base": -1)",
      R"("d_model": 8, "base": 1)",
      R"("d_model": 8, "base": "1e4")",
      R"("d_model": 8, "base": 1e99999)",
      R"("d_model": 8, "base": 1e31)",
      R"("d_model": 8, "layout": "half")",
      R"("d_model": 8, "theta": 1)",
      R"("d_model": 8, "d_model": 8)",
      R"("d_model": 8, "scale": 0)",
      R"("d_model": 8, "first_position": 4294967296)",
  };
  for (const auto& spec : bad) {
    folder_.write("case.json", sinusoidal_case(spec, "good.npy"));
    expect_refused("validate case.json --json v.json", "case.json");
  }
}

/// Of a very long name both ends are told.
TEST_F(Program, RefusesLongNamesInShort) {
  const auto outcome = run("value --spec begin" + std::string(100000, 'x') + "end --position 1");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_LE(outcome.err.size(), 2000U);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("beginxxx"), HasSubstr("xxx...xxx"), HasSubstr("xxend")));
}

/// A line for each, and nothing else anywhere.
TEST_F(Program, TellsAllFaultsOfAFileAtOnce) {
  folder_.write("faulty.json", R"({"scheme": "rope", "head_dim": "64", "rope_theta": 0, "colour": 1})");
  folder_.write("case.json", R"({"name": 5, "spec": {"scheme": "sinusoidal", "d_model": 0, "bse": 3},
                                 "tensors": {"encodin": "x.npy"}, "extra": 1})");
  folder_.write("waivers.json",
                R"([{"check": 3, "ceiling": {"budget_ratio": 0.5}, "issue": "i", "reason": 4, "x": 1,
                                     "expires": "2030-01-01"}, {"check": "a"}])");
  folder_.write("list.json", R"({"implementations": [{"id": "a", "name": 2, "server": 3, "encodings": [],
                                  "y": 1}], "z": 1})");
  const std::vector<std::pair<std::string, std::vector<std::string>>> faulty{
      {"validate --spec faulty.json --cos good.npy",
       {"faulty.json: head_dim: found the string", "faulty.json: rope_theta: found 0",
        "faulty.json: found the unknown key \"colour\""}},
      {"validate case.json",
       {"case.json: name: found 5", "case.json: tensors: found the unknown key \"encodin\"",
        "case.json: spec.d_model: found 0", "case.json: spec: found the unknown key \"bse\"",
        "case.json: found the unknown key \"extra\""}},
      {"validate good.json --waivers waivers.json",
       {"waivers.json: [0].check: found 3", "waivers.json: [0].ceiling.budget_ratio: found 0.5",
        "waivers.json: [0].reason: found 4", "waivers.json: [0]: found the unknown key \"x\"",
        "waivers.json: [1].ceiling: missing"}},
      {"report -o pages --positions 2 --implementations list.json",
       {"list.json: implementations[0].name: found 2", "list.json: implementations[0].server: found 3",
        "list.json: implementations[0]: found the unknown key \"y\"",
        "list.json: found the unknown key \"z\""}}};
  for (const auto& [arguments, told] : faulty) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    std::istringstream lines(outcome.err);
    for (const auto& sentence : told) {
      std::string line;
      std::getline(lines, line);
      EXPECT_THAT(line, StartsWith("vernier: " + sentence)) << outcome.err;
    }
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), static_cast<std::ptrdiff_t>(told.size())) << outcome.err;
  }
}

TEST_F(Program, RefusesWhatIsNotJson) {
  for (const std::string text : {"", "{", "not json", "[]", "3", R"({"spec": NaN})",
                                 R"({"spec": {"scheme": "sinusoidal", "d_model": 8, "base": NaN}})",
                                 R"({"name": "x"})", "{}", "\xff\xfe"}) {
    folder_.write("case.json", text);
    expect_refused("validate case.json --json v.json", "case.json");
  }
  folder_.write("case.json", std::string(1000, '[') + std::string(1000, ']'));
  expect_refused("validate case.json --json v.json", "case.json");
  expect_refused("validate missing.json --json v.json", "missing.json: no such file");
  expect_refused("validate . --json v.json", ".: found a folder");
}

TEST_F(Program, RefusesBadTensors) {
  const auto good = slurp("good.npy");
  const std::string data(320, '\0');
  const std::vector<std::pair<std::string, std::string>> bad{
      {"truncated", good.substr(0, good.size() - 1)},
      {"trailing", good + "x"},
      {"empty", ""},
      {"integers", npy_bytes(npy_header("<i4", "(10, 8)"), data)},
      {"big-endian", npy_bytes(npy_header(">f4", "(10, 8)"), data)},
      {"other width", npy_bytes(npy_header("<f4", "(8, 10)"), data)},
      {"one dimension", npy_bytes(npy_header("<f4", "(80,)"), data)},
      {"no rows", npy_bytes(npy_header("<f4", "(0, 8)"), "")},
      {"a terabyte", npy_bytes(npy_header("<f4", "(34359738368, 8)"), data)},
  };
  folder_.write("case.json", sinusoidal_case("\"d_model\": 8", "tensor.npy"));
  for (const auto& [what, bytes] : bad) {
    SCOPED_TRACE(what);
    folder_.write("tensor.npy", bytes);
    expect_refused("validate case.json --json v.json", "tensor.npy: ");
  }
}

TEST_F(Program, RefusesReportsItCannotWrite) {
  expect_refused("report -o .", "'.' holds ");
  expect_refused("report -o good.json", "good.json: cannot be made a folder");
  expect_refused("report --single-file .", ".");
  expect_refused("report --quick --positions 5",
                 "report: found both --quick and --positions, expected one of them");
  expect_refused("report --positions 1", "report: --positions: found 1, expected a number above 1");
}

TEST_F(Program, JudgesSlopesByTheirSpec) {
  const std::vector slopes{0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8};
  folder_.write("slopes.npy", npy_bytes(tensor_of(Format::binary32, {4}, slopes)));
  folder_.write("four.json", R"({"scheme": "alibi", "num_heads": 4})");
  folder_.write("six.json", R"({"scheme": "alibi", "num_heads": 6})");
  const auto judged = run("validate --spec four.json --slopes slopes.npy --json -");
  EXPECT_EQ(judged.exit_code, 0) << judged.err;
  const auto document = nlohmann::json::parse(judged.out);
  EXPECT_EQ(document["checks"][0]["id"], "accuracy/slopes");
  EXPECT_EQ(document["checks"][0]["worst_case"]["head"], "0");
  expect_refused("validate --spec six.json --slopes slopes.npy", "slopes: found the shape [4], expected [6]");
  EXPECT_THAT(run("explain accuracy/slopes").out, HasSubstr("Reordered heads"));
}

}  // namespace
}  // namespace vernier
