#include "numerics/asking/covering/covering_design.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t no_goal = static_cast<std::size_t>(-1);
constexpr std::size_t candidates_of_question = 6;
constexpr std::size_t most_draws = 60;  // of candidates, some of which cannot be asked
constexpr std::size_t most_refused_in_a_row = 40;
constexpr std::size_t least_questions_of_process = 40;  // as a new one costs much
constexpr std::size_t most_shares = 32;                 // of one question in what is left for all
constexpr std::size_t vectors_of_landmark = 70000;      // beyond indices of 16 bits

std::int64_t as_coordinate(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

CoordinateKind kind_of(const Level& level) {
  return traits(level.coordinate).kind;
}

/// Of the smallest question that has both levels; nothing if none has.
std::optional<std::size_t> least_vectors(const Level& one, const Level& other) {
  struct Range {
    std::int64_t low = 1, high = most_of_size;
  };
  std::array<Range, 3> sizes;  // in the order of their coordinates
  std::int64_t vectors = 1;
  for (const auto& level : {one, other}) {
    if (kind_of(level) == CoordinateKind::size) {
      auto& size = sizes[static_cast<std::size_t>(level.coordinate)];
      size.low = std::max(size.low, level.low);
      size.high = level.of == Level::Of::value ? std::min(size.high, level.high) : size.high;
    } else if (level.coordinate == Coordinate::index) {
      vectors = level.low;
    } else if (level.coordinate == Coordinate::rank) {
      for (auto axis = level.low + 1; axis < std::ssize(sizes); ++axis) {
        sizes[static_cast<std::size_t>(axis)].high = 1;
      }
    } else if (level.coordinate == Coordinate::own_positions) {
      sizes.back().low = std::max(sizes.back().low, level.low + 1);
    }
  }
  for (std::int64_t all = 1; const auto& [low, high] : sizes) {
    if (low > high) {
      return std::nullopt;
    }
    vectors = std::max(vectors, all *= low);
  }
  return static_cast<std::size_t>(vectors);
}

}  // namespace

CoveringDesign::CoveringDesign(DesignLimits limits, std::uint64_t seed)
    : limits_(std::move(limits)),
      levels_(levels_of(limits_)),
      composer_(limits_, seed),
      dice_(composer_.dice()),
      goal_at_(levels_.size() * levels_.size(), no_goal),
      vectors_left_(limits_.most_vectors),
      questions_left_(limits_.most_questions),
      before_(limits_.start),
      answered_(levels_.size()),
      refused_(levels_.size()) {
  add_goals();
  if (limits_.takes_scattered && limits_.most_vectors_of_question >= vectors_of_landmark) {
    const auto order = level_from(Coordinate::order, static_cast<std::int64_t>(Order::shuffled));
    const auto index = level_from(Coordinate::index, 65536);
    landmarks_.push_back({order, index, level_from(Coordinate::rows, 65537)});
    if (limits_.takes_heads) {
      landmarks_.push_back({order, index, level_from(Coordinate::rank, 2), level_from(Coordinate::heads, 3),
                            level_from(Coordinate::batches, 3)});
    }
  }
  limit_to(limits_.most_vectors, limits_.most_questions);
}

std::size_t CoveringDesign::level_from(Coordinate coordinate, std::int64_t low) const {
  const auto found = std::ranges::find_if(
      levels_, [&](const Level& level) { return level.coordinate == coordinate && level.low == low; });
  return static_cast<std::size_t>(found - levels_.begin());
}

void CoveringDesign::add_goals() {
  for (std::size_t one = 0; one < levels_.size(); ++one) {
    for (std::size_t other = one + 1; other < levels_.size(); ++other) {
      const auto &a = levels_[one], &b = levels_[other];
      const bool are_alike = a.column == b.column || (a.coordinate == b.coordinate &&
                                                      (a.of == b.of || a.coordinate != Coordinate::rows));
      const bool is_contrary = a.coordinate == Coordinate::first && kind_of(b) == CoordinateKind::history;
      const auto least = least_vectors(a, b);
      if (!are_alike && !is_contrary && least && *least <= limits_.most_vectors_of_question) {
        goal_at_[one * levels_.size() + other] = goal_at_[other * levels_.size() + one] = goals_.size();
        goals_.push_back({{one, other}, *least});
      }
    }
  }
}

/// Whether a question may be refused for the level: others follow from those or go with them.
bool CoveringDesign::is_unproven(std::size_t level) const {
  const auto kind = kind_of(levels_[level]);
  return answered_[level] == 0 && !levels_[level].is_open() &&
         (kind == CoordinateKind::size || kind == CoordinateKind::kind);
}

std::size_t CoveringDesign::vectors_to_spare() const {
  return vectors_left_ - std::min(vectors_left_, landmarks_.size() * vectors_of_landmark);
}

/// Adds conditions on kinds, and on what divides the rows, that none is about yet: until something is
/// answered the first kinds, as most implementations take these, and then any; of whoever refuses some, such
/// as were answered, and such sizes.
void CoveringDesign::add_likely(Predicate& conditions) {
  std::map<std::size_t, Levels> likely;  // by column
  // Then the rows are as many as it takes.
  const bool has_index =
      std::ranges::find(conditions, Coordinate::index, &Atom::coordinate) != conditions.end();
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto& level = levels_[i];
    const bool is_kind = kind_of(level) == CoordinateKind::kind;
    const bool is_size = kind_of(level) == CoordinateKind::size && !level.is_open();
    const bool is_power = is_size && level.of == Level::Of::power && !has_index;
    const bool is_first = is_kind && level.coordinate != Coordinate::rank && !likely.contains(level.column);
    const bool is_likely = is_cautious_      ? (is_kind || is_size) && answered_[i] > 0
                           : values_.empty() ? is_first || is_power
                                             : (is_kind || is_power) && is_usable(i);
    if (is_likely && std::ranges::find(conditions, level.coordinate, &Atom::coordinate) == conditions.end()) {
      likely[level.column].push_back(i);
    }
  }
  for (const auto& [column, levels] : likely) {
    std::ranges::copy(predicate_of(levels_[dice_.of(levels)]), std::back_inserter(conditions));
  }
}

/// Conditions that the question before makes of those on history.
Predicate CoveringDesign::conditions_after(const std::set<Coordinate>& history) const {
  Predicate result;
  const auto has = [&](Coordinate one) { return before_.questions() > 0 && history.contains(one); };
  if (has(Coordinate::same_rows) || has(Coordinate::same_ends) || has(Coordinate::same_positions)) {
    result.push_back({Coordinate::rows, Relation::equal, as_coordinate(before_.last().rows)});
  }
  if (has(Coordinate::longest_so_far)) {
    result.push_back({Coordinate::rows, Relation::at_least, as_coordinate(before_.most_rows()) + 1});
  }
  if (has(Coordinate::farthest_so_far) && before_.greatest_position() < limits_.pool.back()) {
    result.push_back({Coordinate::position, Relation::at_least, before_.greatest_position() + 1});
  }
  return result;
}

/// Gives a question of as many rows the positions of the one before. \return whether it can have them
bool CoveringDesign::take_positions(bool are_shuffled, QuestionPoint& question) {
  const auto& last = before_.last();
  if (last.own_positions && (question.batches != last.batches || question.rank < 2)) {
    return false;
  }
  question.own_positions = last.own_positions;
  question.positions = last.positions;
  const std::span of_first_batch(question.positions.data(), question.rows);
  const auto order = order_of(of_first_batch, limits_.start);
  // Consecutive positions stay, as they may be dear to judge in any other order.
  if (are_shuffled && order >= Order::constant && order != Order::packed) {
    dice_.shuffle(of_first_batch.subspan(1, question.rows - 2));
  }
  return true;
}

std::optional<QuestionPoint> CoveringDesign::question_with(WantedLevels wanted, std::size_t most_vectors) {
  using enum Coordinate;
  constexpr std::array histories{first,           longer_before, longest_so_far, farther_before,
                                 farthest_so_far, same_rows,     same_ends,      same_positions};
  std::set<Coordinate> history;
  Predicate conditions;
  for (const auto level : wanted) {
    if (kind_of(levels_[level]) == CoordinateKind::history) {
      history.insert(levels_[level].coordinate);
    } else {
      std::ranges::copy(predicate_of(levels_[level]), std::back_inserter(conditions));
    }
  }
  if (history.empty()) {
    history.insert(dice_.of(histories));
  }
  std::ranges::copy(conditions_after(history), std::back_inserter(conditions));
  add_likely(conditions);
  // Small questions meet much for what they cost, but not all.
  auto drawn = composer_.draw(conditions, std::max<std::size_t>(1, most_vectors >> dice_.below(10)));
  drawn = drawn ? std::move(drawn) : composer_.draw(conditions, most_vectors);
  if (!drawn) {
    return std::nullopt;
  }
  auto& question = drawn->question;
  const auto asked = before_.questions();
  const bool may_start = limits_.starts_afresh && asked >= least_questions_of_process;
  question.afresh = asked == 0 || !limits_.keeps_process || (history.contains(first) && may_start);
  const bool has_ends = history.contains(same_ends);
  if (asked > 0 && (has_ends || history.contains(same_positions)) && !take_positions(has_ends, question)) {
    return std::nullopt;
  }
  // Position 0 turns nothing, and so hides much.
  constexpr std::size_t most_rows_at_0 = 8;
  const bool hides = std::ranges::count(question.positions, 0) == std::ssize(question.positions);
  return hides && question.count() > most_rows_at_0 ? std::nullopt : std::optional(std::move(question));
}

CoveringDesign::Levels CoveringDesign::levels_met(const QuestionPoint& question) const {
  const auto& before = question.afresh ? AskedBefore(limits_.start) : before_;
  const auto values = before.coordinates_of(question);
  const auto is_met = [&](const Level& level) {
    return level.coordinate == Coordinate::index ? as_coordinate(question.count()) >= level.low
           : level.coordinate == Coordinate::position
               ? std::ranges::any_of(question.positions, [&](auto each) { return level.holds(each); })
               : level.holds(values[level.coordinate]);
  };
  Levels result;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (is_met(levels_[i])) {
      result.push_back(i);
    }
  }
  return result;
}

std::optional<QuestionPoint> CoveringDesign::best_question(const std::vector<WantedLevels>& wanted,
                                                           std::size_t most_vectors) {
  std::optional<QuestionPoint> best;
  double best_value = 0;
  // Both limits are to be reached at once.
  const auto cost = std::max(limits_.vectors_of_question,
                             static_cast<double>(vectors_to_spare()) / static_cast<double>(questions_left_));
  std::size_t candidates = 0;
  for (std::size_t i = 0; i < most_draws && candidates < candidates_of_question && !wanted.empty(); ++i) {
    auto question = question_with(dice_.of(wanted), most_vectors);
    if (!question) {
      continue;
    }
    const auto levels = levels_met(*question);
    const auto unproven =
        std::ranges::count_if(levels, [&](std::size_t level) { return is_unproven(level); });
    if ((is_cautious_ && unproven > 1) ||
        !std::ranges::all_of(levels, [&](std::size_t level) { return is_usable(level); })) {
      continue;
    }
    ++candidates;
    double gained = 0;
    for (auto one = levels.begin(); one != levels.end(); ++one) {
      for (auto other = one + 1; other != levels.end(); ++other) {
        const auto goal = goal_at_[*one * levels_.size() + *other];
        gained += goal != no_goal && goals_[goal].is_wanted ? 1 : 0;
      }
    }
    const auto value = gained / (cost + static_cast<double>(question->count()) +
                                 (question->afresh ? limits_.vectors_of_start : 0));
    if (value > best_value) {
      best_value = value;
      best = std::move(question);
    }
  }
  return best;
}

/// One of those that are known to be refused, in turn: once in each process, at any time.
std::optional<QuestionPoint> CoveringDesign::question_to_refuse() {
  if (limits_.refused.empty() || before_.had_refusal() || before_.questions() == 0 ||
      !dice_.one_in(least_questions_of_process / 2)) {
    return std::nullopt;
  }
  auto question = limits_.refused.front();
  std::ranges::rotate(limits_.refused, limits_.refused.begin() + 1);
  question.positions = {composer_.positions().any()};
  return question;
}

std::optional<QuestionPoint> CoveringDesign::next() {
  if (questions_left_ == 0 || vectors_left_ == 0 || refused_in_a_row_ >= most_refused_in_a_row) {
    return std::nullopt;
  }
  while (questions_left_ <= limits_.most_questions / 4 && !landmarks_.empty()) {
    const auto landmark = landmarks_.back();
    landmarks_.pop_back();
    if (auto question =
            best_question({WantedLevels(landmark)}, std::min(vectors_of_landmark, vectors_left_))) {
      return question;
    }
  }
  if (auto question = question_to_refuse()) {
    return question;
  }
  const auto spare = vectors_to_spare();
  const auto share = std::max<std::size_t>(64, most_shares * spare / questions_left_);
  const auto most = std::min({limits_.most_vectors_of_question, std::max<std::size_t>(1, spare), share});
  for (std::size_t i = 0; i < most_draws && values_.empty(); ++i) {
    if (auto question = question_with({}, most)) {
      return question;
    }
  }
  for (const bool is_again : {false, true}) {
    std::vector<WantedLevels> wanted;
    for (auto& goal : goals_) {
      goal.is_wanted = goal.is_wanted || is_again;
      if (goal.is_wanted && goal.least <= most && is_usable(goal.levels[0]) && is_usable(goal.levels[1])) {
        wanted.emplace_back(goal.levels);
      }
    }
    if (auto question = best_question(wanted, most)) {
      return question;
    }
  }
  return std::nullopt;
}

void CoveringDesign::was_asked(const QuestionPoint& question, bool is_refused) {
  --questions_left_;
  if (question.afresh) {
    before_.clear();
  }
  before_.add(question, is_refused);
}

void CoveringDesign::was_answered(const QuestionPoint& question) {
  const auto levels = levels_met(question);
  for (const auto one : levels) {
    ++answered_[one];
    for (const auto other : levels) {
      if (const auto goal = goal_at_[one * levels_.size() + other]; goal != no_goal) {
        goals_[goal].is_met = true;
        goals_[goal].is_wanted = false;
      }
    }
  }
  const auto& before = question.afresh ? AskedBefore(limits_.start) : before_;
  const auto values = before.coordinates_of(question);
  for (const auto at : {std::size_t{0}, question.count() - 1}) {
    const auto of_vector = with_vector(values, question, at);
    for (const auto& [coordinate, kind, name] : all_coordinates()) {
      values_[coordinate].insert(of_vector[coordinate]);
    }
  }
  const auto [least, most] = std::ranges::minmax(question.positions);
  values_[Coordinate::position].insert({least, most});
  vectors_left_ -= std::min(vectors_left_, question.count());
  refused_in_a_row_ = 0;
  was_asked(question, false);
}

void CoveringDesign::was_refused(const QuestionPoint& question) {
  if (std::ranges::find(limits_.refused, question.type, &QuestionPoint::type) != limits_.refused.end()) {
    return was_asked(question, true);
  }
  for (const auto level : levels_met(question)) {
    refused_[level] += is_cautious_ && is_unproven(level) ? 1 : 0;
  }
  is_cautious_ = !values_.empty();
  ++refused_in_a_row_;
  was_asked(question, true);
}

void CoveringDesign::limit_to(std::size_t most_vectors, std::size_t most_questions) {
  vectors_left_ = std::min(vectors_left_, most_vectors);
  questions_left_ = std::min(questions_left_, most_questions);
  if (landmarks_.size() * vectors_of_landmark > vectors_left_ / 2) {
    landmarks_.clear();  // they would leave too little for other questions
  }
}

std::vector<std::string> CoveringDesign::left_out(std::size_t most) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (!is_usable(i)) {
      result.push_back(words_of(predicate_of(levels_[i])) + ", which it declines");
    }
  }
  // Of two columns the goal that would have cost least: others are more of the same.
  auto sorted = goals_;
  std::ranges::stable_sort(sorted, {}, &Goal::least);
  std::set<std::pair<std::size_t, std::size_t>> told;
  for (const auto& goal : sorted) {
    const auto one = goal.levels.front(), other = goal.levels.back();
    if (!goal.is_met && is_usable(one) && is_usable(other) &&
        told.emplace(levels_[one].column, levels_[other].column).second) {
      auto both = predicate_of(levels_[one]);
      std::ranges::copy(predicate_of(levels_[other]), std::back_inserter(both));
      result.push_back(words_of(both));
    }
  }
  result.resize(std::min(result.size(), most));
  return result;
}

std::string CoveringDesign::met_values(Coordinate coordinate) const {
  const auto found = values_.find(coordinate);
  if (found == values_.end()) {
    return "none";
  }
  const auto& values = found->second;
  const auto kind = traits(coordinate).kind;
  if (kind == CoordinateKind::size || kind == CoordinateKind::element) {
    return *values.begin() == *values.rbegin() ? fmt::format("{}", *values.begin())
                                               : fmt::format("{} to {}", *values.begin(), *values.rbegin());
  }
  const auto words = mapped(values, [&](std::int64_t value) {
    return words_of(Predicate{{coordinate, Relation::equal, value}});
  });
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace vernier
