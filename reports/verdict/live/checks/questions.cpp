#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/verdict/live/asked_subject.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

/// Coordinates that are judged together.
struct CoordinateGroup {
  std::string_view id;
  std::string_view required;
  std::vector<Coordinate> coordinates;
};

/// In the order in which a boundary of several is told under one of them.
const std::vector<CoordinateGroup>& coordinate_groups() {
  using enum Coordinate;
  static const std::vector<CoordinateGroup> groups{
      {"state/history",
       "an answer does not depend on earlier questions",
       {first, longer_before, longest_so_far, farther_before, farthest_so_far, same_rows, same_ends,
        same_positions, other_type_before, other_type_first, other_heads_before, not_finite_before,
        refused_before}},
      {"use/not-finite", "a number that is not finite changes its own pair only", {not_finite}},
      {"use/strides", "rows that are apart in memory hold what rows side by side do", {apart}},
      {"use/types", "answers in each type are right, by its own contract", {type}},
      {"use/order", "rows are right in any order of their positions", {order}},
      {"use/batches",
       "every batch is right, by its own positions",
       {batches, batch, batch_from_end, own_positions}},
      {"use/heads", "every head is right, for any number of heads", {heads, head, head_from_end, rank}},
      {"use/lengths",
       "every number of rows is answered right, to its last row",
       {rows, row, from_end, index}},
      {"use/positions", "every position is right in every question", {position, pair}},
  };
  return groups;
}

/// What a design may take, and a search for a boundary. Of a fast implementation each takes a second or two.
constexpr double seconds_of_design = 8;
/// Ten times the vectors take ten times as long.
constexpr std::size_t thorough_factor = 10;
constexpr std::size_t most_thorough_questions = 1600;
/// The part of the questions that subjects get which are computed by the code of another one.
constexpr std::size_t part_of_others = 16;
/// Questions where each costs a process, which may take seconds to import a framework.
constexpr std::size_t questions_of_processes = 10;
/// Points at which an implementation dies or hangs before no more is asked.
constexpr int most_deaths = 3;
/// What was left out is told in so many phrases.
constexpr std::size_t told_left_out = 3;
/// A shorter search would tell little.
constexpr std::size_t fewest_shrinking_questions = 24;

/// Rows at the end of the context that are asked for after a position beyond it.
constexpr std::size_t probed_rows = 64;

/// A position beyond all that were asked, where an implementation may be asked for one and must answer those
/// below as before. Not where a table ends, nor where a rule makes what was asked before part of its
/// definition: the frequencies of dynamic NTK grow with the longest sequence so far, by Hugging Face's rule.
std::optional<std::int64_t> position_beyond(const LiveSession& session) {
  const auto& encoding = session.encoding();
  if (encoding.last_place() || encoding.has_scaled_tables() || encoding.sequence_length()) {
    return std::nullopt;
  }
  const auto beyond = 2 * last_probed_position(encoding) + 1;
  return session.can_ask_for(beyond) ? std::optional(beyond) : std::nullopt;
}

/// \param needs_history whether several questions show it
const CoordinateGroup& group_of(const Predicate& predicate, bool needs_history) {
  for (const auto& group : coordinate_groups()) {
    const auto is_told = [&](const Atom& atom) {
      return std::ranges::find(group.coordinates, atom.coordinate) != group.coordinates.end();
    };
    if (std::ranges::any_of(predicate, is_told)) {
      return group;
    }
  }
  return needs_history ? coordinate_groups().front() : coordinate_groups().back();
}

/// Asks the questions of a design about each subject, and shrinks the first failure.
class QuestionsTrial {
 public:
  explicit QuestionsTrial(LiveSession& session) : session_(session) {}

  void run(std::vector<Check>& out) {
    if (session_.judged_case() != nullptr) {
      AskedSubjects subjects(session_);
      const auto main = std::ranges::find_if(subjects.all(), &AskedSubject::has_vectors);
      for (auto& subject : subjects.all()) {
        if (!failed_ && !is_over()) {
          ask_about(subject, main == subjects.all().end() || &subject == &*main);
        }
      }
    }
    conclude(out);
  }

 private:
  bool is_over() const { return deaths_ >= most_deaths; }

  DesignLimits limits_of(const AskedSubject& subject, bool is_main) const {
    auto limits = subject.questions().design_limits();
    if (!limits.keeps_process) {
      limits.most_questions = questions_of_processes;
    }
    if (session_.options().quick) {
      limits.most_vectors /= part_of_others;
      limits.most_questions = std::max<std::size_t>(1, limits.most_questions / 2);
    }
    if (session_.options().thorough) {
      limits.most_vectors *= thorough_factor;
      limits.most_questions = limits.keeps_process ? most_thorough_questions : limits.most_questions;
    }
    if (!is_main) {
      limits.most_vectors /= part_of_others;
      limits.most_questions = std::max<std::size_t>(1, limits.most_questions / part_of_others);
    }
    return limits;
  }

  void ask_about(AskedSubject& subject, bool is_main) {
    if (const auto marks = subject.main_marks(); !marks.wrong.empty()) {
      // Of rows with several positions it could only tell indices.
      if (!is_wrong_everywhere_ && subject.questions().is_plain()) {
        shrink(subject, subject.questions().main_points(), marks, {});
      }
      return;
    }
    if (const auto first = subject.first_answer(); first && !first->marked.wrong.empty()) {
      shrink(subject, {subject.questions().main_points().front()}, first->marked, *first);
      return;
    }
    refused_.clear();
    const auto limits = limits_of(subject, is_main);
    CoveringDesign design(limits, session_.options().seed);
    if (limits.starts_afresh && limits.keeps_process) {
      session_.start_afresh();
    }
    const auto start = steady_clock::now();
    const auto allowed = seconds_of_design * (session_.options().thorough ? thorough_factor : 1.0);
    std::vector<QuestionPoint> asked;
    while (const auto point = design.next()) {
      if (point->afresh && limits.starts_afresh && limits.keeps_process && !asked.empty()) {
        session_.start_afresh();
        asked.clear();
      }
      auto answer = subject.ask(*point);
      asked.push_back(*point);
      if (answer.response.status == ResponseStatus::answered) {
        design.was_answered(*point);
        tallied_.add(answer.tally);
        ++questions_;
        if (!answer.marked.wrong.empty()) {
          shrink(subject, asked, answer.marked, answer);
          return;
        }
      } else if (!tell_no_answer(subject, *point, answer.response, limits, design)) {
        return;
      }
      if (duration<double>(steady_clock::now() - start).count() > allowed) {
        session_.note(fmt::format("No more was asked about {} after {} questions, which took {:.0f} s.",
                                  subject.roles(), questions_, allowed));
        break;
      }
    }
    if (is_main) {
      tell_met(design);
    }
    if (limits.keeps_process && subject.questions().is_plain()) {
      ask_beyond(subject, limits.types);
    }
  }

  /// A prompt beyond the context may make a table grow, or its frequencies change, for all that comes after.
  void ask_beyond(AskedSubject& subject, std::span<const ElementType> types) {
    const auto beyond = position_beyond(session_);
    auto probe = subject.questions().main_points().back();
    probe.positions.erase(
        probe.positions.begin(),
        probe.positions.end() - static_cast<std::ptrdiff_t>(std::min(probe.rows, probed_rows)));
    probe.rows = probe.positions.size();
    for (const auto type : beyond ? types : std::span<const ElementType>()) {
      if (session_.implementation().can_start_afresh()) {
        session_.start_afresh();
      }
      QuestionPoint far{.type = type, .positions = {*beyond}};
      subject.ask(far);
      const auto answer = subject.ask(probe);
      tallied_.add(answer.tally);
      ++questions_;
      if (!answer.marked.wrong.empty()) {
        auto& check = fail(coordinate_groups().front(), first_wrong(subject, probe, answer));
        check.finding =
            fmt::format("{}: wrong after a question about a position beyond the context", subject.roles());
        check.counterexample = {{"question 1", subject.questions().words_of(far)},
                                {"question 2", subject.questions().words_of(probe)}};
        return;
      }
    }
  }

  void tell_met(const CoveringDesign& design) {
    for (const auto& group : coordinate_groups()) {
      for (const auto coordinate : group.coordinates) {
        const auto met = design.met_values(coordinate);
        if (met.find(" to ") != std::string::npos || met.find(", ") != std::string::npos) {
          met_[group.id].push_back(fmt::format("{}: {}", traits(coordinate).name, met));
        }
      }
    }
    if (const auto left = design.left_out(told_left_out); !left.empty()) {
      met_["use/lengths"].push_back("not met: " + joined(left, std::identity(), "; "));
    }
  }

  /// \return whether more is asked
  bool tell_no_answer(const AskedSubject& subject, const QuestionPoint& point, const Response& response,
                      const DesignLimits& limits, CoveringDesign& design) {
    const bool has_ended =
        response.status == ResponseStatus::crashed || response.status == ResponseStatus::timed_out;
    // A command refuses heads and batches by ending without an answer.
    if (response.status == ResponseStatus::malformed) {
      fail(coordinate_groups().front(),
           subject.questions().words_of(point) +
               " was answered by something else than was asked for: " + response.reason);
      failed_->finding = "the answer to a question in a different shape has a wrong type or shape";
      return false;
    }
    if (has_ended && limits.keeps_process && !session_.implementation().costs_a_process()) {
      ++deaths_;
      deaths_told_.push_back(
          fmt::format("{} got no answer: {}", subject.questions().words_of(point), response.reason));
    }
    design.was_refused(point);
    refused_ = {point};
    return !is_over();
  }

  Check& fail(const CoordinateGroup& group, std::string reason) {
    failed_ = Check{std::string(group.id), Status::fail, std::move(reason), std::string(group.required)};
    failed_->counts.failing = 1;
    return *failed_;
  }

  /// \param asked of one process, the last of which failed
  void shrink(AskedSubject& subject, std::vector<QuestionPoint> asked, const Marked& marked,
              const AnsweredPoint& answer) {
    auto limits = subject.questions().boundary_limits();
    limits.refused = refused_;
    const auto start = steady_clock::now();
    std::size_t questions = 0;
    const auto ask = [&](const std::vector<QuestionPoint>& sequence) {
      if (limits.starts_afresh) {
        session_.start_afresh();
      }
      Marked last;
      const bool is_in_time = questions < fewest_shrinking_questions ||
                              duration<double>(steady_clock::now() - start).count() < seconds_of_design;
      for (const auto& point : is_in_time ? sequence : std::vector<QuestionPoint>()) {
        last = subject.ask(point).marked;
        ++questions;
      }
      return last;
    };
    const auto boundary = find_boundary(asked, marked, limits, ask);
    if (subject.is_wrong() && (boundary.wrong_where.empty() || !boundary.is_confirmed)) {
      is_wrong_everywhere_ = boundary.wrong_where.empty();
      return;  // the elements of the main answer tell it
    }
    // Of the rows of a table a rule may be found, if there are some.
    auto rule = answer.rule;
    if (rule.empty() && subject.questions().is_plain() && !subject.is_wrong()) {
      rule = subject.ask(block_of_main(subject)).rule;
    }
    tell(subject, asked.back(), boundary, answer, rule);
  }

  /// Some rows from the middle of the main question.
  static QuestionPoint block_of_main(const AskedSubject& subject) {
    auto point = subject.questions().main_points().back();
    const auto first = point.positions.begin() + std::ssize(point.positions) / 2;
    point.positions = {first, std::min(first + 16, point.positions.end())};
    point.rows = point.positions.size();
    return point;
  }

  void tell(const AskedSubject& subject, const QuestionPoint& failing, const Boundary& boundary,
            const AnsweredPoint& answer, const std::string& rule) {
    const auto where = boundary.wrong_where.empty() ? std::string() : words_of(boundary.wrong_where);
    const auto& shortest = boundary.shortest.empty() ? failing : boundary.shortest.back();
    auto& check =
        fail(group_of(boundary.wrong_where, boundary.shortest.size() > 1),
             answer.wrong ? first_wrong(subject, failing, answer) : subject.questions().words_of(shortest));
    if (!boundary.is_reproducible) {
      check.finding = "the same questions in a new process have other answers";
    } else if (where.empty()) {
      check.finding = subject.roles() + ": wrong in questions that differ from the main one";
    } else {
      check.finding = fmt::format(
          "{}: wrong {}{}{}{}", subject.roles(), where, boundary.has_exceptions ? " with exceptions" : "",
          boundary.is_confirmed ? "" : " in what was asked", words_of(boundary.masked));
    }
    if (!boundary.nearest.empty()) {
      check.finding += boundary.is_confirmed ? nearest_words(boundary, shortest) : "";
    }
    if (!rule.empty()) {
      const auto told =
          rule + (where.empty()
                      ? ""
                      : fmt::format(" ({}{})", where, boundary.is_confirmed ? "" : " in what was asked"));
      check.reason = std::exchange(check.finding, told) + "; " + check.reason;
    }
    for (std::size_t i = 0; i < boundary.shortest.size(); ++i) {
      check.counterexample.emplace_back(fmt::format("question {}", i + 1),
                                        subject.questions().words_of(boundary.shortest[i]));
    }
    if (!boundary.nearest.empty()) {
      check.counterexample.emplace_back("answered right",
                                        subject.questions().words_of(boundary.nearest.back()));
    }
    check.boundary = boundary;
  }

  /// "rotated [19, 64] ...: rotated of position 4981, column 3, is off by 12 times its budget"
  static std::string first_wrong(const AskedSubject& subject, const QuestionPoint& at,
                                 const AnsweredPoint& answer) {
    const auto& wrong = *answer.wrong;
    return fmt::format(
        "{}: {} of position {}, column {}, {}", subject.questions().words_of(at), wrong.role,
        subject.questions().position_text(at.position(wrong.row / at.rows / at.heads, wrong.row % at.rows)),
        wrong.column, usage_text(wrong.budget_ratio));
  }

  /// "; right with 31 rows"
  static std::string nearest_words(const Boundary& boundary, const QuestionPoint& shortest) {
    const auto& nearest = boundary.nearest.back();
    const auto differing = [&](std::size_t one, std::size_t other, std::string_view singular,
                               std::string_view plural) {
      return one == other ? std::string() : "; right with " + counted(one, singular, plural);
    };
    return differing(nearest.rows, shortest.rows, "row", "rows") +
           differing(nearest.heads, shortest.heads, "head", "heads") +
           differing(nearest.batches, shortest.batches, "batch", "batches");
  }

  void conclude(std::vector<Check>& out) {
    const auto reason = what_was_asked();
    for (const auto& group : coordinate_groups()) {
      if (failed_ && failed_->id == group.id) {
        out.push_back(*failed_);
        continue;
      }
      Check check{std::string(group.id), Status::skipped, "", std::string(group.required)};
      const auto& met = met_[group.id];
      if (failed_) {
        check.reason = "not judged apart: see " + failed_->id;
      } else if (questions_ == 0) {
        check.reason = deaths_told_.empty() ? "nothing was answered that can be asked in other ways"
                                            : deaths_told_.front();
      } else if (met.empty()) {
        check.reason = "the implementation or the encoding takes one value only";
      } else {
        const bool is_told = tallied_.same + tallied_.other + tallied_.fresh > tallied_.untold;
        check.status = is_told ? Status::pass : Status::inconclusive;
        check.reason = joined(met, std::identity(), "; ") + reason;
        check.counts.elements = check.counts.judged = tallied_.same + tallied_.other + tallied_.fresh;
        if (tallied_.other > 0) {
          check.greatest_budget_ratio = tallied_.greatest_budget_ratio;
        }
      }
      if (group.id == "use/lengths" && !deaths_told_.empty()) {
        check.status = Status::error;
        check.reason = joined(deaths_told_, std::identity(), "; ");
        check.finding = deaths_told_.front();
      }
      out.push_back(std::move(check));
    }
  }

  std::string what_was_asked() const {
    return fmt::format(
        "; {}: {} rows have the bits of rows judged before, {} others within their budget, {} "
        "are within their budget",
        counted(questions_, "question", "questions"), tallied_.same, tallied_.other, tallied_.fresh);
  }

  LiveSession& session_;
  std::uint64_t questions_ = 0;  ///< answered
  VectorTally tallied_;
  std::map<std::string_view, std::vector<std::string>> met_;
  std::vector<std::string> deaths_told_;
  int deaths_ = 0;
  std::vector<QuestionPoint> refused_;  ///< the last question that was, if any
  bool is_wrong_everywhere_ = false;
  std::optional<Check> failed_;
};

}  // namespace

void judge_questions(LiveSession& session, std::vector<Check>& out) {
  QuestionsTrial(session).run(out);
}

}  // namespace vernier
