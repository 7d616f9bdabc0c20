// Loads one plug-in and calls its functions when Vernier asks, in a process that may die of it.
// Usage: vernier-plugin-runner LIBRARY ADDRESS_SPACE_IN_BYTES, with the descriptors of runner_protocol.hpp
// open.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "numerics/processes/runner/confinement.hpp"
#include "numerics/processes/runner/guarded_memory.hpp"
#include "numerics/processes/runner/plugin_library.hpp"
#include "numerics/processes/runner_protocol.hpp"

namespace vernier::plugin_runner {
namespace {

using plugin_protocol::Answer;
using plugin_protocol::CallOutcome;
using plugin_protocol::LoadOutcome;
using plugin_protocol::LoadReport;
using plugin_protocol::Piece;
using plugin_protocol::Question;
using plugin_protocol::TensorLayout;

/// The same under a number that a plug-in does not close or write to by accident.
int moved_out_of_the_way(int descriptor) {
  constexpr int lowest = 64;
  unsigned char offset = 0;
  if (getrandom(&offset, sizeof offset, GRND_NONBLOCK) != sizeof offset) {
    offset = 0;
  }
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest + offset);
  if (moved < 0) {
    return descriptor;
  }
  close(descriptor);
  return moved;
}

template <typename Message>
bool send_message(int channel, const Message& message) {
  return send(channel, &message, sizeof message, MSG_NOSIGNAL) == sizeof message;
}

using Descriptors = std::array<int, plugin_protocol::pieces>;

/// Waits for a question. \param descriptors receives what came with it \returns false once Vernier is gone
bool receive(int channel, Question& question, Descriptors& descriptors) {
  iovec payload{&question, sizeof question};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Descriptors))> control{};
  msghdr message{};
  message.msg_iov = &payload;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != sizeof question) {
    return false;
  }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::memcpy(descriptors.data(), CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  return true;
}

/// What is shared with Vernier. Stays where it is until the process ends.
class Pieces {
 public:
  Pieces() {
    constexpr std::array names{"the spec", "the role", "the positions", "the input", "the output"};
    static_assert(names.size() == plugin_protocol::pieces);
    std::ranges::transform(names, noted_.begin(),
                           [](const char* name) { return GuardedPiece{.name = name}; });
    note_faults(noted_);
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() = default;

  bool map_new(const Question& question, const Descriptors& descriptors) {
    std::size_t next = 0;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      if ((question.new_pieces >> piece & 1) != 0) {
        const int descriptor = descriptors[next++];
        const bool mapped = pieces_[piece].map(descriptor, question.capacity[piece]);
        close(descriptor);
        if (!mapped) {
          return false;
        }
        noted_[piece].reserved = pieces_[piece].reserved();
      }
    }
    return true;
  }

  void* open(const Question& question, Piece piece) {
    const auto index = static_cast<std::size_t>(piece);
    void* data = pieces_[index].open(question.bytes[index]);
    noted_[index].data = {static_cast<const std::byte*>(data), question.bytes[index]};
    return data;
  }

 private:
  std::array<GuardedMemory, plugin_protocol::pieces> pieces_;
  std::array<GuardedPiece, plugin_protocol::pieces> noted_;
};

VernierTensor tensor(void* data, TensorLayout& layout) {
  return {data,
          {VERNIER_CPU, 0},
          static_cast<std::int32_t>(layout.dimensions),
          layout.type,
          layout.shape.data(),
          layout.has_strides != 0 ? layout.strides.data() : nullptr,
          0};
}

Answer answer_to(Question& question, const Descriptors& descriptors, Pieces& pieces,
                 const PluginLibrary& library) {
  Answer answer;
  answer.sequence = question.sequence;
  answer.outcome = CallOutcome::memory_not_available;
  if (!pieces.map_new(question, descriptors)) {
    return answer;
  }
  void* spec = pieces.open(question, Piece::spec);
  void* role = pieces.open(question, Piece::role);
  const auto positions = tensor(pieces.open(question, Piece::positions), question.positions);
  void* separate_input = pieces.open(question, Piece::input);
  const auto output = tensor(pieces.open(question, Piece::output), question.output);
  const auto input = tensor(question.in_place != 0 ? output.data : separate_input, question.input);
  if (spec == nullptr || role == nullptr || positions.data == nullptr || input.data == nullptr ||
      output.data == nullptr) {
    return answer;
  }
  library.call({question.function, static_cast<const char*>(spec), static_cast<const char*>(role), &positions,
                &input, &output},
               answer);
  return answer;
}

/// Never returns: what the plug-in wants done at the end of a process is done by a process that may hang.
[[noreturn]] void run(const char* library_path, std::uint64_t address_space) {
  const int channel = moved_out_of_the_way(plugin_protocol::channel_descriptor);
  LoadReport report;
  if (!confine(address_space)) {
    report.outcome = LoadOutcome::unconfined;
    send_message(channel, report);
    _exit(EXIT_FAILURE);
  }
  // Before the library is loaded, so that its own handler of faults, should it have one, has the last word.
  Pieces pieces;
  const PluginLibrary library(library_path, report);
  if (!send_message(channel, report) || report.outcome != LoadOutcome::loaded) {
    _exit(EXIT_FAILURE);
  }
  Question question;
  Descriptors descriptors{};
  while (receive(channel, question, descriptors) &&
         send_message(channel, answer_to(question, descriptors, pieces, library))) {
  }
  _exit(plugin_protocol::cannot_be_asked);
}

}  // namespace
}  // namespace vernier::plugin_runner

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 3 || fcntl(vernier::plugin_protocol::channel_descriptor, F_GETFD) < 0) {
    std::fputs("vernier-plugin-runner: is started by vernier, with a plug-in to load\n", stderr);
    return 2;
  }
  vernier::plugin_runner::run(arguments[1], std::strtoull(arguments[2], nullptr, 10));
}
