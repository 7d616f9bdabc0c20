// vernier-mpi: `vernier sweep` by the processes of an MPI job. Rank 0 gives out tasks and puts together what
// they found, the others audit. What is found does not depend on who found it when, so that the result is
// that of one process, to the byte.

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/core.h>
#include <mpi.h>

#include "numerics/audit/audit_state.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/command/command.hpp"
#include "reports/command/sweep_options.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int giver = 0;  // the rank that gives out tasks
/// Messages: what a rank found, or nothing at first, and the tasks that it is to do, none at the end.
enum Tag { found_tag = 1, tasks_tag = 2 };
/// Between two looks for messages: MPI's own waiting takes a whole processor.
constexpr auto between_looks = std::chrono::milliseconds(1);
/// That a rank works between two messages.
constexpr double batch_seconds = 1;

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int number_of_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

void send(const std::string& text, int rank) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, found_tag, MPI_COMM_WORLD);
}

/// The next message, if there is one. \return who sent it, and its text
std::optional<std::pair<int, std::string>> received() {
  int is_there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, found_tag, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) {
    return std::nullopt;
  }
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, found_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return std::pair(status.MPI_SOURCE, std::move(text));
}

void give(const TaskSpan& tasks, int rank) {
  const std::array numbers{tasks.first, tasks.last};
  MPI_Send(numbers.data(), 2, MPI_INT64_T, rank, tasks_tag, MPI_COMM_WORLD);
}

TaskSpan given() {
  int is_there = 0;
  while (is_there == 0) {
    MPI_Iprobe(giver, tasks_tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (is_there == 0) {
      std::this_thread::sleep_for(between_looks);
    }
  }
  std::array<std::int64_t, 2> numbers{};
  MPI_Recv(numbers.data(), 2, MPI_INT64_T, giver, tasks_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {numbers[0], numbers[1]};
}

/// What rank 0 gives out of a sweep, and puts together.
class Work {
 public:
  Work(const Sweep& sweep, SavedShard& saved, int workers)
      : saved_(saved), left_(saved.state().left({0, sweep.tasks()})), workers_(workers) {
    std::ranges::reverse(left_);
  }

  /// Tasks for a rank, an empty span if none are left. As many as the rank does in `batch_seconds`, and fewer
  /// towards the end, so that all end together.
  TaskSpan next(int rank) {
    if (left_.empty()) {
      return {};
    }
    const auto all = sum_of(left_, &TaskSpan::count);
    auto& span = left_.back();
    const auto fair = std::max<std::int64_t>(all / (2 * workers_), 1);
    const auto speed = speed_.contains(rank) ? speed_[rank] * batch_seconds : 1.0;
    const auto count =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(speed), 1, std::min(fair, span.count()));
    const TaskSpan tasks{span.first, span.first + count};
    span.first += count;
    if (span.count() == 0) {
      left_.pop_back();
    }
    under_way_[rank] = {tasks, Clock::now()};
    return tasks;
  }

  /// \return how many tasks the rank had
  std::int64_t add(int rank, const AuditReport& found) {
    const auto [tasks, start] = under_way_.at(rank);
    const std::chrono::duration<double> taken = Clock::now() - start;
    speed_[rank] = static_cast<double>(tasks.count()) / std::max(taken.count(), 1e-3);
    under_way_.erase(rank);
    saved_.add(tasks, found);
    return tasks.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct UnderWay {
    TaskSpan tasks;
    Clock::time_point start;
  };

  SavedShard& saved_;
  std::vector<TaskSpan> left_;
  std::map<int, UnderWay> under_way_;  ///< by rank
  std::map<int, double> speed_;        ///< tasks a second
  int workers_;
};

AuditReport read_found(const std::string& text) {
  const auto document = parse_json(text, "what a rank found");
  return read_audit_state(ObjectReader(document, "what a rank found", ""));
}

/// The first message of each rank is its manifest: what differs there would differ in the result.
void require_same_work(const std::string& own, const std::string& its, int rank) {
  refuse_if(
      own != its,
      "rank {}: found a Vernier, C library or processor that differs from rank 0's, expected the same on "
      "all ranks",
      rank);
}

/// Gives out all tasks. \return false if it was interrupted
bool give_out(const Sweep& sweep, Work& work, Progress& progress) {
  const NotedInterrupts noted(seconds_to_save);
  const auto own = manifest_text(sweep, 1);
  auto awaited = number_of_ranks() - 1;
  std::vector<bool> is_known(static_cast<std::size_t>(number_of_ranks()));
  try {
    while (awaited > 0) {
      stop_if_interrupted();
      const auto message = received();
      if (!message) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      const auto& [rank, text] = *message;
      if (is_known[static_cast<std::size_t>(rank)]) {
        progress.advance(static_cast<std::uint64_t>(work.add(rank, read_found(text))));
      } else {
        require_same_work(own, text, rank);
        is_known[static_cast<std::size_t>(rank)] = true;
      }
      const auto tasks = work.next(rank);
      give(tasks, rank);
      awaited -= tasks.count() == 0 ? 1 : 0;
    }
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

void audit_what_is_given(const Sweep& sweep) {
  // Rank 0 decides what becomes of an interrupt, which all ranks get.
  const NotedInterrupts noted(seconds_to_save);
  send(manifest_text(sweep, 1), giver);
  for (auto tasks = given(); tasks.count() > 0; tasks = given()) {
    send(audit_state(sweep.run(tasks.first, tasks.last)).dump(), giver);
  }
}

int sweep_as_giver(const Sweep& sweep, const SweepOptions& options, std::ostream& out) {
  std::optional<Progress> progress(std::in_place, progress_place(options.work.quiet));
  const bool is_saved = !options.state.empty();
  const auto folder = is_saved ? std::make_unique<SweepFolder>(options.state, sweep, 1) : nullptr;
  SavedShard saved(folder.get(), Shard{}, [&](const std::string& sentence) {
    progress->say(std::cerr, "vernier-mpi: " + one_line(sentence));
  });
  const auto& state = saved.state();
  const auto workers = number_of_ranks() - 1;
  Work work(sweep, saved, workers);
  const auto left = sweep.tasks() - state.tasks_done();
  progress->begin(fmt::format("{}, {} ranks", sweep.plan().recipe->id, workers),
                  static_cast<std::uint64_t>(std::max<std::int64_t>(left, 1)));
  const bool is_done = give_out(sweep, work, *progress);
  saved.save();
  progress.reset();
  if (!is_done) {
    std::cerr << fmt::format("vernier-mpi: interrupted; {} of {} tasks are {}\n", state.tasks_done(),
                             sweep.tasks(),
                             is_saved ? "saved, and the same command goes on from there" : "done and lost");
    MPI_Abort(MPI_COMM_WORLD, is_saved ? exit_code_of_saved_work : exit_code_of_an_interrupt);
  }
  print_sweep(sweep, state.report, out);
  return 0;
}

int run(const SweepOptions& options, std::ostream& out) {
  refuse_if(number_of_ranks() < 2,
            "sweep: found 1 rank, expected at least 2: rank 0 gives out work (mpirun -n N)");
  auto plans = read_sweep_plans("sweep", options);
  refuse_if(plans.size() != 1, "sweep: found {} sweeps, expected one a run of vernier-mpi", plans.size());
  const Sweep sweep(std::move(plans.front().plan), {.threads = options.work.threads});
  if (rank_of_this() == giver) {
    return sweep_as_giver(sweep, options, out);
  }
  audit_what_is_given(sweep);
  return 0;
}

Action declare_mpi_sweep(ArgumentParser& command) {
  return declared(command, run);
}

constexpr std::array mpi_commands{Command{"sweep", declare_mpi_sweep, "vernier-mpi"}};

/// Rank 0 alone speaks; of the others only faults that it does not have end the job.
int run_rank(int argc, char** argv) {
  std::ostringstream unsaid;
  const bool speaks = rank_of_this() == giver;
  const int code =
      exit_code_of([&] { return run_command_line(argc, argv, speaks ? std::cout : unsaid, mpi_commands); },
                   "vernier-mpi", speaks ? std::cerr : unsaid);
  if (code != 0 && !speaks) {
    // Rank 0 has the same to say of what all of them read.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::cerr << unsaid.str();
  }
  return code;
}

}  // namespace
}  // namespace vernier

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  vernier::end_in_a_sentence();
  vernier::end_when_interrupted();
  const int code = vernier::run_rank(argc, argv);
  if (code != 0) {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
  return code;
}
