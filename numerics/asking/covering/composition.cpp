#include "numerics/asking/covering/composition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace vernier {
namespace {

using enum Coordinate;

std::size_t unsigned_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

bool is_known_refusal(const QuestionPoint& question, const BoundaryLimits& limits) {
  return limits.refused && limits.refused->positions == question.positions &&
         limits.refused->heads == question.heads && limits.refused->type == question.type &&
         limits.refused->rank == question.rank;
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

Composition composition_of(std::vector<QuestionPoint> sequence, const BoundaryLimits& limits) {
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

/// That meets the conditions on it.
std::optional<std::int64_t> Composer::value(Coordinate coordinate, std::int64_t least, std::int64_t most) {
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
  const auto kind = below(6);
  auto x = kind == 0   ? most - below(std::min<std::int64_t>(width, 4))
           : kind == 1 ? least + below(width)
           : kind <= 3 ? (std::int64_t{1} << below(std::bit_width(unsigned_of(most)) + 1)) + below(3) - 1
                       : least + spread(width);
  x = std::clamp(x, least, most);
  x += ((rest - x) % modulus + modulus) % modulus;
  x = x > most ? x - modulus : x;
  for (int i = 0; i < 4; ++i, x += modulus) {
    if (x >= least && x <= most && allows(coordinate, x)) {
      return x;
    }
  }
  return std::nullopt;
}

std::vector<std::int64_t> Composer::positions(std::int64_t count, Order order_wanted) {
  const auto whole = limits_->end - limits_->start + 1;
  const auto width = chance(70) ? whole : std::min(whole, std::max(count, spread(whole)));
  const auto step = below(width) | 1;
  auto scattered = below(width);
  const auto next_scattered = [&] {
    scattered += step < width - scattered ? step : step - width;
    const auto found = std::ranges::lower_bound(limits_->pool, limits_->start + scattered);
    return found == limits_->pool.end() ? limits_->start + scattered : *found;
  };
  auto next = order_wanted == Order::from_start
                  ? limits_->start
                  : std::min(next_scattered(), std::max(limits_->start, limits_->end - count));
  std::vector<std::int64_t> result(unsigned_of(count), next);
  switch (order_wanted) {
    case Order::constant:
      return result;
    case Order::from_start:
    case Order::block:
    case Order::descending:
      std::ranges::generate(result, [&] { return next++; });
      break;
    case Order::packed:
      std::ranges::generate(result, [&] {
        const auto passed = next - limits_->start - 1;
        return next = passed > 0 && chance(10) ? limits_->start + below(passed) : next + 1;
      });
      break;
    default:
      std::ranges::generate(result, next_scattered);
  }
  if (order_wanted == Order::gaps || order_wanted == Order::repeated) {
    std::ranges::sort(result);
    result[unsigned_of(order_wanted == Order::repeated ? count / 2 : 0)] = result[0];
    std::ranges::sort(result);
  } else if (order_wanted == Order::descending) {
    std::ranges::reverse(result);
  }
  return result;
}

/// An element that is asked for needs as many rows, heads and batches. Returns where such a vector may be.
std::optional<std::size_t> Composer::draw_sizes(QuestionPoint& question) {
  struct Axis {
    Coordinate size, element, from_end;
    std::int64_t at = 0, least = 1, count = 1;
  };
  std::array<Axis, 3> axes{
      {{rows, row, from_end}, {heads, head, head_from_end}, {batches, batch, batch_from_end}}};
  const auto needs = [&](const Axis& axis) {
    return has(axis.size) || has(axis.element) || has(axis.from_end);
  };
  const auto least_rank = needs(axes[2]) || has(own_positions) ? 2 : needs(axes[1]) ? 1 : 0;
  const auto rank_drawn = value(rank, chance(90) ? least_rank : 0, limits_->takes_heads ? 3 : 0);
  if (!rank_drawn) {
    return std::nullopt;
  }
  question.rank = unsigned_of(*rank_drawn);
  const auto count = [&] { return axes[0].count * axes[1].count * axes[2].count; };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto& axis = axes[i];
    const auto at = has(axis.element) ? value(axis.element, 0, most_vectors_ - 1) : 0;
    const auto after = has(axis.from_end) ? value(axis.from_end, 0, most_vectors_ - 1) : 0;
    if (!at || !after) {
      return std::nullopt;
    }
    axis.least = *at + *after + 1;
    const auto kind = below(20);
    const auto more = i > question.rank ? 1 : kind < 5 ? 1 : kind < 12 ? 8 : kind < 18 ? 70 : most_vectors_;
    const auto size = has(axis.size) ? value(axis.size, *at + 1, i > question.rank ? 1 : most_vectors_)
                                     : axis.least + spread(more);
    if (!size || (i > question.rank && *size > 1)) {
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
    focus = value(index, 0, most_vectors_ - 1).value_or(-1);
    for (std::int64_t i = 0, first_one = below(3); i < 3; ++i) {
      const auto which = unsigned_of((first_one + i) % 3);
      if (count() <= focus && !has(axes[which].size) && which <= question.rank) {
        axes[which].count = focus / (count() / axes[which].count) + 1;
      }
    }
  }
  question.rows = unsigned_of(axes[0].count);
  question.heads = unsigned_of(axes[1].count);
  question.batches = unsigned_of(axes[2].count);
  const bool fits = count() <= most_vectors_ && axes[0].count <= limits_->end - limits_->start + 1;
  return fits && focus >= 0 && focus < count() ? std::optional(unsigned_of(focus)) : std::nullopt;
}

void Composer::draw_kinds(QuestionPoint& question) {
  const auto drawn = [&](Coordinate one, bool is_possible, std::int64_t most, std::int64_t percent) {
    return is_possible && (has(one) || chance(percent)) ? value(one, 0, most).value_or(0) : 0;
  };
  question.apart = drawn(apart, limits_->takes_strides, 1, 40) == 1;
  question.own_positions =
      drawn(own_positions, limits_->takes_own_positions && question.rank > 1, 1, 50) == 1;
  question.not_finite = static_cast<NotFinite>(
      drawn(not_finite, limits_->takes_not_finite, limits_->has_passing_dimensions ? 3 : 2, 25));
  auto types = limits_->types;
  if (has(type) || chance(40)) {
    std::ranges::rotate(types, types.begin() + below(std::ssize(types)));
  }
  const auto found = std::ranges::find_if(
      types, [&](ElementType one) { return allows(type, static_cast<std::int64_t>(one)); });
  question.type = found == types.end() ? types.front() : *found;
}

bool Composer::draw_positions(QuestionPoint& question, std::size_t focus) {
  const auto most = static_cast<std::int64_t>(limits_->takes_scattered ? Order::shuffled : Order::block);
  const auto drawn = has(order) || chance(45) ? value(order, 0, most) : most;
  const auto wanted = value(position, limits_->start, limits_->end);
  if (!drawn || !wanted) {
    return false;
  }
  question.positions.clear();
  for (std::size_t b = 0; b < (question.own_positions ? question.batches : 1); ++b) {
    const auto some = positions(static_cast<std::int64_t>(question.rows), static_cast<Order>(*drawn));
    question.positions.insert(question.positions.end(), some.begin(), some.end());
  }
  if (has(position)) {
    const auto batch_of_focus = focus / question.rows / question.heads;
    auto& placed =
        question
            .positions[(question.own_positions ? batch_of_focus * question.rows : 0) + focus % question.rows];
    const auto shift = *wanted - placed;
    if (static_cast<Order>(*drawn) == Order::shuffled || question.own_positions) {
      placed = *wanted;
    } else {
      std::ranges::for_each(question.positions, [&](std::int64_t& one) { one += shift; });
    }
  }
  const auto [first_one, last_one] = std::ranges::minmax(question.positions);
  return first_one >= limits_->start && last_one <= limits_->end;
}

/// A question that has something in common with the one that follows.
QuestionPoint Composer::before(const QuestionPoint& question) {
  if (limits_->refused && chance(10)) {
    return *limits_->refused;
  }
  auto result = question;
  if (chance(30)) {
    result.heads = result.batches = 1;
    result.rank = 0;
  } else if (chance(15) && limits_->takes_heads) {
    result.rank = std::max<std::size_t>(result.rank, 1);
    ++result.heads;
  }
  const auto t = static_cast<std::int64_t>(question.rows);
  const auto kind = below(3);
  const auto most = std::min(most_vectors_ / static_cast<std::int64_t>(result.heads * result.batches),
                             limits_->end - limits_->start + 1);
  const auto rows_before = kind == 0   ? 1 + below(t)
                           : kind == 1 ? std::max<std::int64_t>(std::min(t + 1 + below(9), most), 1)
                                       : t;
  if (rows_before != t || chance(50) || result.rank < question.rank) {
    result.own_positions = false;
    result.rows = unsigned_of(rows_before);
    result.positions = positions(rows_before, limits_->takes_scattered ? Order::shuffled : Order::block);
    if (chance(50) && limits_->takes_scattered && !question.own_positions) {
      result.positions.front() = question.positions.front();
      result.positions.back() = question.positions.back();
    }
  }
  if (chance(35)) {
    result.type = limits_->types[unsigned_of(below(std::ssize(limits_->types)))];
  }
  const bool is_not_finite = limits_->takes_not_finite && chance(20);
  result.not_finite = is_not_finite ? NotFinite::nan_in_pair
                      : chance(60)  ? NotFinite::none
                                    : question.not_finite;
  return result;
}

std::optional<Composition> Composer::compose(const Predicate& conditions, std::size_t most_vectors) {
  conditions_ = conditions;
  std::erase_if(conditions_, [](const Atom& atom) { return atom.coordinate == pair; });
  most_vectors_ = static_cast<std::int64_t>(std::min(most_vectors, limits_->most_vectors_of_question));
  const bool has_history = std::ranges::any_of(
      conditions_, [](const Atom& atom) { return traits(atom.coordinate).kind == CoordinateKind::history; });
  for (int attempt = 0; attempt < 8; ++attempt) {
    QuestionPoint question;
    auto focus = draw_sizes(question);
    if (!focus) {
      continue;
    }
    draw_kinds(question);
    if (!draw_positions(question, *focus)) {
      continue;
    }
    question.vectors = bits_();
    for (int i = 0; i < (has_history ? 8 : 1); ++i) {
      std::vector<QuestionPoint> sequence;
      const auto count = !limits_->starts_afresh ? 0 : has_history ? below(3) : below(8) - 5;
      while (std::ssize(sequence) < count) {
        sequence.push_back(before(question));
      }
      sequence.push_back(question);
      auto composed = composition_of(std::move(sequence), *limits_);
      if (may_hold(conditions_, composed.values)) {
        const auto meets = [&](std::size_t at) {
          return holds(conditions_, with_vector(composed.values, question, at));
        };
        for (std::size_t at = 0; at < question.count() && !meets(*focus); ++at) {
          focus = at;
        }
        if (meets(*focus)) {
          composed.focus = *focus;
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
  for (auto changes = 1 + below(2); changes > 0; --changes) {
    auto& question = sequence.back();
    const auto part_of = [&](std::size_t size) {
      return chance(50) ? 1 : 1 + unsigned_of(below(static_cast<std::int64_t>(size)));
    };
    switch (below(8)) {
      case 0:
        sequence.erase(sequence.begin(), sequence.begin() + below(std::ssize(sequence)));
        break;
      case 1:
        question.type = limits_->types[unsigned_of(below(std::ssize(limits_->types)))];
        break;
      case 2:
        question.not_finite = NotFinite::none;
        break;
      case 3:
        question.apart = limits_->takes_strides && !question.apart;
        break;
      case 4:
        question.heads = part_of(question.heads);
        break;
      case 5:
        question.batches = part_of(question.batches);
        question.own_positions = question.own_positions && question.batches > 1;
        break;
      case 6:
        // Of all of them, so that what they have in common remains.
        if (const auto rows_left = part_of(question.rows); !question.own_positions) {
          for (auto& one : sequence) {
            const bool is_kept = one.own_positions || is_known_refusal(one, *limits_);
            one.rows = is_kept ? one.rows : std::min(one.rows, rows_left);
          }
        }
        break;
      default:
        question.own_positions = false;
        question.positions = positions(static_cast<std::int64_t>(question.rows),
                                       limits_->takes_scattered ? Order::shuffled : Order::block);
    }
    if (question.heads * question.batches == 1 && chance(30)) {
      question.rank = 0;
    }
  }
  for (auto& one : sequence) {
    one.positions.resize(one.rows * (one.own_positions ? one.batches : 1));
  }
  auto composed = composition_of(std::move(sequence), *limits_);
  composed.focus = unsigned_of(below(static_cast<std::int64_t>(composed.sequence.back().count())));
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
