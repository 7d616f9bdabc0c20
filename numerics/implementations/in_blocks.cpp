#include "numerics/implementations/in_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

/// Each costs some 20 us of a plug-in.
constexpr std::size_t most_questions = 4096;
/// Each may take seconds, to import a framework.
constexpr std::size_t most_questions_to_a_command = 8;
constexpr int most_timeouts = 2;

Request block_of(const Request& request, std::size_t first, std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return with_rows(request, rows);
}

}  // namespace

Response InBlocks::ask(const Request& request) {
  const auto rows = rows_of(request);
  if (most_rows_ == 0 || rows <= most_rows_ || !rows_stand_alone(request)) {
    return inner().ask(request);
  }
  std::vector<Response> answers;
  for (std::size_t first = 0; first < rows; first += most_rows_) {
    answers.push_back(inner().ask(block_of(request, first, std::min(most_rows_, rows - first))));
    if (answers.back().status != ResponseStatus::answered) {
      break;
    }
  }
  return joined_rows(request, std::move(answers));
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
    auto answer = count == rows ? inner().ask(request) : inner().ask(block_of(request, result.rows, count));
    if (answer.status == ResponseStatus::answered) {
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
  result.response = joined_rows(block_of(request, 0, result.rows), std::move(answers));
  if (result.rows == rows) {
    result.refusal = {};
  }
  return result;
}

}  // namespace vernier
