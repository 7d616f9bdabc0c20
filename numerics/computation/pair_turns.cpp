#include "numerics/computation/pair_turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vernier {
namespace {

constexpr long double extended_turn = 2 * std::numbers::pi_v<long double>;

/// The position next to a place, away from zero.
std::int64_t position_beyond(double place) {
  constexpr double noise = 0x1p-40;  // of a place that is computed
  const double magnitude = std::ceil(std::min(std::fabs(place), 0x1p53) * (1 - noise));
  return static_cast<std::int64_t>(place < 0 ? -magnitude : magnitude);
}

/// \param is_extended in 64 bits, else in 53
CosineSine cosine_sine(long double phase, bool is_extended) {
  if (is_extended) {
    const long double c = std::cos(phase);
    const long double s = std::sin(phase);
    const auto cosine = static_cast<double>(c);
    const auto sine = static_cast<double>(s);
    return {cosine, sine, static_cast<double>(c - cosine), static_cast<double>(s - sine)};
  }
  const auto high = static_cast<double>(phase);
  const auto low = static_cast<double>(phase - high);
  const double c = std::cos(high);
  const double s = std::sin(high);
  return {c - s * low, s + c * low, 0, 0};
}

}  // namespace

void PairTurns::set(TurnOfPair& turn, std::size_t row, std::size_t pair) const {
  turn.count = 0;
  turn.place = (*computation_.places)[static_cast<std::size_t>(computation_.axes[pair])][row];
  turn.position = position_beyond(turn.place);
  const auto& tone = computation_.tones[pair];
  const bool is_one = tone.cosine == tone.sine;
  std::array<double, 2> places{turn.place, turn.place};
  std::size_t count = 1;
  if (computation_.place_format) {
    const auto& narrowing = *computation_.place_format;
    const double size = computation_.place_size(pair);
    const double exact = turn.place * size;
    const double rounded = narrowing(exact);
    places[0] = rounded / size;
    // Ties go either way. What is near one may be beyond it once it is scaled: a product in float32, of a
    // factor in float32, is off by 2^-23 of itself. A sum in the format itself, as arange may take, is off by
    // more.
    constexpr double spread = 0x1p-22;
    const bool is_settled = !computation_.places_are_sums && narrowing(exact * (1 + spread)) == rounded &&
                            narrowing(exact * (1 - spread)) == rounded;
    if (rounded != exact && !is_settled && std::isfinite(rounded)) {
      places[1] = narrowing.other(exact, rounded) / size;
      count = 2;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = turn.count;
    const long double sine_phase = places[i] * tone.sine;
    const long double cosine_phase = is_one ? sine_phase : places[i] * tone.cosine;
    if (computation_.phase_format) {
      add_rounded(turn, pair, cosine_phase, sine_phase, is_one);
    } else {
      add_reduced(turn, pair, cosine_phase, sine_phase, is_one);
    }
    std::fill(turn.places.begin() + first, turn.places.begin() + turn.count, places[i]);
  }
}

void PairTurns::add_rounded(TurnOfPair& turn, std::size_t pair, long double cosine_phase,
                            long double sine_phase, bool is_one_phase) const {
  const auto& narrowing = *computation_.phase_format;
  const double spread = model_.relative_phase_error(static_cast<int>(pair)) + 0x1p-22;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (const double error : {0.0, spread, -spread}) {
    const double rounded = narrowing(static_cast<double>(sine_phase) * (1 + error));
    if (error == 0 || rounded != last) {
      const double cosine =
          is_one_phase ? rounded : narrowing(static_cast<double>(cosine_phase) * (1 + error));
      add_reduced(turn, pair, cosine, rounded, is_one_phase);
    }
    last = error == 0 ? rounded : last;
  }
}

void PairTurns::add(TurnOfPair& turn, long double cosine_phase, long double sine_phase,
                    bool is_one_phase) const {
  if (turn.count == TurnOfPair::most) {
    return;
  }
  auto way = cosine_sine(sine_phase, is_extended_);
  if (!is_one_phase) {
    const auto other = cosine_sine(cosine_phase, is_extended_);
    way.cosine = other.cosine;
    way.cosine_rest = other.cosine_rest;
  }
  turn.ways[turn.count++] = way;
}

void PairTurns::add_reduced(TurnOfPair& turn, std::size_t pair, long double cosine_phase,
                            long double sine_phase, bool is_one_phase) const {
  cosine_phase += computation_.phase_shift;
  sine_phase += computation_.phase_shift;
  if (std::fabs(sine_phase) > computation_.zero_beyond) {
    turn.ways[turn.count++] = {0, 0, 0, 0};
    return;
  }
  if (computation_.phase_step > 0) {
    add_stepped(turn, pair, sine_phase);
    return;
  }
  if (computation_.quarter_turn != 0) {
    constexpr long double quarter = extended_turn / 4;
    const auto format = model_.parameters().compute;
    const double phase = computation_.quarter_turn * round_to(format, static_cast<double>(sine_phase));
    const double argument = round_to(format, round_to(format, static_cast<double>(quarter)) + phase);
    add(turn, argument - quarter, sine_phase, false);
    return;
  }
  if (!computation_.period) {
    add(turn, cosine_phase, sine_phase, is_one_phase);
    return;
  }
  const long double excess = computation_.period->value - extended_turn;
  const long double turns = sine_phase / extended_turn;
  const long double nearest = std::rint(turns);
  add(turn, cosine_phase - std::rint(cosine_phase / extended_turn) * excess, sine_phase - nearest * excess,
      is_one_phase);
  if (std::fabs(std::fabs(turns - nearest) - 0.5L) < 1e-3L) {
    const long double other = nearest + (turns > nearest ? 1 : -1);
    add(turn, cosine_phase - other * excess, sine_phase - other * excess, is_one_phase);
  }
}

void PairTurns::add_stepped(TurnOfPair& turn, std::size_t pair, long double phase) const {
  const long double steps = phase / computation_.phase_step;
  const long double nearest = std::rint(steps);
  // Products and quotients of phases are rounded twice more where they are looked at.
  const double error = model_.relative_phase_error(static_cast<int>(pair)) +
                       model_.position_error(turn.position, static_cast<int>(pair)) +
                       4 * traits(model_.parameters().compute).unit_roundoff();
  add(turn, nearest * computation_.phase_step, nearest * computation_.phase_step, true);
  if (std::fabs(std::fabs(steps - nearest) - 0.5L) < error * (1 + std::fabs(steps))) {
    const long double other = nearest + (steps > nearest ? 1 : -1);
    add(turn, other * computation_.phase_step, other * computation_.phase_step, true);
  }
}

}  // namespace vernier
