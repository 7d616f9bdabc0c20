#include "numerics/processes/child_process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "numerics/processes/child_supervisor.hpp"
#include "numerics/processes/process_tree.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;

/// A supervisor is given longer than it needs to kill all that can be killed.
constexpr milliseconds to_clean_up{6000};

/// The supervisors that live; held also while one is started, so that none is taken for an orphan.
struct Supervisors {
  std::mutex mutex;
  std::set<pid_t> living;
};

Supervisors& supervisors() {
  static Supervisors all;
  return all;
}

/// Whoever runs as the same user may look into and stop a process, unless it is marked like this; and what a
/// dead supervisor leaves comes to this process, which kills it.
void guard_this_process() {
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/// Kills what descends from supervisors that were killed. Each had a session of its own, which none of its
/// descendants can leave for ours.
void kill_orphans() {
  constexpr int most_rounds = 1000;  // of a millisecond: what can be killed dies within one or two
  const std::scoped_lock lock(supervisors().mutex);
  bool found = true;
  for (int round = 0; found && round < most_rounds; ++round) {
    found = false;
    visit_children(getpid(), [&](pid_t process) {
      if (getsid(process) != getsid(0) && !supervisors().living.contains(process)) {
        found = true;
        ::kill(-process, SIGKILL);
        ::kill(process, SIGKILL);
        waitpid(process, nullptr, WNOHANG);
      }
    });
    std::this_thread::sleep_for(milliseconds(found ? 1 : 0));
  }
}

std::string signal_name(int signal) {
  const char* description = strsignal(signal);
  return std::to_string(signal) + (description == nullptr ? "" : fmt::format(" ({})", description));
}

}  // namespace

Descriptor beyond_standard(Descriptor original, std::string_view what) {
  const int moved = original.is_open() ? fcntl(original.value(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
  refuse_if(moved < 0, "cannot start a process: {} ({})", what, std::generic_category().message(errno));
  return Descriptor(moved);
}

bool wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline,
                  const std::function<void()>& pause) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd watched{descriptor, POLLIN, 0};
    const auto patience = std::clamp(left, milliseconds(0), between_pauses);
    const bool is_ready = poll(&watched, 1, static_cast<int>(patience.count())) > 0;
    pause();
    if (is_ready || left.count() <= 0) {
      return is_ready;
    }
  }
}

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
  Descriptor read(made ? ends[0] : -1);
  Descriptor write(made ? ends[1] : -1);
  return {beyond_standard(std::move(read), "no pipe"), beyond_standard(std::move(write), "no pipe")};
}

std::string to_string(std::chrono::milliseconds time) {
  const auto count = time.count();
  return count % 1000 == 0 ? fmt::format("{} s", count / 1000) : fmt::format("{} ms", count);
}

std::string to_string(const ChildEnd& end) {
  switch (end.kind) {
    case ChildEnd::Kind::exited:
      return "left with exit code " + std::to_string(end.value);
    case ChildEnd::Kind::signalled:
      return "killed by signal " + signal_name(end.value);
    case ChildEnd::Kind::not_started:
      return "could not be started: " + std::generic_category().message(end.value);
    case ChildEnd::Kind::too_many_processes:
      return fmt::format("had more than {} processes", end.value);
    case ChildEnd::Kind::lost:
      return "was lost: the process that watched it was killed";
    case ChildEnd::Kind::started:
      break;
  }
  return "runs";
}

/// Reads what a child writes as it comes, so that a full pipe never stops it, and keeps the end of it.
class ChildProcess::OutputReader {
 public:
  OutputReader(Descriptor pipe, std::size_t most)
      : pipe_(std::move(pipe)),
        stop_(eventfd(0, EFD_CLOEXEC)),
        most_(most),
        thread_([this] { read_all(); }) {}

  ~OutputReader() {
    eventfd_write(stop_.value(), 1);
    thread_.join();
  }

  std::string end() const {
    const std::scoped_lock lock(mutex_);
    return text_.substr(text_.size() - std::min(text_.size(), most_));
  }

  /// Waits until nobody can write any more, or for some time.
  void finish(milliseconds patience) const {
    const auto deadline = Clock::now() + patience;
    while (!finished_ && Clock::now() < deadline) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

 private:
  void read_all() {
    std::vector<char> buffer(std::size_t{1} << 16);
    for (;;) {
      std::array<pollfd, 2> watched{{{pipe_.value(), POLLIN, 0}, {stop_.value(), POLLIN, 0}}};
      if (poll(watched.data(), watched.size(), -1) < 0) {
        continue;
      }
      const bool is_stopped = watched[1].revents != 0;
      const auto count =
          is_stopped ? 0 : TEMP_FAILURE_RETRY(read(pipe_.value(), buffer.data(), buffer.size()));
      if (count <= 0) {
        finished_ = true;
        return;
      }
      const std::scoped_lock lock(mutex_);
      text_.append(buffer.data(), static_cast<std::size_t>(count));
      if (text_.size() > 2 * most_) {
        text_.erase(0, text_.size() - most_);
      }
    }
  }

  Descriptor pipe_;
  Descriptor stop_;
  std::size_t most_;
  mutable std::mutex mutex_;
  std::string text_;
  std::atomic<bool> finished_ = false;
  std::thread thread_;
};

ChildProcess::ChildProcess(const ChildOptions& options) {
  assert(!options.arguments.empty() && options.inherited.size() <= most_inherited);
  auto arguments =
      mapped(options.arguments, [&](const auto& argument) { return const_cast<char*>(argument.c_str()); });
  arguments.push_back(nullptr);
  auto control = make_pipe();
  auto report = make_pipe();
  auto output = make_pipe();
  const auto empty = beyond_standard(Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)), "no /dev/null");
  const auto given = [](int descriptor, const Descriptor& otherwise) {
    assert(descriptor < 0 || descriptor > STDERR_FILENO);
    return descriptor < 0 ? otherwise.value() : descriptor;
  };
  const SupervisedChild child{.arguments = arguments.data(),
                              .inherited = options.inherited,
                              .control = control.read.value(),
                              .report = report.write.value(),
                              .input = given(options.standard_input, empty),
                              .output = given(options.standard_output, output.write),
                              .error = output.write.value(),
                              .memory = options.memory,
                              .processes = options.processes};
  control_ = std::move(control.write);
  report_ = std::move(report.read);
  output_ = std::make_unique<OutputReader>(std::move(output.read), options.output);
  guard_this_process();
  const std::scoped_lock lock(supervisors().mutex);
  supervisor_ = fork();
  refuse_if(supervisor_ < 0, "cannot start a process: no fork ({})", std::generic_category().message(errno));
  if (supervisor_ == 0) {
    control_.reset();
    supervise(child);
  }
  supervisors().living.insert(supervisor_);
}

ChildProcess::~ChildProcess() {
  kill();
}

std::optional<ChildEnd> ChildProcess::read_report() {
  ChildEnd report;
  // Written whole (write_report); else nobody is left to write it.
  const auto count = TEMP_FAILURE_RETRY(read(report_.value(), &report, sizeof report));
  if (count < 0) {
    throw std::system_error(errno, std::generic_category(), "the report about a process cannot be read");
  }
  if (count != sizeof report) {
    return ChildEnd{ChildEnd::Kind::lost, 0};
  }
  return report.kind == ChildEnd::Kind::started ? std::nullopt : std::optional(report);
}

std::optional<ChildEnd> ChildProcess::wait_until(Clock::time_point deadline,
                                                 const std::function<void()>& pause) {
  while (!end_) {
    if (!wait_to_read(report_.value(), deadline, pause)) {
      return std::nullopt;
    }
    end_ = read_report();
  }
  end_supervisor();
  return end_;
}

void ChildProcess::kill() {
  control_.reset();
  if (supervisor_ > 0 && !end_) {
    // The child may have stopped its supervisor.
    ::kill(supervisor_, SIGCONT);
    const auto deadline = Clock::now() + to_clean_up;
    try {
      while (!end_ && wait_to_read(report_.value(), deadline, [] {})) {
        end_ = read_report();
      }
    } catch (const std::system_error&) {
      end_ = ChildEnd{ChildEnd::Kind::lost, 0};  // it is killed all the same
    }
  }
  end_supervisor();
}

void ChildProcess::end_supervisor() {
  if (supervisor_ <= 0) {
    return;
  }
  const bool is_done = end_ && end_->kind != ChildEnd::Kind::lost;
  if (!is_done) {
    ::kill(supervisor_, SIGKILL);
  }
  control_.reset();
  TEMP_FAILURE_RETRY(waitpid(supervisor_, nullptr, 0));
  {
    const std::scoped_lock lock(supervisors().mutex);
    supervisors().living.erase(std::exchange(supervisor_, -1));
  }
  if (!is_done) {
    kill_orphans();
  }
  output_->finish(between_pauses);
}

std::string ChildProcess::output() const {
  return output_->end();
}

}  // namespace vernier
