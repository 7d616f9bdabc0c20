#include "numerics/plugin/runner_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "numerics/live/third_party_text.hpp"
#include "numerics/plugin/runner_protocol.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr const char* closed_channel = "closed the descriptor over which it is asked";
constexpr const char* runner_name = "vernier-plugin-runner";

/// \throws InputError unless the call succeeded. \param error 0, or why not
void require(int error, const char* what) {
  if (error != 0) {
    throw InputError(std::string("cannot start the plug-in runner: ") + what + " failed (" +
                     std::generic_category().message(error) + ")");
  }
}

/// Moved beyond the numbers that the runner's descriptors get, so that giving them out overwrites none.
FileDescriptor moved_up(FileDescriptor descriptor) {
  constexpr int first_free = plugin_protocol::lifeline_descriptor + 1;
  FileDescriptor moved(fcntl(descriptor.value(), F_DUPFD_CLOEXEC, first_free));
  require(moved.is_open() ? 0 : errno, "fcntl");
  return moved;
}

struct Ends {
  FileDescriptor ours;
  FileDescriptor theirs;
};

Ends make_channel() {
  std::array<int, 2> ends{};
  require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0 ? 0 : errno, "socketpair");
  Ends made{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  made.theirs = moved_up(std::move(made.theirs));
  return made;
}

enum class Direction { to_us, from_us };

Ends make_pipe(Direction direction) {
  std::array<int, 2> ends{};
  require(pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe");
  FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  Ends made = direction == Direction::to_us ? Ends{std::move(read_end), std::move(write_end)}
                                            : Ends{std::move(write_end), std::move(read_end)};
  made.theirs = moved_up(std::move(made.theirs));
  return made;
}

/// What is done between fork and exec.
class FileActions {
 public:
  FileActions() { require(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init"); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

  void open_empty(int as) {
    require(posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_RDONLY, 0),
            "posix_spawn_file_actions_addopen");
  }
  void pass(const FileDescriptor& descriptor, int as) {
    require(posix_spawn_file_actions_adddup2(&actions_, descriptor.value(), as),
            "posix_spawn_file_actions_adddup2");
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A session of its own, so that a terminal's signals are ours alone; no signal blocked or ignored.
class Attributes {
 public:
  Attributes() {
    require(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// A clause, from what waitpid said.
std::string ending(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == plugin_protocol::cannot_be_asked) {
    return closed_channel;
  }
  if (WIFEXITED(status)) {
    return std::string("left with exit code ") + std::to_string(WEXITSTATUS(status));
  }
  const int signal = WTERMSIG(status);
  if (signal == SIGSYS) {
    return "killed as it started a process, or signalled or changed another one, which a plug-in may not do";
  }
  const char* name = sigdescr_np(signal);
  return std::string("killed by signal ") + std::to_string(signal) + " (" +
         (name == nullptr ? "unknown" : name) + ")";
}

int milliseconds_until(RunnerProcess::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - RunnerProcess::Clock::now());
  return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 0, 1'000'000'000));
}

/// Whether the process ends by itself within this time.
bool ends_within(pid_t process, milliseconds time) {
  const FileDescriptor watched(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd end{watched.value(), POLLIN, 0};
  return watched.is_open() && poll(&end, 1, static_cast<int>(time.count())) == 1;
}

}  // namespace

std::filesystem::path find_plugin_runner() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::array places{folder / runner_name, folder.parent_path() / "libexec" / "vernier" / runner_name};
  for (const auto& place : places) {
    if (std::filesystem::is_regular_file(place, error)) {
      return place;
    }
  }
  throw InputError(std::string(runner_name) + ": no such program, expected it at " + places[0].string() +
                   " or " + places[1].string());
}

RunnerProcess::RunnerProcess(const std::filesystem::path& runner, const std::filesystem::path& library,
                             std::uintmax_t address_space) {
  auto channel = make_channel();
  auto lifeline = make_pipe(Direction::from_us);
  auto output = make_pipe(Direction::to_us);
  require(fcntl(output.ours.value(), F_SETFL, O_NONBLOCK) == 0 ? 0 : errno, "fcntl");
  FileActions actions;
  actions.open_empty(STDIN_FILENO);
  actions.pass(output.theirs, STDOUT_FILENO);
  actions.pass(output.theirs, STDERR_FILENO);
  actions.pass(channel.theirs, plugin_protocol::channel_descriptor);
  actions.pass(lifeline.theirs, plugin_protocol::lifeline_descriptor);
  const Attributes attributes;
  std::string program = runner.string();
  std::string plugin = library.string();
  std::string limit = std::to_string(address_space);
  const std::array<char*, 4> arguments{program.data(), plugin.data(), limit.data(), nullptr};
  const int error =
      posix_spawn(&process_, program.c_str(), actions.get(), attributes.get(), arguments.data(), environ);
  if (error != 0) {
    throw InputError(program + ": cannot be started to load the plug-in (" +
                     std::generic_category().message(error) + ")");
  }
  channel_ = std::move(channel.ours);
  lifeline_ = std::move(lifeline.ours);
  output_ = std::move(output.ours);
}

RunnerProcess::~RunnerProcess() {
  if (process_ >= 0) {
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
}

bool RunnerProcess::send(std::span<const std::byte> message, std::span<const int> descriptors) {
  iovec payload{const_cast<std::byte*>(message.data()), message.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * plugin_protocol::pieces)> control{};
  msghdr header{};
  header.msg_iov = &payload;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  return sendmsg(channel_.value(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(message.size());
}

RunnerProcess::Reception RunnerProcess::receive(std::span<std::byte> message, Clock::time_point deadline) {
  while (true) {
    // Closed outputs count as none: poll leaves negative descriptors alone.
    std::array<pollfd, 2> awaited{{{channel_.value(), POLLIN, 0}, {output_.value(), POLLIN, 0}}};
    const int ready = poll(awaited.data(), awaited.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) {
      throw InputError(std::string("cannot wait for the plug-in (") + std::generic_category().message(errno) +
                       ")");
    }
    if (ready > 0 && awaited[1].revents != 0) {
      drain();
    }
    if (ready > 0 && awaited[0].revents != 0) {
      const auto size = recv(channel_.value(), message.data(), message.size(), MSG_DONTWAIT | MSG_TRUNC);
      if (size <= 0) {
        return Reception::ended;
      }
      return static_cast<std::size_t>(size) == message.size() ? Reception::received : Reception::malformed;
    }
    // A plug-in that prints without end must not keep us here.
    if (ready == 0 || (ready > 0 && Clock::now() >= deadline)) {
      return Reception::timed_out;
    }
  }
}

void RunnerProcess::drain() {
  constexpr std::size_t kept = 4096;
  std::array<char, 65536> buffer;
  const auto size = read(output_.value(), buffer.data(), buffer.size());
  if (size > 0) {
    printed_.append(buffer.data(), static_cast<std::size_t>(size));
    if (printed_.size() > kept) {
      printed_.erase(0, printed_.size() - kept);
    }
  } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
    output_.reset();
  }
}

std::string RunnerProcess::last_words() {
  // What a pipe holds at most, twice: more is not there once the process has ended.
  for (int reads = 0; reads < 32 && output_.is_open(); ++reads) {
    pollfd rest{output_.value(), POLLIN, 0};
    if (poll(&rest, 1, 0) <= 0) {
      break;
    }
    drain();
  }
  const auto line = last_line(printed_);
  return line.empty() ? line : std::string("; it last printed '") + line + "'";
}

std::string RunnerProcess::how_it_ended(const std::string& when) {
  // A process that dies closes its end of the channel a moment before its status can be read.
  constexpr milliseconds dying{500};
  const bool by_itself = ends_within(process_, dying);
  kill(-process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return (by_itself ? ending(status) : std::string(closed_channel)) + " " + when + last_words();
}

}  // namespace vernier
