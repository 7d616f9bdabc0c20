#include <algorithm>
#include <cmath>

#include "numerics/live/rows.hpp"
#include "reports/live/judged_rows.hpp"
#include "reports/live/live_check.hpp"
#include "reports/value_text.hpp"

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

std::vector<Probe> probes_of(const Encoding& encoding) {
  const auto last = last_probed_position(encoding);
  return {{"below 0", {-1, -2, -3, -64}},
          {"beyond the last one", {last + 1, last + 2, 2 * last + 3}},
          {"of 2^31", {largest_position, -largest_position}}};
}

bool is_undefined(const LiveSession& session, std::int64_t position) {
  return std::ranges::any_of(session.encoding().values(),
                             [&](const ValueTable& table) { return !table.defined(position); });
}

std::span<const std::byte> row_bytes(const Tensor& tensor, std::size_t row) {
  const auto width = tensor.bytes().size() / tensor.shape().front();
  return tensor.bytes().subspan(row * width, width);
}

std::size_t total_width(const Request& request) {
  std::size_t width = 0;
  for (const auto& wanted : request.wanted) {
    width += wanted.shape.back();
  }
  return width;
}

bool are_apart(const Real& one, const Real& other) {
  const auto a = correctly_rounded(Format::binary64, one);
  const auto b = correctly_rounded(Format::binary64, other);
  return a && b && std::fabs(*a - *b) > clearly_apart;
}

/// Whether the truth of what is asked for differs between two positions.
bool truth_differs(const Case& judged, const Request& request, std::int64_t one, std::int64_t other) {
  const auto table_differs = [&](const TableTensor& tensor) {
    // Others may differ where those asked for do not: cosines of opposite positions are the same.
    if (std::ranges::find(request.wanted, tensor.role(), &WantedTensor::role) == request.wanted.end()) {
      return false;
    }
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      if (are_apart(tensor.table.entry(one, column), tensor.table.entry(other, column))) {
        return true;
      }
    }
    return false;
  };
  const auto rotation_differs = [&](const TrigTable& table) {
    return std::ranges::any_of(table.columns, [&](const Column& column) {
      return are_apart(table.value(one, column.pair, Component::sine),
                       table.value(other, column.pair, Component::sine));
    });
  };
  if (request.input) {
    return judged.rotated && rotation_differs(judged.rotated->rotation.table);
  }
  return std::ranges::any_of(judged.tables, table_differs);
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

/// A row that belongs to another position: one of the main answer, unless other vectors were rotated there,
/// or one of the same answer.
std::optional<Wrapped> find_wrapped(const LiveSession& session, const Asked& asked, const Request& request,
                                    const Response& response) {
  if (total_width(request) < least_width_told_apart) {
    return std::nullopt;
  }
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    const auto position = *request.positions.integer(row);
    for (const auto& [others, whole] :
         {std::pair(&asked.request, &asked.response), std::pair(&request, &response)}) {
      if (others != &request && request.input) {
        continue;
      }
      for (std::size_t other = 0; other < rows_of(*others); ++other) {
        const auto of = *others->positions.integer(other);
        if (of != position && has_row_of(response, row, *whole, other) &&
            (is_undefined(session, position) ||
             truth_differs(*session.judged_case(), request, position, of))) {
          return Wrapped{position, of};
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<std::int64_t> positions_of(const Request& request) {
  std::vector<std::int64_t> positions;
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    positions.push_back(*request.positions.integer(row));
  }
  return positions;
}

void fail(Check& check, std::string reason) {
  check.status = Status::fail;
  check.counts.failing += 1;
  check.reason = std::move(reason);
}

/// \return what to say of positions that were answered, after the check was failed if they were answered
/// wrong
std::string judge_answer(const LiveSession& session, const Asked& asked, const Request& request,
                         const Response& response, Check& check) {
  if (const auto wrapped = find_wrapped(session, asked, request, response)) {
    fail(check, "position " + std::to_string(wrapped->position) + " got the row of position " +
                    std::to_string(wrapped->other) + " (" + asked.roles + ")");
    check.counterexample = {{"position", std::to_string(wrapped->position)},
                            {"row of", std::to_string(wrapped->other)}};
    return "wrapped";
  }
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    if (const auto position = *request.positions.integer(row); is_undefined(session, position)) {
      fail(check,
           "position " + std::to_string(position) + ", which has no row, was answered (" + asked.roles + ")");
      check.counterexample = {{"position", std::to_string(position)}};
      return "answered";
    }
  }
  const auto positions = positions_of(request);
  const auto rows = judge_rows(*session.judged_case(), {positions, response.tensors, request.input});
  if (const auto& wrong = rows.wrong) {
    const auto position = std::to_string(positions[wrong->row]);
    fail(check, "position " + position + " was not rejected, and " + wrong->role +
                    " is wrong there: column " + std::to_string(wrong->column) + " " +
                    usage_text(wrong->used));
    check.counterexample = {
        {"position", position}, {"tensor", wrong->role}, {"column", std::to_string(wrong->column)}};
    return "wrong";
  }
  return "right";
}

/// \return what became of the positions, in words; nothing if the check can go no further
std::optional<std::string> judge_probe(LiveSession& session, const Asked& asked, const Probe& probe,
                                       Check& check) {
  const auto request = at_positions(asked.request, probe.positions);
  const auto response = session.ask(request);
  check.counts.elements += probe.positions.size();
  check.counts.judged += probe.positions.size();
  switch (response.status) {
    case ResponseStatus::answered:
      return judge_answer(session, asked, request, response, check);
    case ResponseStatus::rejected:
    case ResponseStatus::unsupported:
      return "rejected";
    case ResponseStatus::crashed:
      // A command that ends without an answer has refused, and harmed nobody.
      if (session.implementation().costs_a_process()) {
        return "not answered";
      }
      break;
    case ResponseStatus::malformed:
      fail(check, "positions " + std::string(probe.in_words) + ": " + response.reason);
      return std::nullopt;
    case ResponseStatus::timed_out:
      break;
  }
  tell_missing_answer(check, "the question for positions " + std::string(probe.in_words), response);
  return std::nullopt;
}

/// \return what became of all positions, in words; empty if the check can go no further
std::string judge_probes(LiveSession& session, const Asked& asked, Check& check) {
  std::string told;
  for (const auto& probe : probes_of(session.encoding())) {
    const auto became = judge_probe(session, asked, probe, check);
    if (check.status != Status::pass) {
      return "";
    }
    told += (told.empty() ? "positions " : ", ") + std::string(probe.in_words) + " " + became.value_or("");
  }
  return told;
}

void judge(LiveSession& session, std::vector<Check>& out) {
  Check check{"effects/out-of-range", Status::skipped, "no rows were answered, whose positions could be left",
              "positions outside the usual range are answered right or rejected: never by the row of another "
              "position, and never from beyond the end of a table"};
  const bool is_costly = session.implementation().costs_a_process();
  for (const auto& asked : session.asked()) {
    const bool is_enough = is_costly && check.status == Status::pass;
    if (is_enough || !asked.answered() || !rows_stand_alone(asked.request)) {
      continue;
    }
    check.status = Status::pass;
    const auto told = judge_probes(session, asked, check);
    if (check.status != Status::pass) {
      break;
    }
    check.reason = told;
  }
  out.push_back(std::move(check));
}

}  // namespace

LiveCheckKind out_of_range_check() {
  return {
      "effects/out-of-range",
      "Positions below zero, beyond the last one and at 2^31 are answered right, where the scheme defines "
      "them, or rejected. An implementation that takes them modulo a table's length, clamps them, or loses "
      "their upper bits gives another position's row and no sign of it.",
      "a position has one row; a learned table has none beyond its last", judge};
}

}  // namespace vernier
