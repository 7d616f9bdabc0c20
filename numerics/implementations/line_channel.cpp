#include "numerics/implementations/line_channel.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <poll.h>

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_line = std::size_t{1} << 16;

/// Holds back the signal that comes of writing to a pipe without a reader, which would end this process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() {
    constexpr timespec at_once{};
    while (sigismember(&before_, SIGPIPE) == 0 && sigtimedwait(&signal_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

}  // namespace

LineChannel::LineChannel() : to_process_(make_pipe()), from_process_(make_pipe()) {
  fcntl(to_process_.write.value(), F_SETFL, O_NONBLOCK);
}

void LineChannel::forget_ends_of_process() {
  to_process_.read.reset();
  from_process_.write.reset();
}

bool LineChannel::send(std::string_view line) {
  const WithoutPipeSignal guard;
  const auto text = std::string(line) + "\n";
  // Shorter than PIPE_BUF: written whole or not at all.
  return write(to_process_.write.value(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

LineChannel::Reception LineChannel::receive(std::string& line, Clock::time_point deadline,
                                            const std::function<void()>& pause) {
  for (;;) {
    const auto end = unread_.find('\n');
    line = unread_.substr(0, std::min(end, longest_line));
    if (end <= longest_line) {
      unread_.erase(0, end + 1);
      return Reception::received;
    }
    if (unread_.size() > longest_line) {
      return Reception::too_long;
    }
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    pollfd watched{from_process_.read.value(), POLLIN, 0};
    const auto patience = std::clamp(left, milliseconds(0), between_pauses);
    if (poll(&watched, 1, static_cast<int>(patience.count())) > 0) {
      std::array<char, 4096> buffer{};
      const auto count = read(watched.fd, buffer.data(), buffer.size());
      if (count == 0 || (count < 0 && errno != EINTR)) {
        return Reception::ended;
      }
      unread_.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    } else if (left.count() <= 0) {
      return Reception::timed_out;
    }
    pause();
  }
}

}  // namespace vernier
