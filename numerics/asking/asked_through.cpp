#include "numerics/asking/asked_through.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include <fmt/core.h>

#include "reference/keys/key_writer.hpp"
#include "reference/schemes/real_positions.hpp"

namespace vernier {
namespace {

/// Of a command, each of which may take seconds to start.
constexpr std::size_t most_blocks_of_a_command = 4;
/// Each costs some 20 us of a plug-in.
constexpr std::size_t most_questions = 4096;
/// Each may take seconds, to import a framework.
constexpr std::size_t most_questions_to_a_command = 8;
constexpr int most_timeouts = 2;

/// As the key of a case says it.
OrderedJson json_of(Quantization quantization) {
  OrderedJson result;
  KeyWriter writer(result);
  quantization.keys(writer);
  return result;
}

bool stores_eight_bits(const Request& request) {
  const auto& format = traits(request.wanted.front().type).format;
  return format && traits(*format).is_storage_only();
}

bool is_declined(const Response& response) {
  return response.status == ResponseStatus::rejected || response.status == ResponseStatus::unsupported;
}

/// With more rows, whose positions go on where only such are taken, and are the last one again elsewhere.
Request in_tiles(const Request& request, bool go_on) {
  const auto count = rows_of(request);
  auto rows = consecutive_rows(count);
  rows.resize((count + largest_tile - 1) / largest_tile * largest_tile, count - 1);
  auto result = with_rows(request, rows);
  if (go_on) {
    auto positions = integers_of(result.positions);
    std::iota(positions.begin() + static_cast<std::ptrdiff_t>(count) - 1, positions.end(),
              positions[count - 1]);
    result.positions = integer_tensor({positions.size()}, positions);
  }
  return result;
}

Response without_rows_after(Response response, const Request& request) {
  return with_rows(std::move(response), request, consecutive_rows(rows_of(request)));
}

/// Where the last position of the sequence fits into the order of the rows: before descending ones, else
/// after all.
std::size_t place_of_anchor(const Request& request) {
  const auto positions = integers_of(request.positions);
  const bool descends = !positions.empty() && positions.front() > positions.back();
  return descends ? 0 : positions.size();
}

/// The request with one more row at a place, at this position; its vector is that of the first row.
Request with_row_at(const Request& request, std::size_t place, std::int64_t position) {
  auto rows = consecutive_rows(rows_of(request));
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place), 0);
  auto result = with_rows(request, rows);
  auto positions = integers_of(result.positions);
  positions[place] = position;
  result.positions = integer_tensor({positions.size()}, positions);
  return result;
}

}  // namespace

Response AskedThrough::ask_for_runs(const Request& request, std::span<const RowRun> runs) {
  std::vector<Response> answers;
  for (const auto& run : runs) {
    answers.push_back(inner_.ask(with_rows(request, consecutive_rows(run.count, run.first))));
    if (!answers.back().is_answered()) {
      break;
    }
  }
  return joined_rows(request, std::move(answers));
}

bool holds_position(ElementType type, std::int64_t position, double unit) {
  const auto& format = traits(type).format;
  const double number = static_cast<double>(position) * unit;
  return !format || (static_cast<std::int64_t>(static_cast<double>(position)) == position &&
                     round_to(*format, number) == number);
}

Response Retold::ask(const Request& request) {
  const auto type = inner().takes().position_type();
  const bool is_quantized = quantization_ && stores_eight_bits(request);
  if (type == ElementType::int64 && !is_quantized) {
    return inner().ask(request);
  }
  auto retold = request;
  if (is_quantized) {
    retold.spec["quantization"] = json_of(*quantization_);
  }
  if (type != ElementType::int64) {
    const double unit = position_unit_of(request);
    std::vector<double> numbers;
    for (const auto position : integers_of(request.positions)) {
      if (!holds_position(type, position, unit)) {
        return {ResponseStatus::rejected, fmt::format("{} does not hold the position {}", traits(type).name,
                                                      position_text(request, position))};
      }
      numbers.push_back(static_cast<double>(position) * unit);
    }
    retold.positions = number_tensor(type, request.positions.shape(), numbers);
    retold.spec.erase(std::string(position_unit_key));
  }
  return inner().ask(retold);
}

Response RowMultiples::ask(const Request& request) {
  const bool fills_tiles = !rows_stand_alone(request) || rows_of(request) % largest_tile == 0;
  if (!are_asked_ || fills_tiles) {
    auto response = inner().ask(request);
    was_answered_ = was_answered_ || response.is_answered();
    if (!is_declined(response) || was_answered_ || fills_tiles) {
      return response;
    }
    auto in_full = inner().ask(in_tiles(request, takes().contiguous_only));
    std::ranges::move(response.side_effects, std::back_inserter(in_full.side_effects));
    are_asked_ = was_answered_ = in_full.is_answered();
    return are_asked_ ? without_rows_after(std::move(in_full), request) : response;
  }
  return without_rows_after(inner().ask(in_tiles(request, takes().contiguous_only)), request);
}

Response OneLength::ask(const Request& request) {
  if (inner().takes().one_length && shape_ && *shape_ != request.positions.shape()) {
    inner().start_afresh();
  }
  shape_ = request.positions.shape();
  return inner().ask(request);
}

std::vector<RowRun> contiguous_blocks(const Request& request) {
  std::vector<RowRun> blocks;
  const auto positions = integers_of(request.positions);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (row > 0 && positions[row] == positions[row - 1] + 1) {
      ++blocks.back().count;
    } else {
      blocks.push_back({row, 1});
    }
  }
  return blocks;
}

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
  if (response.is_answered()) {
    found_ = Found::any_positions;
  }
  // A command may decline by ending without an answer.
  const bool is_refused =
      is_declined(response) || (costs_a_process() && response.status == ResponseStatus::crashed);
  if (found_ == Found::nothing && is_refused && refuses_only_scattered(request)) {
    return ask_for_blocks(request);
  }
  return response;
}

bool ContiguousBlocks::refuses_only_scattered(const Request& request) {
  const auto blocks = contiguous_blocks(request);
  const std::array rows{blocks.front().first, blocks.back().first};
  for (const auto& row : rows) {
    if (!inner().ask(with_rows(request, std::span(&row, 1))).is_answered()) {
      return false;  // of these positions nothing can be learned
    }
  }
  const bool together = inner().ask(with_rows(request, rows)).is_answered();
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
  return ask_for_runs(request, blocks);
}

Request with_length(const Request& request, std::optional<std::int64_t> length) {
  if (!length || !rows_stand_alone(request)) {
    return request;
  }
  const auto positions = integers_of(request.positions);
  const bool has_last = std::ranges::find(positions, *length - 1) != positions.end();
  return has_last ? request : with_row_at(request, place_of_anchor(request), *length - 1);
}

Response LengthAnchor::ask(const Request& request) {
  const auto anchored = takes().contiguous_only ? request : with_length(request, length_);
  auto response = inner().ask(anchored);
  if (rows_of(anchored) == rows_of(request)) {
    return response;
  }
  return with_rows(std::move(response), request,
                   consecutive_rows(rows_of(request), place_of_anchor(request) == 0 ? 1 : 0));
}

Response InBlocks::ask(const Request& request) {
  const auto rows = rows_of(request);
  if (most_rows_ == 0 || rows <= most_rows_ || !rows_stand_alone(request)) {
    return inner().ask(request);
  }
  std::vector<RowRun> blocks;
  for (std::size_t first = 0; first < rows; first += most_rows_) {
    blocks.push_back({first, std::min(most_rows_, rows - first)});
  }
  return ask_for_runs(request, blocks);
}

PartAnswer InBlocks::ask_for_most(const Request& request) {
  const auto rows = rows_of(request);
  const auto most = costs_a_process() ? most_questions_to_a_command : most_questions;
  int timeouts_left = costs_a_process() ? 0 : most_timeouts;
  PartAnswer result;
  std::vector<Response> answers;
  std::size_t greatest = 0;
  auto block = rows;
  for (std::size_t questions = 1; result.rows < rows && questions <= most; ++questions) {
    const auto count = std::min(block, rows - result.rows);
    auto answer =
        inner().ask(count == rows ? request : with_rows(request, consecutive_rows(count, result.rows)));
    if (answer.is_answered()) {
      answers.push_back(std::move(answer));
      greatest = std::max(greatest, count);
      result.rows += count;
      continue;
    }
    // What says that it does not do this may mean the shape.
    const bool goes_on = answer.status == ResponseStatus::timed_out ? timeouts_left-- > 0
                         : answer.status == ResponseStatus::unsupported
                             ? !costs_a_process()
                             : answer.status == ResponseStatus::rejected;
    result.refusal = std::move(answer);
    if (!goes_on || count == 1 || !rows_stand_alone(request)) {
      break;
    }
    block = count / 2;
  }
  if (result.rows == 0) {
    result.response = result.refusal;
    return result;
  }
  most_rows_ = greatest < rows ? greatest : 0;
  result.response = joined_rows(with_rows(request, consecutive_rows(result.rows)), std::move(answers));
  if (result.rows == rows) {
    result.refusal = {};
  }
  return result;
}

}  // namespace vernier
