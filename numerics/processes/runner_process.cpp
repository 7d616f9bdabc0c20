#include "numerics/processes/runner_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "numerics/processes/runner_protocol.hpp"
#include "numerics/processes/system_fault.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr const char* runner_name = "vernier-plugin-runner";

struct Channel {
  Descriptor ours;
  Descriptor theirs;
};

/// Messages keep their bounds, and an end of the other side is noticed.
Channel make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw InputError("cannot make a channel to the plug-in runner ({})",
                     std::generic_category().message(errno));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// \param end nothing: it has not ended, and can no longer be asked all the same
std::string ending(const std::optional<ChildEnd>& end) {
  if (!end || (end->kind == ChildEnd::Kind::exited && end->value == plugin_protocol::cannot_be_asked)) {
    return "closed the descriptor over which it is asked";
  }
  if (end->kind == ChildEnd::Kind::signalled && end->value == SIGSYS) {
    return "killed as it started a process, or signalled or changed another one, which a plug-in may not do";
  }
  return to_string(*end);
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
  throw InputError("{}: no such program, expected it at {} or {}", runner_name, places[0].string(),
                   places[1].string());
}

RunnerProcess::RunnerProcess(const std::filesystem::path& runner, const std::filesystem::path& library,
                             std::uint64_t memory)
    : runner_(std::filesystem::absolute(runner)) {
  auto channel = make_channel();
  ChildOptions options;
  options.arguments = {runner_.string(), library.string(), std::to_string(memory)};
  options.inherited = {channel.theirs.value()};
  options.memory = memory;
  process_.emplace(options);
  channel_ = std::move(channel.ours);
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
  const auto sent = TEMP_FAILURE_RETRY(sendmsg(channel_.value(), &header, MSG_NOSIGNAL | MSG_DONTWAIT));
  if (sent < 0) {
    require_no_system_fault("a question cannot be sent");
  }
  return sent == static_cast<ssize_t>(message.size());
}

RunnerProcess::Reception RunnerProcess::receive(std::span<std::byte> message, Clock::time_point deadline,
                                                const std::function<void()>& pause) {
  if (!wait_to_read(channel_.value(), deadline, pause)) {
    return Reception::timed_out;
  }
  const auto size =
      TEMP_FAILURE_RETRY(recv(channel_.value(), message.data(), message.size(), MSG_DONTWAIT | MSG_TRUNC));
  if (size < 0) {
    require_no_system_fault("the answer of a plug-in cannot be received");
  }
  if (size <= 0) {
    return Reception::ended;
  }
  return static_cast<std::size_t>(size) == message.size() ? Reception::received : Reception::malformed;
}

std::string RunnerProcess::how_it_ended(const std::string& when) {
  // A process that dies closes its end of the channel a moment before its status can be read.
  constexpr milliseconds dying{500};
  const auto end = process_->wait_until(Clock::now() + dying);
  if (end && end->kind == ChildEnd::Kind::not_started) {
    throw InputError("{}: the plug-in runner {}", runner_.string(), to_string(*end));
  }
  const auto line = last_line(process_->output());
  return fmt::format("{} {}{}", ending(end), when,
                     line.empty() ? "" : fmt::format("; it last printed '{}'", line));
}

}  // namespace vernier
