#include "props/matrix/matrix.hpp"

#include <algorithm>
#include <cstdlib>

#include "props/models/judging.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Enough for elimination in the widest codes that the linear shift is tried on.
constexpr unsigned precision_bits = 320;

/// Cases tried in a search: fewer than laws have, as each scheme has several members.
constexpr int most_cases = 60;

/// Of so few positions all are drawn alike; of more, those near zero more often.
constexpr std::int64_t small_window = 64;

/// What is simpler than a value: everything below 16, powers of two, its half, its neighbour, itself without
/// the sign; simplest first.
std::vector<std::int64_t> simpler_than(std::int64_t value) {
  const auto magnitude = std::abs(value);
  std::vector<std::int64_t> magnitudes;
  for (std::int64_t small = 0; small < std::min<std::int64_t>(magnitude, 16); ++small) {
    magnitudes.push_back(small);
  }
  for (std::int64_t power = 16; power < magnitude; power *= 2) {
    magnitudes.push_back(power);
  }
  if (magnitude > 16) {
    magnitudes.push_back(magnitude / 2);
    magnitudes.push_back(magnitude - 1);
  }
  if (value >= 0) {
    return magnitudes;
  }
  auto simpler = mapped(magnitudes, [&](auto smaller) { return -smaller; });
  simpler.push_back(magnitude);
  return simpler;
}

Generator<MatrixCase> cases_in(const PositionWindow& window) {
  const auto draw_one = [window](Dice& dice) {
    if (window.highest - window.lowest < small_window) {
      return dice.between(window.lowest, window.highest);
    }
    const auto magnitude = dice.logarithmic(std::max(std::abs(window.lowest), std::abs(window.highest)));
    return std::clamp(dice.chance(50) ? -magnitude : magnitude, window.lowest, window.highest);
  };
  const auto draw_offset = [window](Dice& dice) {
    const auto magnitude = dice.logarithmic(window.highest - window.lowest);
    return dice.chance(50) ? -magnitude : magnitude;
  };
  // Codes that are alike are often those of near positions.
  const auto draw_beside = [window, draw_one](Dice& dice, std::int64_t t) {
    return dice.chance(50) ? std::clamp(t + dice.between(-3, 3), window.lowest, window.highest)
                           : draw_one(dice);
  };
  return {[draw_one, draw_beside, draw_offset](Dice& dice) {
            const auto t = draw_one(dice);
            const auto s = draw_beside(dice, t);
            return MatrixCase{t, s, draw_offset(dice)};
          },
          [](const MatrixCase& value) {
            std::vector<MatrixCase> simpler;
            for (const auto smaller : simpler_than(value.t)) {
              // Both positions moved alike.
              simpler.push_back({smaller, value.s + smaller - value.t, value.k});
            }
            for (const auto variable : {&MatrixCase::t, &MatrixCase::s, &MatrixCase::k}) {
              for (const auto smaller : simpler_than(value.*variable)) {
                simpler.push_back(value);
                simpler.back().*variable = smaller;
              }
            }
            return simpler;
          }};
}

/// "t = 0, k = 1": the variables of the property.
std::string case_text(const MatrixCase& values, std::string_view variables) {
  std::string text;
  for (const auto& [name, value] :
       {std::pair{'t', values.t}, std::pair{'s', values.s}, std::pair{'k', values.k}}) {
    if (variables.find(name) != std::string_view::npos) {
      text += (text.empty() ? "" : ", ") + std::string(1, name) + " = " + std::to_string(value);
    }
  }
  return text;
}

Answer opposite(Answer answer) {
  return answer == Answer::yes ? Answer::no : answer == Answer::no ? Answer::yes : answer;
}

/// A search that finds a counterexample breaks the statement; the property may be that it is broken.
MatrixCell broken(const ModelJudge& judge, const MatrixCase& values) {
  return {judge.affirmed_by_failure ? Answer::yes : Answer::no, Method::search,
          (judge.affirmed_by_failure ? std::string("seen at ") : std::string("broken at ")) +
              case_text(values, judge.variables)};
}

/// The members' names by what was said of them, in the order it was first said.
std::string told_by_members(const std::vector<std::pair<std::string, MatrixCell>>& cells) {
  std::vector<std::pair<std::string, std::string>> sayings;
  for (const auto& [member, cell] : cells) {
    const auto said =
        (cell.answer == Answer::conditional ? std::string() : std::string(name_of(cell.answer)) + ", ") +
        cell.told;
    const auto found = std::ranges::find(sayings, said, &std::pair<std::string, std::string>::first);
    if (found == sayings.end()) {
      sayings.emplace_back(said, member);
    } else {
      found->second += ", " + member;
    }
  }
  std::string text;
  for (const auto& [said, members] : sayings) {
    text += (text.empty() ? "" : "; ") + members + (members.empty() ? "" : ": ") + said;
  }
  return text;
}

}  // namespace

std::span<const Property* const> matrix_properties() {
  static const auto judged = pointers_to(properties(), &Property::model);
  return judged;
}

std::optional<Justification> known_answer(std::string_view property,
                                          std::initializer_list<KnownAnswer> known) {
  for (const auto& answer : known) {
    if (answer.property == property && answer.applies) {
      return Justification{answer.answer, answer.method, answer.told};
    }
  }
  return std::nullopt;
}

MatrixCell decide(const Property& property, const MatrixMember& member, const CheckOptions& options) {
  const WorkingPrecision scope(precision_bits);
  const auto& judge = *property.model;
  const auto model = member.make();
  auto justification = model->justification(property.id);
  if (justification && justification->answer != Answer::yes && justification->answer != Answer::no) {
    return {justification->answer, justification->method, justification->told};
  }
  const auto window = model->window();
  const bool has_s = judge.variables.find('s') != std::string_view::npos;
  const bool has_k = judge.variables.find('k') != std::string_view::npos;
  const auto statement = [&](const MatrixCase& values) -> Judged {
    const bool inside = window.holds(values.t) && (!has_s || window.holds(values.s)) &&
                        (!has_k || window.holds(values.t + values.k)) &&
                        (!has_s || !has_k || window.holds(values.s + values.k));
    return {inside ? judge.judge(*model, values) : Outcome::discarded};
  };
  const auto search =
      check<MatrixCase>(cases_in(window), statement, seed_of(property.id, options.seed), most_cases);
  if (search.counterexample) {
    auto cell = broken(judge, *search.counterexample);
    if (justification && justification->answer == opposite(cell.answer)) {
      return {Answer::undecided, Method::search, justification->told + ", yet " + cell.told};
    }
    if (cell.answer == Answer::no && !justification && judge.weaker != nullptr) {
      if (const auto weaker = judge.weaker(*model)) {
        return {weaker->answer, weaker->method, weaker->told + "; " + cell.told};
      }
    }
    return cell;
  }
  if (justification) {
    return {justification->answer, justification->method, justification->told};
  }
  return {Answer::undecided, Method::search,
          std::string("neither proved nor broken in ") + std::to_string(search.cases) + " cases"};
}

MatrixCell decide(const Property& property, const MatrixRow& row, const CheckOptions& options) {
  const auto cells = mapped(row.members, [&](const auto& member) {
    return std::pair<std::string, MatrixCell>(member.name, decide(property, member, options));
  });
  const auto any = [&](Answer answer) {
    return std::ranges::any_of(cells, [&](const auto& cell) { return cell.second.answer == answer; });
  };
  const auto& first = cells.front().second;
  const bool alike =
      std::ranges::all_of(cells, [&](const auto& cell) { return cell.second.answer == first.answer; });
  if (alike) {
    // Members that agree need one witness; where the figures differ, each member's is told.
    const bool same_words =
        std::ranges::all_of(cells, [&](const auto& cell) { return cell.second.told == first.told; });
    return same_words || first.answer != Answer::yes
               ? first
               : MatrixCell{first.answer, first.method, told_by_members(cells)};
  }
  const auto answer = any(Answer::undecided) ? Answer::undecided : Answer::conditional;
  return {answer, first.method, told_by_members(cells)};
}

std::vector<ComputedRow> compute_matrix(const CheckOptions& options) {
  std::vector<ComputedRow> matrix;
  for (const auto& row : matrix_rows()) {
    ComputedRow computed{&row, {}};
    computed.cells = mapped(matrix_properties(),
                            [&](const Property* property) { return decide(*property, row, options); });
    matrix.push_back(std::move(computed));
  }
  return matrix;
}

}  // namespace vernier
