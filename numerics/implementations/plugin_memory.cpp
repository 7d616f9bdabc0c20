#include "numerics/implementations/plugin_memory.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "reference/counted.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, plugin_protocol::pieces> piece_names{"the spec", "the role",
                                                                            "the positions", "the input", ""};

std::uint32_t bit(std::size_t piece) {
  return std::uint32_t{1} << piece;
}

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// "12 bytes of the positions, the first at offset 24". \pre the spans are equally long and differ
std::string difference(std::string_view name, std::span<const std::byte> before,
                       std::span<const std::byte> after) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    count += before[i] != after[i] ? 1 : 0;
  }
  const auto first = std::ranges::mismatch(before, after).in1 - before.begin();
  return fmt::format("{} of {}, the first at offset {}", counted(count, "byte", "bytes"), name, first);
}

}  // namespace

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

void PluginMemory::read_output(std::span<std::byte> dense) const {
  rows_.gather(piece(Piece::output).data(), dense);
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
      effects.push_back({SideEffectKind::changed_input, difference(name, contents_[i], memory_[i].data())});
    }
    if (changed || (outside && which != Piece::output)) {
      place(which, contents_[i]);
    }
  }
  return effects;
}

}  // namespace vernier
