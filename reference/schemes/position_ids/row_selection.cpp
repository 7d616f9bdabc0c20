#include "reference/schemes/position_ids/row_selection.hpp"

#include <array>
#include <string_view>

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> shard_names{"contiguous", "zigzag", "round_robin"};

}  // namespace

void RowSelection::keys(KeyVisitor& visit, std::int64_t tokens) {
  visit.optional("left_padding", left_padding, integer(0, most_listed_positions));
  if (left_padding > 0) {
    visit.defaulted("padding_position", padding_position, integer(0, 1));
  }
  visit.optional("shift", shift, integer(0, 64));
  visit.optional("ranks", ranks, integer(1, 4096), 1);
  if (ranks == 1) {
    return;
  }
  visit.required("rank", rank, integer(0, ranks - 1));
  visit.defaulted("shards", shards, one_of(shard_names));
  if (shards == Shards::round_robin) {
    visit.defaulted("block", block, integer(1, most_listed_positions));
  }
  const auto all = left_padding + tokens;
  visit.require(all % parts() == 0, "ranks",
                fmt::format("ranks that share {} tokens in {} equal parts", all, parts()));
}

std::string RowSelection::summary() const {
  std::string text;
  if (left_padding > 0) {
    text += fmt::format(", {} rows of {} in front", left_padding, padding_position);
  }
  if (shift > 0) {
    text += fmt::format(", {} ahead", shift);
  }
  if (ranks > 1) {
    text += fmt::format(", rank {} of {}, {}", rank, ranks, shard_names[static_cast<std::size_t>(shards)]);
  }
  return text;
}

std::int64_t RowSelection::in_sequence(std::int64_t row, std::int64_t all_rows) const {
  const auto part = all_rows / parts();
  switch (shards) {
    case Shards::contiguous:
      return rank * part + row;
    case Shards::zigzag:
      return row < part ? rank * part + row : (2 * ranks - 1 - rank) * part + row - part;
    case Shards::round_robin:
      break;
  }
  return (row / block * ranks + rank) * block + row % block;
}

RowSelection::Source RowSelection::source(std::int64_t row, std::int64_t tokens) const {
  const auto all = left_padding + tokens;
  const auto shown = (ranks == 1 ? row : in_sequence(row, all)) + shift;
  if (shown >= all) {
    return {std::nullopt, 0};
  }
  return shown < left_padding ? Source{std::nullopt, padding_position} : Source{shown - left_padding};
}

}  // namespace vernier
