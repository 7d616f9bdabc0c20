#include "numerics/asking/covering/composition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace vernier {
namespace {

using enum Coordinate;

/// \name What a question has where no condition says it, in per cent
/// @{
/// A number is one of the greatest that it may be or any of them, as limits and large numbers are rare else;
/// beside a power of two, where kernels change their ways; or else small, as small questions cost least.
constexpr std::int64_t of_greatest = 17, of_any = 17, of_beside_power = 33;
/// How much larger than they need to be rows, heads and batches become, below so many, each with its reason.
struct SizeShare {
  std::int64_t percent, below;
};
constexpr std::array<SizeShare, 4> shares_of_size{{
    {25, 1},             // nothing: what is needed alone, for the least
    {35, 8},             // vectors and warps are not filled, or just
    {30, 70},            // tiles are
    {10, most_of_size},  // grids, and indices of 16 bits
}};
/// Rows in any other order than shuffled: there rows, positions and their neighbours differ, and show most.
constexpr std::int64_t of_other_order = 45;
/// No more leading dimensions than the conditions need: larger questions are dearer.
constexpr std::int64_t of_least_rank = 90;
/// Sizes that are multiples of 4 to 256, as vectors and tiles are.
constexpr std::int64_t of_round_size = 15;
/// Another type than the main one, whose budgets are the finest.
constexpr std::int64_t of_other_type = 40;
/// The others of two kinds: as often as not where they cost nothing, less often where few vectors can be
/// judged by the bits of others.
constexpr std::int64_t of_own_positions = 50, of_strides = 40, of_not_finite = 25;
/// Of the question before, or of a neighbour: what it has in common with the other one, as caches compare
/// two.
constexpr std::int64_t of_common = 70, of_common_positions = 50, of_refusal = 10;
/// Questions before the one that is composed, if no condition asks for history: few, as they cost as much.
constexpr std::int64_t of_unasked_history = 25;
/// Of the neighbour of several questions: fewer of them, as most failures need none before.
constexpr std::int64_t of_less_history = 25;
/// @}

std::size_t unsigned_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

bool is_known_refusal(const QuestionPoint& question, const AskLimits& limits) {
  return std::ranges::any_of(limits.refused, [&](const QuestionPoint& refused) {
    return refused.positions == question.positions && refused.heads == question.heads &&
           refused.type == question.type && refused.rank == question.rank;
  });
}

}  // namespace

VectorEvidence Composition::at(std::size_t vector) const {
  const auto& question = sequence.back();
  VectorEvidence result{with_vector(values, question, vector), {}};
  const auto at = result.values[position], of_row = result.values[row], of_batch = result.values[batch];
  const auto position_in = [&](std::int64_t of) {
    return question.position(unsigned_of(of_batch), unsigned_of(of));
  };
  const auto masked = [&](Masking one, bool is_masked) {
    result.masked[static_cast<std::size_t>(one)] = is_masked;
  };
  masked(Masking::start, at == 0);
  masked(Masking::row_index, at == of_row);
  masked(Masking::counting, at == position_in(0) + of_row);
  masked(Masking::first_row, at == position_in(0));
  masked(Masking::previous_row, at == position_in(std::max<std::int64_t>(of_row, 1) - 1));
  masked(Masking::first_batch, at == question.position(0, unsigned_of(of_row)));
  const auto* last = answered_before > 0 ? &sequence[answered_before - 1] : nullptr;
  masked(Masking::last_question, last == nullptr || of_row >= std::ssize(last->positions) ||
                                     last->positions[unsigned_of(of_row)] == at);
  return result;
}

Composition composition_of(std::vector<QuestionPoint> sequence, const AskLimits& limits) {
  Composition result;
  AskedBefore before(limits.start);
  for (std::size_t i = 0; i + 1 < sequence.size(); ++i) {
    const bool is_refused = is_known_refusal(sequence[i], limits);
    before.add(sequence[i], is_refused);
    result.answered_before = is_refused ? result.answered_before : i + 1;
  }
  result.values = before.coordinates_of(sequence.back());
  result.sequence = std::move(sequence);
  return result;
}

Composer::Composer(const AskLimits& limits, std::uint64_t seed)
    : limits_(limits), dice_(seed), positions_(limits, levels_of(DesignLimits{limits}), dice_) {}

bool Composer::allows(Coordinate coordinate, std::int64_t value) const {
  Coordinates values;
  values[coordinate] = value;
  return std::ranges::all_of(conditions_, [&](const Atom& atom) {
    return atom.coordinate != coordinate || atom.relation == Relation::in_tail || atom.holds(values);
  });
}

/// Below a number, small more often than large.
std::int64_t Composer::spread(std::int64_t count) {
  const auto power = std::int64_t{1} << below(std::bit_width(unsigned_of(count)) + 1);
  return std::min(below(power), count - 1);
}

/// That meets the conditions on it: one of the greatest, any, beside a power of two, or one of the least.
std::optional<std::int64_t> Composer::number(Coordinate coordinate, std::int64_t least, std::int64_t most) {
  std::int64_t modulus = 1, rest = 0;
  for (const auto& atom : conditions_) {
    if (atom.coordinate == coordinate) {
      const bool is_equal = atom.relation == Relation::equal;
      least = is_equal || atom.relation == Relation::at_least ? std::max(least, atom.value) : least;
      most = is_equal || atom.relation == Relation::at_most ? std::min(most, atom.value) : most;
      if (atom.relation == Relation::multiple) {
        modulus = rest == 0 && atom.value == 0 ? std::lcm(modulus, atom.modulus) : atom.modulus;
        rest = atom.value;
      }
    }
  }
  if (least > most) {
    return std::nullopt;
  }
  const auto width = most - least + 1;
  const auto way = below(100);
  auto x = way < of_greatest            ? most - below(std::min<std::int64_t>(width, 4))
           : way < of_greatest + of_any ? least + below(width)
           : way < of_greatest + of_any + of_beside_power
               ? (std::int64_t{1} << below(std::bit_width(unsigned_of(most)) + 1)) + below(3) - 1
               : least + spread(width);
  x = std::clamp(x, least, most);
  x += remainder_of(rest - x, modulus);
  x = x > most ? x - modulus : x;
  for (int i = 0; i < 4; ++i, x += modulus) {
    if (x >= least && x <= most && allows(coordinate, x)) {
      return x;
    }
  }
  return std::nullopt;
}

/// Any that the conditions allow.
std::optional<std::int64_t> Composer::kind(Coordinate coordinate, std::int64_t least, std::int64_t most) {
  std::vector<std::int64_t> allowed;
  for (auto value = least; value <= most; ++value) {
    if (allows(coordinate, value)) {
      allowed.push_back(value);
    }
  }
  return allowed.empty() ? std::nullopt : std::optional(dice_.of(allowed));
}

/// The order is drawn as well, as it bounds the rows; nothing if conditions allow none.
std::optional<Order> Composer::draw_kinds(QuestionPoint& question) {
  const auto needs = [&](std::initializer_list<Coordinate> coordinates) {
    return std::ranges::any_of(coordinates, [&](Coordinate one) { return has(one); });
  };
  const std::int64_t least_rank = needs({batches, batch, batch_from_end, own_positions}) ? 2
                                  : needs({heads, head, head_from_end})                  ? 1
                                                                                         : 0;
  const auto of_rank =
      kind(rank, !has(rank) && chance(of_least_rank) ? least_rank : 0, limits_.takes_heads ? 3 : 0);
  const auto drawn = [&](Coordinate one, bool is_possible, std::int64_t most, std::int64_t percent) {
    return kind(one, 0, is_possible && (has(one) || chance(percent)) ? most : 0);
  };
  const auto is_apart = drawn(apart, limits_.takes_strides, 1, of_strides);
  const auto has_own = drawn(own_positions, limits_.takes_own_positions && of_rank > 1, 1, of_own_positions);
  const auto special =
      drawn(not_finite, limits_.takes_not_finite, limits_.has_passing_dimensions ? 3 : 2, of_not_finite);
  auto types = limits_.types;
  types.resize(has(type) || chance(of_other_type) ? types.size() : 1);
  std::erase_if(types, [&](ElementType one) { return !allows(type, static_cast<std::int64_t>(one)); });
  const auto last_order = static_cast<std::int64_t>(limits_.takes_scattered ? Order::shuffled : Order::block);
  const auto of_order = kind(order, has(order) || chance(of_other_order) ? 0 : last_order, last_order);
  if (!of_rank || !is_apart || !has_own || !special || types.empty() || !of_order) {
    return std::nullopt;
  }
  question.rank = unsigned_of(*of_rank);
  question.apart = *is_apart == 1;
  question.own_positions = *has_own == 1;
  question.not_finite = static_cast<NotFinite>(*special);
  question.type = dice_.of(types);
  return static_cast<Order>(*of_order);
}

/// An element that is asked for needs as many rows, heads and batches. Returns where such a vector may be.
std::optional<std::size_t> Composer::draw_sizes(Order order_drawn, QuestionPoint& question) {
  struct Axis {
    Coordinate size, element, from_end;
    std::int64_t least = 1, most = 1;
    std::int64_t at = 0, count = 1;
  };
  std::array<Axis, 3> axes{
      {{rows, row, from_end}, {heads, head, head_from_end}, {batches, batch, batch_from_end}}};
  const auto count = [&] { return axes[0].count * axes[1].count * axes[2].count; };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto& axis = axes[i];
    axis.most = i > question.rank ? 1 : most_vectors_;
    if (i == 0) {
      const auto [least, most] = positions_.rows_in(order_drawn);
      axis.least = least;
      axis.most = std::min(most, axis.most);
    }
    const auto at = has(axis.element) ? number(axis.element, 0, axis.most - 1) : 0;
    const auto after = has(axis.from_end) ? number(axis.from_end, 0, axis.most - 1) : 0;
    if (!at || !after) {
      return std::nullopt;
    }
    const auto least_size = std::max(axis.least, *at + 1);
    axis.least = std::max(axis.least, *at + *after + 1);
    auto share = shares_of_size.begin();
    for (auto way = below(100); way >= share->percent; ++share) {
      way -= share->percent;
    }
    const auto more = std::min(share->below, most_vectors_);
    const auto step = chance(of_round_size) ? std::int64_t{4} << below(7) : 1;
    const auto any = std::max(axis.least, (axis.least + spread(more)) / step * step);
    const auto size = has(axis.size) ? number(axis.size, least_size, axis.most) : any;
    if (!size || *size > axis.most) {
      return std::nullopt;
    }
    axis.count = *size;
    axis.at = has(axis.element) ? *at : has(axis.from_end) ? *size - 1 - *after : below(*size);
  }
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (count() > most_vectors_ && !has(axis->size)) {
      axis->count = axis->least;
      axis->at = std::min(axis->at, axis->least - 1);
    }
  }
  auto focus = (axes[2].at * axes[1].count + axes[1].at) * axes[0].count + axes[0].at;
  if (has(index)) {
    focus = number(index, 0, most_vectors_ - 1).value_or(-1);
    for (std::int64_t i = 0, first_one = below(3); i < 3; ++i) {
      auto& axis = axes[unsigned_of((first_one + i) % 3)];
      if (count() <= focus && !has(axis.size)) {
        axis.count = std::min(focus / (count() / axis.count) + 1, axis.most);
      }
    }
  }
  question.rows = unsigned_of(axes[0].count);
  question.heads = unsigned_of(axes[1].count);
  question.batches = unsigned_of(axes[2].count);
  return focus >= 0 && focus < count() && count() <= most_vectors_ ? std::optional(unsigned_of(focus))
                                                                   : std::nullopt;
}

/// \param focus is moved to a position that is asked for, if no condition says which row it is
bool Composer::draw_positions(Order order_drawn, QuestionPoint& question, std::size_t& focus) {
  std::optional<std::int64_t> wanted;
  if (has(position)) {
    wanted = positions_.cheap([&](std::int64_t one) { return allows(position, one); });
    wanted = wanted ? wanted : number(position, limits_.start, limits_.end);
    if (!wanted) {
      return false;
    }
  }
  const auto batch_of_focus = focus / question.rows / question.heads;
  const auto first = question.own_positions ? batch_of_focus * question.rows : 0;
  question.positions.clear();
  for (std::size_t b = 0; b < (question.own_positions ? question.batches : 1); ++b) {
    const bool is_wanted = wanted && (!question.own_positions || b == batch_of_focus);
    const auto some = positions_.in_order(order_drawn, question.rows, is_wanted ? *wanted : positions_.any());
    question.positions.insert(question.positions.end(), some.begin(), some.end());
  }
  if (!wanted) {
    return true;
  }
  const auto of_batch = std::span(question.positions).subspan(first, question.rows);
  auto& placed = of_batch[focus % question.rows];
  const auto found = std::ranges::find(of_batch, *wanted);
  if (found != of_batch.end() && !has(row) && !has(from_end) && !has(index)) {
    focus = focus - focus % question.rows + static_cast<std::size_t>(found - of_batch.begin());
  } else if (order_drawn == Order::shuffled) {
    placed = *wanted;
  } else {
    const auto shift = *wanted - placed;
    std::ranges::for_each(of_batch, [&](std::int64_t& one) { one += shift; });
  }
  const auto [least, most] = std::ranges::minmax(question.positions);
  return least >= limits_.start && most <= limits_.end;
}

std::optional<Composer::Drawn> Composer::draw(const Predicate& conditions, std::size_t most_vectors) {
  conditions_ = conditions;
  most_vectors_ = static_cast<std::int64_t>(std::min(most_vectors, limits_.most_vectors_of_question));
  for (int attempt = 0; attempt < 8; ++attempt) {
    QuestionPoint question;
    const auto of_order = draw_kinds(question);
    auto focus = of_order ? draw_sizes(*of_order, question) : std::nullopt;
    if (focus && draw_positions(*of_order, question, *focus)) {
      question.vectors = dice_.below(std::size_t{1} << 32);
      return Drawn{std::move(question), *focus};
    }
  }
  return std::nullopt;
}

/// A question that has something in common with another one.
QuestionPoint Composer::related(const QuestionPoint& other, std::size_t most_vectors) {
  const auto values = AskedBefore(limits_.start).coordinates_of(other);
  Predicate common;
  for (const auto one : {rows, heads, batches, rank, type, not_finite, apart}) {
    if (chance(of_common)) {
      common.push_back({one, Relation::equal, values[one]});
    }
  }
  const auto drawn = draw(common, most_vectors);
  auto result = drawn ? drawn->question : other;
  if (result.rows == other.rows && !other.own_positions && !result.own_positions) {
    if (chance(of_common_positions)) {
      result.positions = other.positions;
    } else if (chance(of_common_positions) && limits_.takes_scattered) {
      result.positions.front() = other.positions.front();
      result.positions.back() = other.positions.back();
    }
  }
  return result;
}

std::optional<Composition> Composer::compose(const Predicate& conditions, std::size_t most_vectors) {
  auto met = conditions;
  std::erase_if(met, [](const Atom& atom) { return atom.coordinate == pair; });
  const bool has_history = std::ranges::any_of(met, is_history);
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto drawn = draw(met, most_vectors);
    if (!drawn) {
      continue;
    }
    const auto& question = drawn->question;
    auto focus = drawn->focus;
    for (int i = 0; i < (has_history ? 8 : 1); ++i) {
      std::vector<QuestionPoint> sequence;
      const auto count = !limits_.starts_afresh       ? 0
                         : has_history                ? below(3)
                         : chance(of_unasked_history) ? 1 + below(2)
                                                      : 0;
      while (std::ssize(sequence) < count) {
        const bool is_refusal = !limits_.refused.empty() && chance(of_refusal);
        sequence.push_back(is_refusal ? dice_.of(limits_.refused) : related(question, most_vectors));
      }
      sequence.push_back(question);
      auto composed = composition_of(std::move(sequence), limits_);
      if (may_hold(met, composed.values)) {
        const auto meets = [&](std::size_t at) {
          return holds(met, with_vector(composed.values, question, at));
        };
        for (std::size_t at = 0; at < question.count() && !meets(focus); ++at) {
          focus = at;
        }
        if (meets(focus)) {
          composed.focus = focus;
          return composed;
        }
        break;
      }
    }
  }
  return std::nullopt;
}

Composition Composer::neighbour(const Composition& known) {
  auto sequence = known.sequence;
  if (sequence.size() > 1 && chance(of_less_history)) {
    sequence.erase(sequence.begin(), sequence.begin() + 1 + below(std::ssize(sequence) - 1));
  } else {
    sequence.back() = related(known.sequence.back(), known.sequence.back().count());
  }
  auto composed = composition_of(std::move(sequence), limits_);
  composed.focus = dice_.below(composed.sequence.back().count());
  return composed;
}

Predicate opposite_of(Atom condition) {
  auto& [coordinate, relation, value, modulus] = condition;
  switch (relation) {
    case Relation::at_least:
      return {{coordinate, Relation::at_most, value - 1}};
    case Relation::at_most:
      return {{coordinate, Relation::at_least, value + 1}};
    case Relation::in_tail:
      return {};
    default:
      break;
  }
  constexpr std::array pairs{Relation::equal, Relation::unequal, Relation::multiple, Relation::not_multiple};
  const auto at = static_cast<std::size_t>(std::ranges::find(pairs, relation) - pairs.begin());
  relation = pairs[at ^ 1];
  return {condition};
}

}  // namespace vernier
