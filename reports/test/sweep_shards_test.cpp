// Sweeps in shards: the bytes of one process, whatever was cut, killed and started again, and no word of
// completeness where something is missing.

#include <iostream>
#include <map>
#include <numeric>
#include <optional>

#include "reference/test/refusal.hpp"
#include "reports/exchange/sweeps/shard.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Environment made_environment(const std::map<std::string, std::string>& variables) {
  return [=](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

void expect_shard(const std::map<std::string, std::string>& variables, int index, int count,
                  const std::string& by) {
  const auto found = shard_of(made_environment(variables));
  EXPECT_EQ(found.shard.index, index) << by;
  EXPECT_EQ(found.shard.count, count) << by;
  EXPECT_EQ(found.source, by);
}

TEST(Shard, CountsFromOne) {
  EXPECT_EQ(parse_shard("3/64").index, 3);
  EXPECT_EQ(parse_shard("64/64").count, 64);
  for (const std::string text :
       {"0/3", "4/3", "3", "/3", "3/", "-1/3", "1/0", "1/3 ", "1/1048577", "a/b", ""}) {
    EXPECT_THAT(refusal_of([&] { parse_shard(text); }), HasSubstr("expected I/N with I from 1 to N")) << text;
  }
}

TEST(Shard, IsReadFromTheEnvironment) {
  expect_shard({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "8"}}, 3, 8,
               "OMPI_COMM_WORLD_RANK 2 of OMPI_COMM_WORLD_SIZE 8");
  expect_shard({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}, 1, 4, "PMI_RANK 0 of PMI_SIZE 4");
  expect_shard({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "8"}}, 4, 4,
               "SLURM_PROCID 3 of SLURM_STEP_NUM_TASKS 4");
  expect_shard({{"JOB_COMPLETION_INDEX", "5"}, {"JOB_COMPLETIONS", "6"}}, 6, 6,
               "JOB_COMPLETION_INDEX 5 of JOB_COMPLETIONS 6");
  std::map<std::string, std::string> array{{"SLURM_ARRAY_TASK_ID", "14"},
                                           {"SLURM_ARRAY_TASK_COUNT", "4"},
                                           {"SLURM_ARRAY_TASK_MIN", "10"},
                                           {"SLURM_ARRAY_TASK_MAX", "16"}};
  expect_shard(array, 3, 4, "SLURM_ARRAY_TASK_ID 14 of SLURM_ARRAY_TASK_COUNT 4");
  array.insert({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}});
  expect_shard(
      array, 6, 8,
      "SLURM_ARRAY_TASK_ID 14 of SLURM_ARRAY_TASK_COUNT 4, SLURM_PROCID 1 of SLURM_STEP_NUM_TASKS 2");
}

/// A script of Slurm without srun has a rank of its own, which is no shard's.
TEST(Shard, IsNotGuessed) {
  const auto told = [](const std::map<std::string, std::string>& variables) {
    return refusal_of([&] { shard_of(made_environment(variables)); });
  };
  EXPECT_THAT(told({}), HasSubstr("found none of the variables"));
  EXPECT_THAT(told({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), HasSubstr("found none of the variables"));
  EXPECT_THAT(told({{"JOB_COMPLETION_INDEX", "5"}}), HasSubstr("found none of the variables"));
  EXPECT_THAT(told({{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}}), HasSubstr("PMI_RANK: found \"x\""));
  EXPECT_THAT(told({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}), HasSubstr("expected a number below the count"));
  EXPECT_THAT(told({{"SLURM_ARRAY_TASK_ID", "5"},
                    {"SLURM_ARRAY_TASK_COUNT", "3"},
                    {"SLURM_ARRAY_TASK_MIN", "1"},
                    {"SLURM_ARRAY_TASK_MAX", "7"}}),
              HasSubstr("expected evenly spaced numbers"));
}

class Shards : public Program {
 protected:
  Shards() { folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 8})"); }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  /// Runs a command within this process: to start one takes longer than these sweeps.
  RunOutcome within(std::vector<std::string> words) const {
    words.insert(words.begin(), "vernier");
    std::vector<const char*> arguments;
    for (const auto& word : words) {
      arguments.push_back(word.c_str());
    }
    std::ostringstream out;
    ::testing::internal::CaptureStderr();
    int exit_code = 2;
    std::cerr << refusal_of(
        [&] { exit_code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out); });
    return {exit_code, out.str(), ::testing::internal::GetCapturedStderr()};
  }

  /// A sweep in which the recipe breaks the contract. \param more options
  RunOutcome swept(const std::vector<std::string>& more,
                   const std::string& positions = "-100:20000:3") const {
    std::vector<std::string> words{"sweep",    "--spec",      path("rope.json"), "--positions=" + positions,
                                   "--recipe", "float32-pow", "--contract",      "faithful",
                                   "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return within(words);
  }

  /// \param order the index of each shard
  void sweep_all(const std::string& state, const std::vector<int>& order) const {
    for (const int index : order) {
      const auto shard = std::to_string(index) + "/" + std::to_string(order.size());
      const auto outcome = swept({"--state", path(state), "--shard", shard});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_THAT(outcome.out, order.size() == 1 ? HasSubstr("elements audited")
                                                 : HasSubstr("shard " + std::to_string(index) + " of "));
    }
  }

  RunOutcome merged(const std::string& state) const { return within({"merge", path(state)}); }

  void expect_partial(const std::string& state, const std::string& why) const {
    const auto outcome = merged(state);
    EXPECT_EQ(outcome.exit_code, 4) << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("PARTIAL: "), Not(HasSubstr("all of positions")),
                                   HasSubstr("usable horizons: unknown")));
  }
};

TEST_F(Shards, GiveTheBytesOfOneProcess) {
  const auto one = swept({});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_THAT(one.out, HasSubstr("all of positions -100 to 19997 in steps of 3"));
  std::vector<int> many(64);
  std::iota(many.rbegin(), many.rend(), 1);
  const std::vector<std::vector<int>> orders{{1}, {3, 1, 2}, many};
  for (const auto& order : orders) {
    const auto state = "state" + std::to_string(order.size());
    sweep_all(state, order);
    const auto outcome = merged(state);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, one.out) << order.size();
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Shards, AreNotDoneAgain) {
  sweep_all("state", {1, 2});
  const auto file = folder_.path() / "state/shard-1-of-2.json";
  const auto before = std::filesystem::last_write_time(file);
  const auto again = swept({"--state", path("state"), "--shard", "1/2"});
  EXPECT_THAT(again.out, HasSubstr("are done"));
  EXPECT_EQ(std::filesystem::last_write_time(file), before);
}

TEST_F(Shards, AreNamedWhereTheyAreMissingDamagedOrForeign) {
  sweep_all("state", {1, 2, 3});
  ASSERT_EQ(merged("state").exit_code, 0);
  const auto second = slurp("state/shard-2-of-3.json");
  const auto put = [&](const std::string& text) { folder_.write("state/shard-2-of-3.json", text); };

  std::filesystem::remove(folder_.path() / "state/shard-2-of-3.json");
  expect_partial("state", "shard-2-of-3.json: is missing");
  for (std::size_t at : {std::size_t{20}, second.size() / 2, second.size() - 1}) {
    auto damaged = second;
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    put(damaged);
    expect_partial("state", "shard-2-of-3.json: is damaged");
  }
  put(second.substr(0, second.size() / 2));
  expect_partial("state", "shard-2-of-3.json: is damaged");
  put("");
  expect_partial("state", "shard-2-of-3.json: is damaged");
  put(slurp("state/shard-1-of-3.json"));
  expect_partial("state", "shard-2-of-3.json: shard: found 1, expected an integer from 2 to 2");
  // Of other positions.
  for (const std::string shard : {"1/3", "2/3", "3/3"}) {
    ASSERT_EQ(swept({"--state", path("other"), "--shard", shard}, "0:20000:3").exit_code, 0);
  }
  put(slurp("other/shard-2-of-3.json"));
  expect_partial("state", "shard-2-of-3.json: belongs to a different sweep");

  // What is damaged is done anew, with a word.
  const auto healed = swept({"--state", path("state"), "--shard", "2/3"});
  EXPECT_THAT(
      healed.err,
      HasSubstr("belongs to a different sweep: its digest is not that of sweep.json; its work is repeated"));
  EXPECT_EQ(merged("state").out, swept({}).out);
}

TEST_F(Shards, AreOfOneSweepInAFolder) {
  sweep_all("state", {1, 2});
  const auto again = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--state", path("state"), "--shard", "1/2"};
    words.insert(words.end(), more.begin(), more.end());
    return swept(words).err;
  };
  EXPECT_THAT(again({"--dtype", "float64"}),
              HasSubstr("sweep.json: dtype: found \"float32\", expected \"float64\""));
  EXPECT_THAT(swept({"--state", path("state"), "--shard", "1/3"}).err,
              HasSubstr("shards: found 2, expected 3"));
  EXPECT_THAT(swept({"--state", path("state")}).err, HasSubstr("shards: found 2, expected 1"));
  EXPECT_THAT(swept({"--shard", "1/2"}).exit_code, 2) << "nowhere to put it";
  EXPECT_THAT(swept({"--state", path("rope.json")}).err, HasSubstr("rope.json: cannot be made a folder"));

  const auto stored = slurp("state/sweep.json");
  auto other_version = stored;
  other_version.replace(other_version.find("(commit "), 8, "(comnit ");
  folder_.write("state/sweep.json", other_version);
  EXPECT_THAT(merged("state").err, HasSubstr("sweep.json: vernier: found \""));
  folder_.write("state/sweep.json", stored.substr(0, 100));
  EXPECT_EQ(merged("state").exit_code, 2);
  std::filesystem::remove(folder_.path() / "state/sweep.json");
  EXPECT_THAT(merged("state").err, HasSubstr("sweep.json: no such file"));
}

/// Two recipes in two types.
class SeveralSweeps : public Shards {
 protected:
  RunOutcome swept_all(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"sweep",
                                   "--spec",
                                   path("rope.json"),
                                   "--positions=0:20000:3",
                                   "--recipes",
                                   "float64-pow,float32-pow",
                                   "--formats",
                                   "float32,bfloat16",
                                   "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return within(words);
  }

  void sweep_shards(const std::string& state, const std::vector<int>& order) const {
    for (const int index : order) {
      const auto shard = std::to_string(index) + "/" + std::to_string(order.size());
      const auto outcome = swept_all({"--state", path(state), "--shard", shard});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
  }
};

TEST_F(SeveralSweeps, GiveTheBytesOfOneProcess) {
  const auto one = swept_all({});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  for (const std::string name : {"rope, float64-pow, float32\n", "\nrope, float64-pow, bfloat16\n",
                                 "\nrope, float32-pow, float32\n", "\nrope, float32-pow, bfloat16\n"}) {
    EXPECT_THAT(one.out, HasSubstr(name));
  }
  std::vector<int> many(64);
  std::iota(many.rbegin(), many.rend(), 1);
  const std::vector<std::vector<int>> orders{{1}, {3, 1, 2}, many};
  for (const auto& order : orders) {
    const auto state = "state" + std::to_string(order.size());
    sweep_shards(state, order);
    const auto outcome = merged(state);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, one.out) << order.size();
  }
  EXPECT_EQ(swept_all({"--state", path("state1")}).out, one.out) << "finished, told again";
}

TEST_F(SeveralSweeps, NameTheShardThatIsMissingDamagedOrForeign) {
  sweep_shards("state", {1, 2});
  const std::string third = "state/3-rope-float32-pow-float32/";
  const auto shard = slurp(third + "shard-2-of-2.json");
  const auto partial = [&](const std::string& why) {
    const auto outcome = merged("state");
    EXPECT_EQ(outcome.exit_code, 4) << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("rope, float32-pow, float32\n"), HasSubstr("PARTIAL: "),
                                   HasSubstr("rope, float32-pow, bfloat16\n")));
  };
  std::filesystem::remove(folder_.path() / third / "shard-2-of-2.json");
  partial(third + "shard-2-of-2.json: is missing");
  folder_.write(third + "shard-2-of-2.json", shard.substr(0, 100));
  partial(third + "shard-2-of-2.json: is damaged");
  folder_.write(third + "shard-2-of-2.json", slurp("state/4-rope-float32-pow-bfloat16/shard-2-of-2.json"));
  partial(third + "shard-2-of-2.json: belongs to a different sweep");
  folder_.write(third + "shard-2-of-2.json", shard);
  ASSERT_EQ(merged("state").exit_code, 0);

  // A folder of another sweep, whole as it is.
  for (const std::string file : {"sweep.json", "shard-1-of-2.json", "shard-2-of-2.json"}) {
    folder_.write(third + file, slurp("state/4-rope-float32-pow-bfloat16/" + file));
  }
  partial("3-rope-float32-pow-float32: belongs to a different sweep than sweeps.json lists");
  std::filesystem::remove(folder_.path() / third / "sweep.json");
  partial(third + "sweep.json");
  folder_.write("state/sweeps.json", "{}");
  EXPECT_EQ(merged("state").exit_code, 2);
}

TEST_F(SeveralSweeps, AreRefusedWhereTheyAreOthers) {
  const auto refused = [&](const RunOutcome& outcome, const std::string& why) {
    EXPECT_EQ(outcome.exit_code, 2) << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  sweep_shards("several", {1});
  sweep_all("one", {1});
  refused(swept({"--state", path("several")}), "holds several sweeps");
  refused(swept_all({"--state", path("one")}), "holds one sweep");
  refused(swept_all({"--state", path("several"), "--contract", "faithful"}),
          "sweeps.json: found different sweeps");
  refused(within({"sweep", "--models", "gpt-j-6b", "--model", "gpt-j-6b", "--recipe", "float32-pow",
                  "--positions", "0:8"}),
          "found --models and --model");
  refused(within({"sweep", "--models", "gpt-j-6b,gpt-j-6b", "--recipe", "float32-pow", "--positions", "0:8"}),
          "--models: found \"gpt-j-6b\" twice");
  refused(within({"sweep", "--models", "gpt-j-6b,none", "--recipe", "float32-pow", "--positions", "0:8"}),
          "--models: found \"none\"");
  const auto models = within(
      {"sweep", "--models", "gpt-j-6b,llama-2-7b-hf", "--recipe", "float32-pow", "--positions", "0:8", "-q"});
  EXPECT_THAT(models.out, AllOf(HasSubstr("gpt-j-6b, float32-pow, float32\n"),
                                HasSubstr("\nllama-2-7b-hf, float32-pow, float32\n")));
}

/// Killed once, asked to stop once, and ended by the third.
TEST_F(Shards, GoOnWhereTheyWereEnded) {
  const std::string sweep =
      "\"$VERNIER\" sweep --spec rope.json --positions 0:2^20 --recipe float64-pow -q --threads 1";
  const auto one = shell(sweep);
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const auto ended = [&](const std::string& signal, const std::string& condition) {
    return shell("touch mark; " + sweep + " --state state & while " + condition +
                 "; do sleep 0.01; done; kill -" + signal + " $!; wait $!");
  };
  EXPECT_EQ(ended("KILL", "! test -e state/shard-1-of-1.json").exit_code, 137);
  const auto killed = merged("state");
  EXPECT_EQ(killed.exit_code, 4) << killed.out;
  EXPECT_THAT(killed.err, HasSubstr("is not finished"));
  const auto asked = ended("TERM", "! test state/shard-1-of-1.json -nt mark");
  EXPECT_EQ(asked.exit_code, 75) << asked.err;
  const auto finished = shell(sweep + " --state state");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, one.out);
  EXPECT_EQ(merged("state").out, one.out);
}

}  // namespace
}  // namespace vernier
