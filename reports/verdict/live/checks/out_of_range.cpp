#include <algorithm>
#include <cmath>
#include <ranges>

#include <fmt/core.h>

#include "numerics/asking/questions.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/mapped.hpp"
#include "reports/verdict/live/judged_rows.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Rows as wide as this do not agree in every bit by chance, whatever their type.
constexpr std::size_t least_width_told_apart = 8;
/// What makes two true values different, of any budget that decides.
constexpr double clearly_apart = 0.25;

/// Positions that are asked for together.
struct Probe {
  std::string_view in_words;
  std::vector<std::int64_t> positions;
};

/// Those that can be asked for. Where frequencies depend on the length of the sequence, positions beyond it
/// belong to another encoding.
std::vector<Probe> probes_of(const LiveSession& session) {
  const auto& encoding = session.encoding();
  std::vector<Probe> probes{{"below 0", {-1, -2, -3, -64}}};
  if (!encoding.sequence_length()) {
    const auto last = last_probed_position(encoding);
    const auto furthest = largest_position * numbers_of_one(encoding);
    probes.push_back({"beyond the last one", {last + 1, last + 2, 2 * last + 3}});
    probes.push_back({"of 2^31", {furthest, -furthest}});
  }
  for (auto& probe : probes) {
    std::erase_if(probe.positions, [&](std::int64_t position) { return !session.can_ask_for(position); });
  }
  std::erase_if(probes, [](const Probe& probe) { return probe.positions.empty(); });
  return probes;
}

/// Whether the implementation is expected to have a row there.
bool is_promised(const Encoding& encoding, std::int64_t position) {
  return position >= first_probed_position(encoding) && position <= last_probed_position(encoding);
}

std::size_t total_width(const Request& request) {
  const auto width = sum_of(request.wanted, [](const WantedTensor& wanted) { return wanted.shape.back(); });
  return width;
}

/// Whether the truth of what is asked for differs between two positions: others may where those asked for do
/// not, as cosines of opposite positions are the same.
bool truth_differs(const Encoding& encoding, const Request& request, std::int64_t position,
                   std::int64_t other_position) {
  const auto ones = [](std::size_t /*row*/, std::span<double> out) { std::ranges::fill(out, 1.0); };
  return std::ranges::any_of(encoding.tensors(), [&](const TensorDefinition& definition) {
    const auto wanted = std::ranges::find(request.wanted, role_of(definition), &WantedTensor::role);
    if (wanted == request.wanted.end()) {
      return false;
    }
    const PlacedElements rows(encoding, definition, {position, other_position}, 0, ones);
    const auto row = [&](std::size_t index) {
      rows->go_to(index);
      return mapped(std::views::iota(std::size_t{0}, rows->columns()),
                    [&](std::size_t column) { return rows->estimate(column); });
    };
    return rows->columns() == wanted->shape.back() &&
           !std::ranges::equal(row(0), row(1),
                               [](double a, double b) { return !(std::fabs(a - b) > clearly_apart); });
  });
}

/// A position asked for, and another one whose row it got.
struct Wrapped {
  std::int64_t position;
  std::int64_t other;
};

/// Whether a row of `part` has the bits of another row, in every tensor.
bool has_row_of(const Response& part, std::size_t row, const Response& whole, std::size_t other) {
  return std::ranges::all_of(part.tensors, [&](const auto& named) {
    const auto& [role, tensor] = named;
    return std::ranges::equal(row_bytes(tensor, row), row_bytes(whole.tensors.find(role)->second, other));
  });
}

/// Promised positions whose rows these would get if they were clamped, taken modulo the length or without
/// their sign.
std::vector<std::int64_t> likely_others(const Encoding& encoding, const Request& request) {
  const auto last = last_probed_position(encoding);
  std::vector<std::int64_t> result;
  for (const auto position : integers_of(request.positions)) {
    const auto remainder = position % (last + 1);
    for (const auto other :
         {std::int64_t{0}, last, -position, remainder < 0 ? remainder + last + 1 : remainder}) {
      if (is_promised(encoding, other) && std::ranges::find(result, other) == result.end()) {
        result.push_back(other);
      }
    }
  }
  return result;
}

/// Whether a row lies within the budget of its own position, where it has one: a contract that rounds
/// positions lets several share a row.
bool is_within_budget(const LiveSession& session, const Request& request, const Response& response,
                      std::size_t row) {
  if (session.encoding().undefined_at(*request.positions.integer(row)) != nullptr) {
    return false;
  }
  const auto answered = answered_rows(request, response, std::span(&row, 1));
  return !judge_rows(*session.judged_case(), answered).wrong;
}

/// A row that belongs to another position of the promised range. Of tables it is looked for in the main
/// answer; of vectors, which differ there, in an answer for the likely ones with the same vector. Where the
/// position has no row at all, also in the same answer.
std::optional<Wrapped> find_wrapped(LiveSession& session, const Asked& asked, const Request& request,
                                    const Response& response) {
  if (total_width(request) < least_width_told_apart) {
    return std::nullopt;
  }
  auto others = asked.request;
  auto whole = asked.response;
  if (request.input) {
    others = at_positions(request, likely_others(session.encoding(), request));
    whole = session.ask(others);
  }
  const auto find = [&](std::size_t row, const Request& among,
                        const Response& answers) -> std::optional<Wrapped> {
    if (rows_of(among) > 1 && has_row_of(answers, 0, answers, rows_of(among) - 1)) {
      return std::nullopt;  // rows that no position tells apart are those of no other one
    }
    const auto position = *request.positions.integer(row);
    for (std::size_t other = 0; other < rows_of(among); ++other) {
      const auto other_position = *among.positions.integer(other);
      if (other_position != position && has_row_of(response, row, answers, other) &&
          (session.encoding().undefined_at(position) != nullptr ||
           truth_differs(session.encoding(), request, position, other_position))) {
        return Wrapped{position, other_position};
      }
    }
    return std::nullopt;
  };
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    if (is_within_budget(session, request, response, row)) {
      continue;
    }
    auto found = whole.is_answered() ? find(row, others, whole) : std::nullopt;
    if (!found && session.encoding().undefined_at(*request.positions.integer(row)) != nullptr) {
      found = find(row, request, response);
    }
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

void fail(Check& check, std::string reason) {
  check.status = Status::fail;
  check.counts.failing += 1;
  check.reason = std::move(reason);
}

/// \return what to say of positions that were answered, after the check was failed if they were answered by
/// another position's row
std::string judge_answer(LiveSession& session, const Asked& asked, const Request& request,
                         const Response& response, Check& check) {
  if (const auto wrapped = find_wrapped(session, asked, request, response)) {
    const auto position = session.position_text(wrapped->position);
    const auto other = session.position_text(wrapped->other);
    fail(check, fmt::format("position {} got the row of position {} ({})", position, other, asked.roles));
    check.counterexample = {{"position", position}, {"row of", other}};
    return "wrapped";
  }
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    if (const auto position = *request.positions.integer(row);
        session.encoding().undefined_at(position) != nullptr) {
      fail(check,
           "position " + std::to_string(position) + ", which has no row, was answered (" + asked.roles + ")");
      check.counterexample = {{"position", std::to_string(position)}};
      return "answered";
    }
  }
  const auto positions = integers_of(request.positions);
  const auto rows = judge_rows(*session.judged_case(), {positions, response.tensors, request.input});
  if (const auto& wrong = rows.wrong) {
    return "answered wrong (position " + session.position_text(positions[wrong->row]) + ", column " +
           std::to_string(wrong->column) + " of " + wrong->role + " " + usage_text(wrong->budget_ratio) + ")";
  }
  return "answered right";
}

/// \return what became of all positions, in words; empty if the check can go no further
std::string judge_probes(LiveSession& session, const Asked& asked, Check& check) {
  std::string told;
  for (const auto& [in_words, of_probe] : probes_of(session)) {
    const auto request = at_positions(asked.request, of_probe);
    const auto response = session.ask(request);
    const std::string positions = "positions " + std::string(in_words);
    check.counts.elements += of_probe.size();
    check.counts.judged += of_probe.size();
    std::string became = "rejected";
    if (response.is_answered()) {
      became = judge_answer(session, asked, request, response, check);
    } else if (response.status == ResponseStatus::crashed && session.implementation().costs_a_process()) {
      became = "not answered";  // a command that ends without an answer has refused, and harmed nobody
    } else if (response.status == ResponseStatus::malformed) {
      fail(check, positions + ": " + response.reason);
    } else if (response.status != ResponseStatus::rejected &&
               response.status != ResponseStatus::unsupported) {
      tell_missing_answer(check, "the question for " + positions, response);
    }
    if (check.status != Status::pass) {
      return "";
    }
    told += fmt::format("{}{} {}", told.empty() ? "positions " : ", ", in_words, became);
  }
  return told;
}

}  // namespace

void judge_out_of_range(LiveSession& session, std::vector<Check>& out) {
  auto& check = out.emplace_back(
      live_check("effects/out-of-range", "no rows were answered, whose positions could be left"));
  if (session.encoding().has_scaled_tables()) {
    check.reason = "the scale belongs to one length and is not defined for positions beyond it";
    return;
  }
  const bool is_costly = session.implementation().costs_a_process();
  for (const auto& asked : session.asked()) {
    const bool is_enough = is_costly && check.status == Status::pass;
    if (is_enough || !asked.answered() || !rows_stand_alone(asked.request)) {
      continue;
    }
    check.status = Status::pass;
    const auto told = judge_probes(session, asked, check);
    if (check.status != Status::pass) {
      return;
    }
    check.reason = told;
  }
}

}  // namespace vernier
