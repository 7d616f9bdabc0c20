#include "numerics/processes/plugin_memory.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>

#include "numerics/processes/runner_protocol.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// What surrounds the data: bytes without a pattern, so that neither zeros nor a shifted copy look the same.
std::span<const std::byte> surroundings(std::size_t bytes) {
  // Below the data there are at least a page and less than two.
  static const std::vector<std::byte> pattern = [] {
    std::vector<std::byte> made(2 * page_size());
    std::ranges::generate(made, [bits = std::mt19937_64()]() mutable { return std::byte(bits() >> 56); });
    return made;
  }();
  return std::span(pattern).first(bytes);
}

void surround(std::span<std::byte> place) {
  std::memcpy(place.data(), surroundings(place.size()).data(), place.size());
}

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

struct Changes {
  std::size_t count = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// \pre the spans are equally long
Changes changes(std::span<const std::byte> place, std::span<const std::byte> expected) {
  Changes found;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] != expected[i]) {
      found.first = found.count == 0 ? i : found.first;
      found.last = i;
      ++found.count;
    }
  }
  return found;
}

std::string counted_bytes(std::size_t count) {
  return counted(count, "byte", "bytes");
}

std::string range(std::size_t first, std::size_t last) {
  return first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
}

[[noreturn]] void refuse(std::size_t bytes) {
  throw InputError("cannot share {} of memory with the plug-in ({})", counted_bytes(bytes),
                   std::generic_category().message(errno));
}

constexpr std::array<std::string_view, plugin_protocol::pieces> piece_names{"the spec", "the role",
                                                                            "the positions", "the input", ""};

std::uint32_t bit(std::size_t piece) {
  return std::uint32_t{1} << piece;
}

template <typename Bits>
Bits element(std::span<const std::byte> bytes, std::size_t index) {
  Bits bits{};
  std::memcpy(&bits, bytes.data() + index * sizeof bits, sizeof bits);
  return bits;
}

/// The elements that still hold the poison. \tparam Bits as wide as an element
template <typename Bits>
std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::byte poison) {
  Bits pattern{};
  std::memset(&pattern, static_cast<int>(poison), sizeof pattern);
  const std::size_t elements = bytes.size() / sizeof pattern;
  // Counted first, as there is hardly ever one: a loop that collects nothing runs on vectors.
  std::size_t count = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    count += element<Bits>(bytes, i) == pattern ? 1 : 0;
  }
  std::vector<std::size_t> found;
  found.reserve(count);
  for (std::size_t i = 0; i < elements && found.size() < count; ++i) {
    if (element<Bits>(bytes, i) == pattern) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace

WatchedMemory::~WatchedMemory() {
  if (!mapped_.empty()) {
    munmap(mapped_.data(), mapped_.size());
  }
}

bool WatchedMemory::hold(std::size_t bytes) {
  // No machine addresses more, and the sums below stay far from overflow.
  constexpr std::size_t most = std::size_t{1} << 46;
  if (bytes > most) {
    errno = ENOMEM;
    refuse(bytes);
  }
  const std::size_t needed = plugin_protocol::open_bytes(bytes, page_size());
  const bool grows = needed > mapped_.size();
  if (grows) {
    const std::size_t capacity = std::bit_ceil(needed);
    Descriptor file(memfd_create("vernier", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Sealed: whoever gets hold of it cannot take the pages away from under Vernier.
    if (!file.is_open() || ftruncate(file.value(), static_cast<off_t>(capacity)) != 0 ||
        fcntl(file.value(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
      refuse(bytes);
    }
    void* start = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file.value(), 0);
    if (start == MAP_FAILED) {
      refuse(bytes);
    }
    if (!mapped_.empty()) {
      munmap(mapped_.data(), mapped_.size());
    }
    mapped_ = {static_cast<std::byte*>(start), capacity};
    file_ = std::move(file);
  }
  bytes_ = bytes;
  surround(below());
  surround(above());
  return grows;
}

std::span<std::byte> WatchedMemory::below() const {
  const std::size_t open = plugin_protocol::open_bytes(bytes_, page_size());
  return mapped_.subspan(mapped_.size() - open, open - plugin_protocol::start_before_end(bytes_));
}

std::optional<std::string> WatchedMemory::changed_surroundings() const {
  const auto size = below().size();
  std::string evidence;
  if (!equal(below(), surroundings(size))) {
    const auto found = changes(below(), surroundings(size));
    evidence = fmt::format("{}, {} before its start", counted_bytes(found.count),
                           range(size - found.first, size - found.last));
  }
  if (!equal(above(), surroundings(above().size()))) {
    const auto found = changes(above(), surroundings(above().size()));
    evidence += fmt::format("{}{}, {} after its end", evidence.empty() ? "" : ", and ",
                            counted_bytes(found.count), range(found.first + 1, found.last + 1));
  }
  return evidence.empty() ? std::nullopt : std::optional(evidence);
}

std::byte poison_for(std::uint64_t sequence) {
  return static_cast<std::byte>(0xf8 + sequence % 8);
}

std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::size_t width,
                                           std::byte poison) {
  switch (width) {
    case 1:
      return poisoned_elements<std::uint8_t>(bytes, poison);
    case 2:
      return poisoned_elements<std::uint16_t>(bytes, poison);
    case 4:
      return poisoned_elements<std::uint32_t>(bytes, poison);
    default:
      return poisoned_elements<std::uint64_t>(bytes, poison);
  }
}

void PluginMemory::hold(Piece which, std::size_t bytes) {
  if (piece(which).hold(bytes)) {
    new_pieces_ |= bit(static_cast<std::size_t>(which));
  }
}

void PluginMemory::place(Piece which, std::span<const std::byte> contents) {
  hold(which, contents.size());
  if (!contents.empty()) {
    std::memcpy(piece(which).data().data(), contents.data(), contents.size());
  }
  contents_[static_cast<std::size_t>(which)] = contents;
}

void PluginMemory::place_input(std::span<const std::byte> dense, const PaddedRows& rows, std::byte poison) {
  if (rows.strides().empty()) {
    place(Piece::input, dense);
    return;
  }
  padded_input_.assign(rows.bytes(), poison);
  rows.spread(dense, padded_input_);
  place(Piece::input, padded_input_);
}

void PluginMemory::place_output(PaddedRows rows, std::byte poison) {
  hold(Piece::output, rows.bytes());
  const auto data = piece(Piece::output).data();
  std::memset(data.data(), static_cast<int>(poison), data.size());
  rows_ = std::move(rows);
  poison_ = poison;
}

void PluginMemory::place_in_place(std::span<const std::byte> dense, PaddedRows rows, std::byte poison) {
  place_output(std::move(rows), poison);
  rows_.spread(dense, piece(Piece::output).data());
}

std::vector<int> PluginMemory::describe(plugin_protocol::Question& question) const {
  std::vector<int> descriptors;
  question.new_pieces = new_pieces_;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    question.bytes[i] = memory_[i].data().size();
    question.capacity[i] = memory_[i].capacity();
    if ((new_pieces_ & bit(i)) != 0) {
      descriptors.push_back(memory_[i].descriptor());
    }
  }
  return descriptors;
}

void PluginMemory::set_unknown() {
  new_pieces_ = 0;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    new_pieces_ |= memory_[i].capacity() > 0 ? bit(i) : 0;
  }
}

std::vector<SideEffect> PluginMemory::take_effects(std::string_view output) {
  std::vector<SideEffect> effects;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const auto which = static_cast<Piece>(i);
    const auto name = which == Piece::output ? output : piece_names[i];
    auto outside = memory_[i].changed_surroundings();
    if (which == Piece::output && !outside) {
      outside = rows_.changed_padding(memory_[i].data(), poison_);
    }
    const bool changed = which != Piece::output && !equal(contents_[i], memory_[i].data());
    if (outside) {
      effects.push_back({SideEffectKind::wrote_outside_output, fmt::format("{}: {}", name, *outside)});
    }
    if (changed) {
      const auto found = changes(memory_[i].data(), contents_[i]);
      effects.push_back(
          {SideEffectKind::changed_input,
           fmt::format("{} of {}, the first at offset {}", counted_bytes(found.count), name, found.first)});
    }
    if (changed || (outside && which != Piece::output)) {
      place(which, contents_[i]);
    }
  }
  return effects;
}

}  // namespace vernier
