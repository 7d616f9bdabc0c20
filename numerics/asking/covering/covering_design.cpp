#include "numerics/asking/covering/covering_design.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t no_goal = static_cast<std::size_t>(-1);
constexpr std::size_t candidates_of_question = 6;
constexpr std::size_t most_draws = 60;      // of candidates, some of which cannot be asked
constexpr std::size_t draws_of_a_size = 9;  // of any, to take the one that divides most
constexpr std::size_t most_refused_in_a_row = 40;
constexpr std::size_t least_questions_of_process = 40;     // as a new one costs much
constexpr std::size_t most_shares = 32;                    // of one question in what is left for all
constexpr SizeRange vectors_of_landmark = {65537, 70000};  // beyond indices of 16 bits

std::int64_t as_coordinate(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

CoordinateKind kind_of(const Level& level) {
  return traits(level.coordinate).kind;
}

/// Whether a question is made to have it: other levels of history follow from what is asked anyway.
bool is_chosen(const Level& level) {
  return level.coordinate != Coordinate::index &&
         (kind_of(level) != CoordinateKind::history || level.coordinate <= Coordinate::same_positions);
}

/// Up to the greatest that blocks of threads have.
std::vector<std::size_t> divisors_of(std::size_t size) {
  constexpr std::size_t most = 1024;
  std::vector<std::size_t> result;
  for (std::size_t divisor = 1; divisor * divisor <= size; ++divisor) {
    for (const auto each : {divisor, size / divisor}) {
      if (size % divisor == 0 && each > 1 && each <= most) {
        result.push_back(each);
      }
    }
  }
  return result;
}

}  // namespace

std::size_t MetDivisors::fresh(std::size_t size) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(divisors_of(size), [&](std::size_t divisor) { return !met_.contains(divisor); }));
}

void MetDivisors::add(std::size_t size) {
  const auto divisors = divisors_of(size);
  met_.insert(divisors.begin(), divisors.end());
}

CoveringDesign::CoveringDesign(DesignLimits limits, std::uint64_t seed)
    : limits_(std::move(limits)),
      dice_(seed),
      levels_(levels_of(limits_)),
      columns_(levels_.back().column + 1),
      shuffled_(levels_.size()),
      positions_(limits_, levels_, dice_),
      goal_at_(levels_.size() * levels_.size(), no_goal),
      vectors_left_(limits_.most_vectors),
      questions_left_(limits_.most_questions),
      before_(limits_.start),
      answered_(levels_.size()),
      refused_(levels_.size()) {
  std::iota(shuffled_.begin(), shuffled_.end(), std::size_t{0});
  add_goals();
  if (limits_.takes_scattered && limits_.most_vectors_of_question >= vectors_of_landmark.high) {
    const auto order = level_from(Coordinate::order, static_cast<std::int64_t>(Order::shuffled));
    landmarks_.push_back({order, level_from(Coordinate::rows, 65537)});
    if (limits_.has_vectors && limits_.takes_heads) {
      landmarks_.push_back({order, level_from(Coordinate::rank, 2), level_from(Coordinate::heads, 3),
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
      const bool is_contrary = a.coordinate == Coordinate::first && !is_chosen(b);
      auto sizes = a.sizes;
      if (!are_alike && !is_contrary && sizes.narrow(b.sizes)) {
        goal_at_[one * levels_.size() + other] = goal_at_[other * levels_.size() + one] = goals_.size();
        goals_.push_back({{one, other}, sizes.least()});
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
  return vectors_left_ - std::min(vectors_left_, landmarks_.size() * vectors_of_landmark.high);
}

QuestionSizes CoveringDesign::sizes_now(const Level& level) const {
  auto result = level.sizes;
  const auto asked = before_.questions();
  const bool may_start = asked == 0 || (limits_.starts_afresh && asked >= least_questions_of_process);
  if (level.coordinate == Coordinate::first && !may_start) {
    result.rows.high = 0;
  } else if (level.coordinate == Coordinate::longest_so_far) {
    result.rows.low = before_.most_rows() + 1;
  } else if (level.coordinate >= Coordinate::same_rows && level.coordinate <= Coordinate::same_positions) {
    result.rows = {last_.rows, last_.rows};
  }
  return result;
}

void CoveringDesign::set_sizes(QuestionSizes sizes, QuestionPoint& question) {
  const auto choose = [&](SizeRange& range, Coordinate size) {
    const auto others = sizes.rows.low * sizes.heads.low * sizes.batches.low / range.low;
    const auto most_others = sizes.rows.high * sizes.heads.high * sizes.batches.high / range.high;
    const auto low = std::max(range.low, (sizes.vectors.low + most_others - 1) / most_others);
    const auto high = std::max(low, std::min(range.high, sizes.vectors.high / others));
    const auto any = [&] {
      std::array<std::size_t, draws_of_a_size> drawn{};
      std::ranges::generate(drawn, [&] { return low + dice_.below(high - low + 1); });
      return *std::ranges::max_element(drawn, {}, [&](auto each) { return divisors_[size].fresh(each); });
    };
    const std::array edges{low, low + 1, high, high, high - 1};
    const auto kind = dice_.below(8);
    const auto step = kind < 7 ? std::size_t{1} : std::size_t{4} << dice_.below(7);
    const auto value = std::clamp(kind < edges.size() ? edges[kind] : any() / step * step, low, high);
    range = {value, value};
    return value;
  };
  question.rows = sizes.rows_from(choose(sizes.rows, Coordinate::rows));
  sizes.rows = {question.rows, question.rows};
  question.heads = choose(sizes.heads, Coordinate::heads);
  question.batches = choose(sizes.batches, Coordinate::batches);
}

std::optional<QuestionPoint> CoveringDesign::question_with(WantedLevels wanted, const SizeRange& vectors) {
  QuestionSizes sizes;
  sizes.vectors = vectors;
  Levels levels;
  std::vector<bool> is_set(columns_);
  const auto add = [&](std::size_t level) {
    auto narrowed = sizes;
    const bool is_possible = narrowed.narrow(sizes_now(levels_[level]));
    if (is_possible) {
      sizes = narrowed;
      levels.push_back(level);
      is_set[levels_[level].column] = true;
    }
    return is_possible;
  };
  if (!std::ranges::all_of(wanted, [&](auto level) { return !is_chosen(levels_[level]) || add(level); })) {
    return std::nullopt;
  }
  // Small questions meet much for what they cost, but not all.
  sizes.vectors.high = std::min(vectors.high, std::max(2 * sizes.least(), vectors.high >> dice_.below(10)));
  dice_.shuffle(shuffled_);
  if (values_.empty()) {
    // Until something is answered, the first kinds: most implementations take these.
    std::ranges::stable_sort(shuffled_, {}, [&](std::size_t level) {
      const bool is_of_kind = kind_of(levels_[level]) == CoordinateKind::kind;
      return is_of_kind && levels_[level].coordinate != Coordinate::rank ? level : levels_.size();
    });
  }
  for (const auto level : shuffled_) {
    const bool is_bold = is_cautious_ && (is_unproven(level) || levels_[level].is_open());
    if (!is_set[levels_[level].column] && is_chosen(levels_[level]) && is_usable(level) && !is_bold) {
      add(level);
    }
  }
  const auto has_its_kind = [&](const Level& level) {
    return is_set[level.column] || kind_of(level) != CoordinateKind::kind;
  };
  if (!std::ranges::all_of(levels_, has_its_kind)) {
    return std::nullopt;
  }
  Coordinates values;
  auto focus = positions_.any(limits_.start);
  for (const auto level : levels) {
    values[levels_[level].coordinate] = levels_[level].low;
    focus = levels_[level].coordinate == Coordinate::position ? positions_.one_of(level) : focus;
  }
  if (values[Coordinate::farthest_so_far] == 1 && before_.greatest_position() < limits_.end) {
    focus = positions_.any(before_.greatest_position() + 1);
  }
  QuestionPoint question;
  set_sizes(sizes, question);
  question.rank = static_cast<std::size_t>(values[Coordinate::rank]);
  question.own_positions = values[Coordinate::own_positions] == 1;
  question.type = static_cast<ElementType>(values[Coordinate::type]);
  question.apart = values[Coordinate::apart] == 1;
  question.not_finite = static_cast<NotFinite>(values[Coordinate::not_finite]);
  question.afresh = before_.questions() == 0 || !limits_.keeps_process || values[Coordinate::first] == 1;
  question.vectors = dice_.below(std::size_t{1} << 32);
  const auto order = static_cast<Order>(values[Coordinate::order]);
  // Position 0 turns nothing, and so hides much.
  constexpr std::size_t most_rows_at_0 = 8;
  const bool hides = order == Order::constant && focus == 0 && question.count() > most_rows_at_0;
  if (question.rows > sizes.rows.high || question.count() > vectors.high || hides) {
    return std::nullopt;
  }
  const bool has_last_ends = values[Coordinate::same_ends] == 1;
  if (has_last_ends || values[Coordinate::same_positions] == 1) {
    if (before_.questions() == 0 || (last_.own_positions && question.batches != last_.batches)) {
      return std::nullopt;
    }
    question.own_positions = last_.own_positions;
    question.positions = last_.positions;
    const std::span of_first_batch(question.positions.data(), question.rows);
    const auto last_order = order_of(of_first_batch, limits_.start);
    // Consecutive positions stay, as they may be dear to judge in any other order.
    if (has_last_ends && last_order >= Order::constant && last_order != Order::packed) {
      dice_.shuffle(of_first_batch.subspan(1, question.rows - 2));
    }
    return question;
  }
  for (std::size_t batch = 0; batch < (question.own_positions ? question.batches : 1); ++batch) {
    const auto of_batch =
        positions_.in_order(order, question.rows, batch == 0 ? focus : positions_.any(limits_.start));
    question.positions.insert(question.positions.end(), of_batch.begin(), of_batch.end());
  }
  return question;
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
                                                           const SizeRange& vectors) {
  std::optional<QuestionPoint> best;
  double best_value = 0;
  // Both limits are to be reached at once.
  const auto cost = std::max(limits_.vectors_of_question,
                             static_cast<double>(vectors_to_spare()) / static_cast<double>(questions_left_));
  std::size_t candidates = 0;
  for (std::size_t i = 0; i < most_draws && candidates < candidates_of_question && !wanted.empty(); ++i) {
    auto question = question_with(dice_.of(wanted), vectors);
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

/// One that is known to be refused, once in each process, at any time.
std::optional<QuestionPoint> CoveringDesign::question_to_refuse() {
  if (limits_.declined.empty() || before_.had_refusal() || before_.questions() == 0 ||
      !dice_.one_in(least_questions_of_process / 2)) {
    return std::nullopt;
  }
  return QuestionPoint{.type = dice_.of(limits_.declined), .positions = {positions_.any(limits_.start)}};
}

std::optional<QuestionPoint> CoveringDesign::next() {
  if (questions_left_ == 0 || vectors_left_ == 0 || refused_in_a_row_ >= most_refused_in_a_row) {
    return std::nullopt;
  }
  while (questions_left_ <= limits_.most_questions / 4 && !landmarks_.empty()) {
    const auto landmark = landmarks_.back();
    landmarks_.pop_back();
    if (auto question =
            best_question({WantedLevels(landmark)},
                          {vectors_of_landmark.low, std::min(vectors_of_landmark.high, vectors_left_)})) {
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
    if (auto question = question_with({}, {1, most})) {
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
    if (auto question = best_question(wanted, {1, most})) {
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
  last_ = question;
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
  for (const auto size : {Coordinate::rows, Coordinate::heads, Coordinate::batches}) {
    divisors_[size].add(static_cast<std::size_t>(values[size]));
  }
  const auto [least, most] = std::ranges::minmax(question.positions);
  values_[Coordinate::position].insert({least, most});
  vectors_left_ -= std::min(vectors_left_, question.count());
  refused_in_a_row_ = 0;
  was_asked(question, false);
}

void CoveringDesign::was_refused(const QuestionPoint& question) {
  if (std::ranges::find(limits_.declined, question.type) != limits_.declined.end()) {
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
  if (landmarks_.size() * vectors_of_landmark.high > vectors_left_ / 2) {
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
