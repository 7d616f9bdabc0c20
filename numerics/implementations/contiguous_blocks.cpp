#include "numerics/implementations/contiguous_blocks.hpp"

#include <array>
#include <numeric>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

/// Of a command, each of which may take seconds to start.
constexpr std::size_t most_blocks_of_a_command = 4;

bool is_answered(const Response& response) {
  return response.status == ResponseStatus::answered;
}

/// Whether an implementation declined. A command may do so by ending without an answer.
bool is_refused(const Response& response, bool costs_a_process) {
  return response.status == ResponseStatus::rejected || response.status == ResponseStatus::unsupported ||
         (costs_a_process && response.status == ResponseStatus::crashed);
}

}  // namespace

Takes ContiguousBlocks::takes() const {
  auto takes = inner().takes();
  takes.contiguous_only |= was_found_out();
  return takes;
}

Response ContiguousBlocks::ask(const Request& request) {
  if (!rows_stand_alone(request) || contiguous_blocks(request).size() == 1) {
    return inner().ask(request);
  }
  if (takes().contiguous_only) {
    return ask_for_blocks(request);
  }
  auto response = inner().ask(request);
  if (is_answered(response)) {
    found_ = Found::any_positions;
  }
  if (found_ == Found::nothing && is_refused(response, costs_a_process()) &&
      refuses_only_scattered(request)) {
    return ask_for_blocks(request);
  }
  return response;
}

bool ContiguousBlocks::refuses_only_scattered(const Request& request) {
  const auto blocks = contiguous_blocks(request);
  const std::array rows{blocks.front().first, blocks.back().first};
  for (const auto& row : rows) {
    if (!is_answered(inner().ask(with_rows(request, std::span(&row, 1))))) {
      return false;  // of these positions nothing can be learned
    }
  }
  const bool together = is_answered(inner().ask(with_rows(request, rows)));
  found_ = together ? Found::any_positions : Found::blocks_only;
  return !together;
}

Response ContiguousBlocks::ask_for_blocks(const Request& request) {
  const auto blocks = contiguous_blocks(request);
  if (costs_a_process() && blocks.size() > most_blocks_of_a_command) {
    return {
        ResponseStatus::unsupported,
        fmt::format(
            "it takes contiguous blocks of positions only, and these are {}, each of which costs a process",
            blocks.size())};
  }
  std::vector<Response> answers;
  for (const auto& [first, count] : blocks) {
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), first);
    answers.push_back(inner().ask(with_rows(request, rows)));
    if (!is_answered(answers.back())) {
      break;
    }
  }
  return joined_rows(request, std::move(answers));
}

std::vector<std::pair<std::size_t, std::size_t>> contiguous_blocks(const Request& request) {
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  const auto positions = integers_of(request.positions);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (row > 0 && positions[row] == positions[row - 1] + 1) {
      ++blocks.back().second;
    } else {
      blocks.emplace_back(row, 1);
    }
  }
  return blocks;
}

}  // namespace vernier
