#include "reports/measures/rates/near_questions.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::rates {
namespace {

/// Of a cosine and a sine: more than float32 loses at the last position, and bfloat16 anywhere.
constexpr double visible_difference = 0.05;

bool is_visible(const PlantedKernel& kernel, const NearQuestion& near) {
  const auto pair_of_vector = static_cast<std::size_t>(near.coordinates[Coordinate::pair]);
  const auto turn = [](std::int64_t at, std::size_t of_pair) {
    return std::polar(1.0, planted_phase(at, of_pair));
  };
  const auto* last =
      near.before.empty() || near.before.back().is_refused ? nullptr : &near.before.back().question;
  const auto place = misplaced(kernel, near.question, near.index, last);
  const auto wrong = misturned(kernel, turn(place, mispaired(kernel, pair_of_vector)));
  return !(std::abs(wrong - turn(near.coordinates[Coordinate::position], pair_of_vector)) <=
           visible_difference);
}

std::size_t size_near(std::int64_t value, std::size_t most) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(value, 1, static_cast<std::int64_t>(most)));
}

}  // namespace

const Atom* NearQuestions::any_about(std::initializer_list<Coordinate> coordinates) {
  std::vector<const Atom*> found;
  for (const auto& atom : conditions_) {
    if (std::ranges::find(coordinates, atom.coordinate) != coordinates.end()) {
      found.push_back(&atom);
    }
  }
  return found.empty() ? nullptr : draw_.any_of(found);
}

std::int64_t NearQuestions::near(std::initializer_list<Coordinate> coordinates, std::int64_t fallback) {
  const auto* atom = any_about(coordinates);
  if (atom == nullptr || draw_.chance(0.15)) {
    return fallback;
  }
  // A size of n has its last row, head or batch at n - 1.
  const bool is_size = traits(atom->coordinate).kind == CoordinateKind::size;
  const auto value = atom->value - (is_size ? 1 : 0);
  if (atom->modulus > 1) {
    const auto times = draw_.spread_integer(1, std::max<std::int64_t>(1, planted_end / atom->modulus)) - 1;
    const auto beside = atom->relation == Relation::in_tail ? draw_.between(0, atom->modulus - 1)
                        : draw_.chance(0.5)                 ? 0
                                                            : draw_.between(-1, 1);
    return value + atom->modulus * (beside > 1 && draw_.chance(0.5) ? 0 : times) + beside;
  }
  return value + draw_.one_of<std::int64_t>({-1, 0, 0, 0, 1, 1});
}

std::int64_t NearQuestions::kind_of(Coordinate coordinate, std::int64_t fallback) {
  const auto* atom = any_about({coordinate});
  return atom != nullptr && draw_.chance(0.6) ? atom->value : fallback;
}

void NearQuestions::draw_sizes(QuestionPoint& question) {
  const auto few = [&](std::int64_t most) {
    return draw_.chance(0.6) ? 0 : draw_.spread_integer(1, most) - 1;
  };
  question.batches = size_near(near({Coordinate::batches, Coordinate::batch}, few(8)) + 1, most_vectors_);
  question.heads =
      size_near(near({Coordinate::heads, Coordinate::head}, few(40)) + 1, most_vectors_ / question.batches);
  const auto room = most_vectors_ / question.batches / question.heads;
  auto count =
      near({Coordinate::rows, Coordinate::row, Coordinate::from_end}, few(draw_.chance(0.5) ? 16 : 2048)) + 1;
  if (any_about({Coordinate::index}) != nullptr && draw_.chance(0.7)) {
    const auto sequences = static_cast<std::int64_t>(question.batches * question.heads);
    count = std::max(count, near({Coordinate::index}, 0) / (draw_.chance(0.3) ? 1 : sequences) + 1);
  }
  question.rows = size_near(count, room);
  const auto least_rank = question.batches > 1 ? 2 : question.heads > 1 ? 1 : 0;
  question.rank = static_cast<std::size_t>(
      std::max<std::int64_t>(least_rank, kind_of(Coordinate::rank, draw_.between(least_rank, 3))));
}

void NearQuestions::draw_positions(std::span<std::int64_t> positions) {
  const auto count = static_cast<std::int64_t>(positions.size());
  const auto orders = static_cast<std::int64_t>(order_count);
  const auto wanted = static_cast<Order>(
      kind_of(Coordinate::order, draw_.chance(0.6) ? orders - 1 : draw_.between(0, orders - 1)));
  if (wanted == Order::shuffled) {
    const bool is_near = any_about({Coordinate::position}) != nullptr;
    for (auto& at : positions) {
      at = is_near && draw_.chance(0.5) ? near({Coordinate::position}, 0) : draw_.between(0, planted_end);
      at = std::clamp<std::int64_t>(at, 0, planted_end);
    }
    return;
  }
  const auto run = count / 3 + 2;
  const auto offset = [&](std::int64_t r) -> std::int64_t {
    switch (wanted) {
      case Order::constant:
        return 0;
      case Order::descending:
        return count - 1 - r;
      case Order::repeated:
        return r / 2;
      case Order::gaps:
        return r + r / 3;
      case Order::packed:
        return r % run;
      default:
        return r;
    }
  };
  const auto anchor = offset(draw_.between(0, count - 1));
  const auto last = std::max(offset(0), offset(count - 1));
  auto first = std::clamp<std::int64_t>(near({Coordinate::position}, draw_.between(1, planted_end)) - anchor,
                                        0, std::max<std::int64_t>(0, planted_end - last));
  first = wanted == Order::from_start ? 0 : first;
  for (std::int64_t r = 0; r < count; ++r) {
    positions[static_cast<std::size_t>(r)] = std::min(planted_end, first + offset(r));
  }
}

void NearQuestions::draw_positions(QuestionPoint& question) {
  question.positions.resize(question.rows * (question.own_positions ? question.batches : 1));
  for (std::size_t at = 0; at < question.positions.size(); at += question.rows) {
    draw_positions(std::span(question.positions).subspan(at, question.rows));
  }
}

/// Questions of one sequence, most of them.
void NearQuestions::draw_before(NearQuestion& near) {
  const auto& question = near.question;
  const bool is_first = kind_of(Coordinate::first, draw_.chance(0.2) ? 1 : 0) != 0;
  const auto count = is_first ? 0 : draw_.between(1, 3);
  for (std::int64_t i = 0; i < count; ++i) {
    QuestionPoint one{.rows = question.rows, .type = question.type};
    bool is_refused = false;
    const auto kind = draw_.between(0, 8);
    if (kind <= 2) {
      const auto longer = std::min(question.rows + draw_.index(question.rows + 2), most_vectors_);
      one.rows = kind == 0 ? 1 + draw_.index(question.rows) : longer;
    }
    one.heads = kind == 3 ? size_near(draw_.between(1, 8), most_vectors_ / one.rows) : 1;
    one.rank = one.heads > 1 ? 1 : 0;
    one.type = kind == 4 ? draw_.one_of({ElementType::float32, ElementType::float16, ElementType::float64})
                         : one.type;
    one.not_finite = kind == 5 ? NotFinite::nan_in_pair : NotFinite::none;
    is_refused = kind == 6;
    draw_positions(one);
    if (kind >= 7) {
      // The positions of the question, or only its ends.
      one = question;
      for (std::size_t r = 1; kind == 7 && r + 1 < one.positions.size(); ++r) {
        one.positions[r] = draw_.between(0, planted_end);
      }
    }
    near.before.push_back({std::move(one), is_refused});
  }
}

NearQuestion NearQuestions::next() {
  NearQuestion result;
  auto& question = result.question;
  draw_sizes(question);
  question.own_positions =
      question.batches > 1 && kind_of(Coordinate::own_positions, draw_.chance(0.1) ? 1 : 0) != 0;
  question.type = static_cast<ElementType>(kind_of(
      Coordinate::type, static_cast<std::int64_t>(
                            draw_.one_of({ElementType::float32, ElementType::float32, ElementType::float16,
                                          ElementType::bfloat16, ElementType::float64}))));
  question.apart = kind_of(Coordinate::apart, draw_.chance(0.2) ? 1 : 0) != 0;
  question.not_finite =
      static_cast<NotFinite>(kind_of(Coordinate::not_finite, draw_.chance(0.7) ? 0 : draw_.between(1, 3)));
  draw_positions(question);
  draw_before(result);
  AskedBefore before(0);
  for (const auto& one : result.before) {
    before.add(one.question, one.is_refused);
  }
  result.coordinates = before.coordinates_of(question);
  move(result);
  return result;
}

void NearQuestions::move(NearQuestion& result) {
  const auto& question = result.question;
  const auto within = [&](std::int64_t value, std::size_t size) { return size_near(value + 1, size) - 1; };
  const auto any = [&](std::size_t size) {
    return draw_.chance(0.5) ? static_cast<std::int64_t>(size) - 1
                             : static_cast<std::int64_t>(draw_.index(size));
  };
  const auto tail = near({Coordinate::from_end}, any(question.rows));
  const auto at_row = within(any_about({Coordinate::from_end}) != nullptr && draw_.chance(0.6)
                                 ? static_cast<std::int64_t>(question.rows) - 1 - tail
                                 : near({Coordinate::row}, any(question.rows)),
                             question.rows);
  const auto at_head = within(near({Coordinate::head}, any(question.heads)), question.heads);
  const auto at_batch = within(near({Coordinate::batch}, any(question.batches)), question.batches);
  result.index = (at_batch * question.heads + at_head) * question.rows + at_row;
  if (any_about({Coordinate::index}) != nullptr && draw_.chance(0.5)) {
    result.index = within(near({Coordinate::index}, 0), question.count());
  }
  result.coordinates = with_vector(result.coordinates, question, result.index);
  result.coordinates[Coordinate::pair] = static_cast<std::int64_t>(
      within(near({Coordinate::pair}, static_cast<std::int64_t>(draw_.index(planted_pairs))), planted_pairs));
}

std::optional<std::size_t> least_that_shows(const PlantedKernel& kernel, std::size_t most_vectors,
                                            std::uint64_t seed) {
  constexpr int most_tries = 600;
  constexpr int enough = 12;
  constexpr int vectors = 8;
  NearQuestions questions(kernel.where, most_vectors, seed);
  std::optional<std::size_t> least;
  for (int i = 0, shown = 0; i < most_tries && shown < enough; ++i) {
    auto near = questions.next();
    if (!kernel.answers(near.question) || !may_hold(kernel.where, near.coordinates)) {
      continue;
    }
    for (int j = 0; j < vectors; ++j, questions.move(near)) {
      if (holds(kernel.where, near.coordinates) && is_visible(kernel, near)) {
        least = std::min(least.value_or(most_vectors), near.question.count());
        ++shown;
        break;
      }
    }
  }
  return least;
}

bool tells_rightly(const Predicate& told, const PlantedKernel& kernel, std::size_t most_vectors,
                   std::uint64_t seed) {
  constexpr int tries = 3000;
  constexpr int vectors = 24;
  auto conditions = told;
  conditions.insert(conditions.end(), kernel.where.begin(), kernel.where.end());
  NearQuestions questions(std::move(conditions), most_vectors, seed);
  for (int i = 0; i < tries; ++i) {
    auto near = questions.next();
    for (int j = 0; j < vectors; ++j, questions.move(near)) {
      const bool is_met = holds(kernel.where, near.coordinates);
      if (is_met != holds(told, near.coordinates) && (!is_met || is_visible(kernel, near))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace vernier::rates
