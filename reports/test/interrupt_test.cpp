// Signals end every command, and leave nothing behind.

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST_F(Program, LeavesNothingOfAFileWhenInterrupted) {
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    // The shell has what runs beside it ignore SIGINT.
    const auto outcome = shell(
        "env --default-signal=INT \"$VERNIER\" table --spec spec.json --threads 1 --positions 0:2^27 -o "
        "x.npy & "
        "while ! ls .vernier-*.part; do sleep 0.01; done >/dev/null 2>&1; kill -" +
        signal + " $!; wait $!");
    EXPECT_EQ(outcome.exit_code, 130) << signal;
    EXPECT_EQ(outcome.err, "vernier: interrupted\n") << signal;
    EXPECT_EQ(shell("ls -A | grep -e x.npy -e part").out, "") << signal;
  }
}

TEST_F(Program, EndsAtOnceWhenInterrupted) {
  const auto outcome = shell("timeout --preserve-status -k 10 -s INT " + seconds_to_begin +
                             " \"$VERNIER\" sweep --spec spec.json --recipe float32-pow --positions 0:2^31");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "vernier: interrupted\n");
}

/// As from `timeout`, which signals a process and its group. The pipe is full until both signals are there,
/// so that the first is still being answered, in one thread, when the second comes to the other.
TEST_F(Program, SaysOnceThatItWasInterruptedTwice) {
  for (const std::string second : {"INT", "TERM"}) {
    const auto outcome = shell(
        "rm -f pipe; mkfifo pipe; exec 3<>pipe 4<pipe; head -c 65536 /dev/zero >&3; "
        "env --default-signal=INT \"$VERNIER\" sweep --spec spec.json --recipe float32-pow --threads 2 "
        "--positions 0:2^31 2>&3 3>&- 4<&- & exec 3>&-; sleep " +
        seconds_to_begin + "; kill -INT $!; sleep 0.1; kill -" + second +
        " $!; sleep 0.1; tr -d '\\0' <&4; wait $!");
    EXPECT_EQ(outcome.exit_code, 130) << second;
    EXPECT_EQ(outcome.out, "vernier: interrupted\n") << second;
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
