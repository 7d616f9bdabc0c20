// Signals end every command, and leave nothing behind.

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST_F(Program, LeavesNothingWhenInterrupted) {
  run("--version");  // makes the two files of a run
  const auto before = files();
  const std::string table = " \"$VERNIER\" table --spec spec.json --threads 1 --positions 0:2^26 -o x.npy";
  const std::string sweep =
      " \"$VERNIER\" sweep --spec spec.json --threads 1 --recipe float32-pow --positions 0:2^31";
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    for (const auto& command : {table, sweep}) {
      const auto outcome = shell("timeout --preserve-status -k 10 -s " + signal + " 0.2" + command);
      EXPECT_EQ(outcome.exit_code, 130) << signal << command;
      EXPECT_EQ(outcome.err, "vernier: interrupted\n") << signal << command;
      EXPECT_EQ(files(), before) << signal << command;
    }
  }
}

/// As under nohup.
TEST_F(Program, GoesOnWhereTheSignalIsIgnored) {
  const auto outcome = shell(
      "trap '' HUP; \"$VERNIER\" table --spec spec.json --threads 1 --positions 0:2^22 -o x.npy & "
      "for i in 1 2 3 4 5 6 7 8 9; do kill -HUP $!; sleep 0.01; done; wait $!");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("every element correctly rounded"));
}

}  // namespace
}  // namespace vernier
