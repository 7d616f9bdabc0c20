#include "numerics/computation/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/computation/row_sums.hpp"
#include "numerics/decoding/held_number.hpp"
#include "numerics/decoding/pair_signal.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_recovery_rows = 1024;
/// Inputs shorter than this share of their median say too little.
constexpr double least_share_of_median = 0.05;
/// The moduli of the points of a mapping that is right are nearer to each other than this.
constexpr double coherent_spread = 0.1;

/// The places of a computation, if they are whole numbers; else the positions.
std::vector<std::vector<std::int64_t>> measured_positions(const Suspect& suspect,
                                                          const Computation& computation) {
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& places : *computation.places) {
    auto& axis = result.emplace_back();
    for (const double place : places) {
      if (place != std::rint(place) || std::fabs(place) > 0x1p53) {
        return suspect.positions();
      }
      axis.push_back(static_cast<std::int64_t>(place));
    }
  }
  return result;
}

}  // namespace

PairView::PairView(const Suspect& suspect, const Computation& computation)
    : suspect_(suspect), computation_(computation) {
  const auto pairs = static_cast<std::size_t>(computation.pairs());
  places_.resize(pairs);
  lone_.resize(pairs);
  if (const auto* vectors = suspect.vectors()) {
    // A pair turns if it has two dimensions, each of which takes the other: y0 = x0 c - x1 s, y1 = x1 c + x0
    // s.
    std::vector<std::vector<RotatedDimension>> by_pair(pairs);
    for (const auto& dimension : computation.rotated) {
      by_pair[static_cast<std::size_t>(dimension.pair)].push_back(dimension);
    }
    least_norms_.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      if (by_pair[i].size() != 2) {
        continue;
      }
      auto real = by_pair[i][0];
      auto imaginary = by_pair[i][1];
      if (real.sign > 0) {
        std::swap(real, imaginary);
      }
      if (real.own == imaginary.other && real.other == imaginary.own && real.sign < 0 && imaginary.sign > 0) {
        places_[i] = Places{
            .first = real.out, .second = imaginary.out, .in_first = real.own, .in_second = imaginary.own};
        if (computation.in_place) {
          const bool is_real_first = by_pair[i][0].out == real.out;
          places_[i]->replaced = is_real_first ? Places::Replaced::first : Places::Replaced::second;
        }
        std::vector<double> norms;
        const auto width = vectors->head_dim();
        for (const auto row : spread_rows(vectors->rows(), 64)) {
          norms.push_back(std::hypot(vectors->input.number(row * width + real.own),
                                     vectors->input.number(row * width + imaginary.own)));
        }
        least_norms_[i] = least_share_of_median * median(std::move(norms));
      }
    }
    return;
  }
  struct Found {
    std::optional<std::pair<std::size_t, std::size_t>> cosine;
    std::optional<std::pair<std::size_t, std::size_t>> sine;
    int cosine_sign = 1;
    int sine_sign = 1;
  };
  std::vector<Found> found(pairs);
  for (std::size_t t = 0; t < computation.cells.size(); ++t) {
    for (std::size_t c = 0; c < computation.cells[t].size(); ++c) {
      const auto& [pair, component, sign, is_magnitude] = computation.cells[t][c];
      if (component == Component::zero || is_magnitude || suspect.tables()[t].is_scale_alone) {
        continue;
      }
      auto& one = found[static_cast<std::size_t>(pair)];
      const bool is_sine = component == Component::sine;
      auto& place = is_sine ? one.sine : one.cosine;
      if (!place) {
        place = std::pair(t, c);
        (is_sine ? one.sine_sign : one.cosine_sign) = sign;
      }
    }
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto& one = found[i];
    if (one.cosine && one.sine) {
      places_[i] = Places{.first_tensor = one.cosine->first,
                          .first = one.cosine->second,
                          .second_tensor = one.sine->first,
                          .second = one.sine->second,
                          .first_sign = one.cosine_sign,
                          .second_sign = one.sine_sign};
    } else if (const auto& place = one.sine ? one.sine : one.cosine) {
      const bool is_sine = one.sine.has_value();
      lone_[i] = LonePlace{place->first, place->second, is_sine ? one.sine_sign : one.cosine_sign, is_sine};
    }
  }
}

// y0 = x0 c - x1 s and y1 = x1 c + y0 s are two equations for c and s; so are y1 = x1 c + x0 s and y0 = x0 c
// - y1 s.
std::complex<double> PairView::turn_in_place(std::complex<double> x, std::complex<double> y,
                                             Places::Replaced replaced) {
  constexpr double least_determinant = 0.25;
  const bool is_first = replaced == Places::Replaced::first;
  const double determinant =
      is_first ? x.real() * y.real() + x.imag() * x.imag() : x.imag() * y.imag() + x.real() * x.real();
  const double cosine =
      is_first ? y.real() * y.real() + x.imag() * y.imag() : y.imag() * y.imag() + x.real() * y.real();
  const double sine = x.real() * y.imag() - x.imag() * y.real();
  return std::fabs(determinant) >= least_determinant * std::norm(x)
             ? std::complex<double>(cosine, sine) / determinant
             : std::complex<double>(std::numeric_limits<double>::quiet_NaN());
}

std::optional<SeenPoint> PairView::point(std::size_t row, int pair) const {
  const auto grown = grown_point(row, pair);
  const double modulus = grown ? std::abs(grown->z) : 0;
  if (!grown || !suspect_.grows()) {
    return grown;
  }
  // Errors are shares of the numbers; but the last normal ones have few bits.
  const double smallest = traits(suspect_.stored(0)).smallest_normal();
  return modulus > smallest
             ? std::optional(SeenPoint{grown->z / modulus, grown->tolerance / modulus, grown->angle})
             : std::nullopt;
}

std::optional<SeenPoint> PairView::grown_point(std::size_t row, int pair) const {
  const auto& places = *places_[static_cast<std::size_t>(pair)];
  const auto u_of = [](Format format) { return traits(format).unit_roundoff(); };
  if (const auto* vectors = suspect_.vectors()) {
    const auto begin = row * vectors->head_dim();
    const std::complex<double> x(vectors->input.number(begin + places.in_first),
                                 vectors->input.number(begin + places.in_second));
    const std::complex<double> y(vectors->rotated.number(begin + places.first),
                                 vectors->rotated.number(begin + places.second));
    const bool is_in_place = places.replaced != Places::Replaced::none;
    const auto z = is_in_place ? turn_in_place(x, y, places.replaced) : y * std::conj(x) / std::norm(x);
    if (!(std::abs(x) > least_norms_[static_cast<std::size_t>(pair)]) || !std::isfinite(z.real()) ||
        !std::isfinite(z.imag())) {
      return std::nullopt;
    }
    const double of_trigonometry = u_of(computation_.parameters.front().compute);
    const double u = std::max(u_of(vectors->stored()), of_trigonometry);
    // A component: 4.5u of sine and cosine and 3u of product, sum and storage, times |x0| + |x1|, which is at
    // most sqrt(2) |x|; sqrt(2) once more for the two of them: 15u. Where the second is computed from the
    // first its factor may be four times as large as the determinant, and the errors of both add.
    // Where all is rounded to u, x0 c and x1 s are off by 2u each and their sum by u: by 3u |x|, as |x0 c| +
    // |x1 s| is |x| at most. So is the other component: the angle is off by sqrt(2) 3u, less than 5u; and by
    // as much as sine and cosine are, two ulp: sqrt(2) 4u.
    const double of_place = is_in_place ? 8 : 1;
    return SeenPoint{z, of_place * 16 * u * std::abs(z), of_place * 6 * (u + of_trigonometry)};
  }
  const auto& cosines = suspect_.tables()[places.first_tensor];
  const auto& sines = suspect_.tables()[places.second_tensor];
  if (suspect_.is_zero_row(places.first_tensor, row)) {
    return std::nullopt;
  }
  const std::complex<double> z(
      places.first_sign * cosines.tensor->number(row * cosines.width() + places.first),
      places.second_sign * sines.tensor->number(row * sines.width() + places.second));
  if (!std::isfinite(z.real()) || !std::isfinite(z.imag())) {
    return std::nullopt;
  }
  const double u =
      std::max({u_of(cosines.stored()), u_of(sines.stored()), u_of(computation_.parameters.front().compute)});
  // Two ulp next to 1 are 4u, storage u/2; the other component is then small. Where both are alike an ulp is
  // half as much: less than 6u in all.
  // The product with what grows is one rounding more.
  const double off = suspect_.grows() ? 8 * u * std::abs(z) : 6 * u * std::max(1.0, std::abs(z));
  // Storing turns the point by cos f ds - sin f dc: both components to u of themselves by 2u |cos f sin f|.
  // Half as much again for the last normal numbers, and twice that for storing that cuts off.
  const double stored = std::max(u_of(cosines.stored()), u_of(sines.stored()));
  const double smallest = std::max(traits(cosines.stored()).smallest(), traits(sines.stored()).smallest());
  const double computed = u_of(computation_.parameters.front().compute) * (suspect_.grows() ? 8 : 6);
  const double turned = 6 * stored * std::fabs(z.real() * z.imag()) / std::norm(z);
  return SeenPoint{z, off, 2 * computed + turned + smallest / std::abs(z)};
}

std::optional<SeenComponent> PairView::component(std::size_t row, int pair) const {
  const auto& [tensor, column, sign, is_sine] = *lone_[static_cast<std::size_t>(pair)];
  const auto& table = suspect_.tables()[tensor];
  const double amplitude = computation_.amplitude;
  const double got = table.tensor->number(row * table.width() + column);
  if (suspect_.is_zero_row(tensor, row) || !std::isfinite(got) || amplitude == 0) {
    return std::nullopt;
  }
  // As of a point: two ulp next to 1 are 4u, and storage.
  const double value = sign * got / amplitude;
  const double off =
      6 * traits(computation_.parameters.front().compute).unit_roundoff() + 3 * ulp_at(table.stored(), value);
  return SeenComponent{value, off, is_sine};
}

double distance(const FittedPhasor& phasor, double frequency) {
  const double period = phasor.ambiguity.value_or(2 * std::numbers::pi);
  return std::min(std::fabs(std::remainder(phasor.frequency - frequency, period)),
                  std::fabs(std::remainder(phasor.frequency + frequency, period)));
}

bool Recovery::is_coherent() const {
  return modulus_spread < coherent_spread &&
         std::ranges::any_of(phasors, [](const auto& phasor) { return phasor.has_value(); });
}

double Recovery::agreement(std::span<const double> frequencies, std::span<const double> allowed) const {
  std::size_t known = 0;
  std::size_t agreeing = 0;
  for (std::size_t i = 0; i < phasors.size() && i < frequencies.size(); ++i) {
    if (const auto& phasor = phasors[i]) {
      ++known;
      agreeing +=
          distance(*phasor, frequencies[i]) <= 3 * (allowed[i] * frequencies[i] + 4 * phasor->uncertainty)
              ? 1
              : 0;
    }
  }
  return known == 0 ? 1 : static_cast<double>(agreeing) / static_cast<double>(known);
}

Recovery recover(const Suspect& suspect, const Computation& computation, double share) {
  const auto measured = measured_positions(suspect, computation);
  const auto last = mapped(measured, [&](const std::vector<std::int64_t>& positions) {
    const auto [least, greatest] = std::ranges::minmax(positions);
    return static_cast<double>(least) + share * static_cast<double>(greatest - least);
  });
  return recover(suspect, computation, [&](std::size_t row, std::size_t pair) {
    const auto axis = static_cast<std::size_t>(computation.axes[pair]);
    return static_cast<double>(measured[axis][row]) <= last[axis];
  });
}

Recovery recover(const Suspect& suspect, const Computation& computation,
                 const std::function<bool(std::size_t row, std::size_t pair)>& is_wanted) {
  const PairView view(suspect, computation);
  Recovery recovery;
  recovery.phasors.resize(computation.tones.size());
  std::vector<std::vector<std::size_t>> rows_by_axis;
  const auto measured = measured_positions(suspect, computation);
  for (const auto& positions : measured) {
    rows_by_axis.push_back(rows_to_measure(positions, most_recovery_rows));
  }
  std::vector<double> spreads(computation.tones.size(), -1);
  oneapi::tbb::parallel_for(std::size_t{0}, recovery.phasors.size(), [&](std::size_t i) {
    const int pair = static_cast<int>(i);
    if (!view.is_complete(pair)) {
      return;
    }
    const auto axis = static_cast<std::size_t>(computation.axes[i]);
    PairSignal signal;
    std::vector<double> moduli;
    for (const auto row : rows_by_axis[axis]) {
      if (const auto seen = is_wanted(row, i) ? view.point(row, pair) : std::nullopt) {
        signal.positions.push_back(measured[axis][row]);
        signal.points.push_back(seen->z);
        moduli.push_back(std::abs(seen->z));
      }
    }
    const double usual = median(moduli);
    for (double& modulus : moduli) {
      modulus = usual > 0 ? std::fabs(modulus / usual - 1) : std::numeric_limits<double>::infinity();
    }
    spreads[i] = median(std::move(moduli));
    recovery.phasors[i] = fit_phasor(signal, computation.frequency(pair));
  });
  std::erase_if(spreads, [](double spread) { return spread < 0; });
  recovery.modulus_spread =
      spreads.empty() ? std::numeric_limits<double>::infinity() : median(std::move(spreads));
  return recovery;
}

namespace {

constexpr double full_turn = 2 * std::numbers::pi;
/// What the roundings of an angle make, and those of a difference of two over their distance: a dozen at most
/// of numbers up to 2 pi times the distance, each 2^-53 of it, and 12 (2 pi) < 2^7.
constexpr double rounding_of_angles = 0x1p-46;

/// The angle of a pair in a row.
struct SeenAngle {
  std::int64_t position = 0;
  double angle = 0;
  double off = 0;  ///< as much at most, of the angle that it should be
};

/// Outside of it no frequency within half a turn of it has every angle; nothing where there is none, or where
/// positions leave several. Rows are taken by their distances from the first: the interval of those before
/// says how many turns lie between.
std::optional<HeldRange> proved_turn(std::vector<SeenAngle> seen) {
  const auto first = seen.front();
  const auto distance = [&](const SeenAngle& one) { return std::abs(one.position - first.position); };
  std::ranges::stable_sort(seen, {}, distance);
  std::optional<HeldRange> turn;
  for (const auto& one : seen) {
    const auto by = static_cast<double>(one.position - first.position);
    const double off = (one.off + first.off) / std::fabs(by) + rounding_of_angles;
    if (by == 0 ||
        (turn ? (turn->high - turn->low + 2 * off) * std::fabs(by) >= full_turn : distance(one) != 1)) {
      continue;
    }
    const double usual = turn ? turn->middle() * by : 0;
    const double middle = (usual + std::remainder(one.angle - first.angle - usual, full_turn)) / by;
    turn = HeldRange{turn ? std::max(turn->low, middle - off) : middle - off,
                     turn ? std::min(turn->high, middle + off) : middle + off};
    if (turn->low > turn->high) {
      return std::nullopt;
    }
  }
  return turn;
}

/// By the declared computation, and behind them by what is found.
struct FailingPairs {
  std::set<std::size_t> pairs = {};

  void append(FailingPairs later) { pairs.merge(later.pairs); }
};

}  // namespace

std::vector<RecoveredFrequency> recovered_frequencies(const Recovery& recovery, const Suspect& suspect,
                                                      unsigned threads) {
  std::vector<RecoveredFrequency> result;
  if (!recovery.is_coherent()) {
    return result;
  }
  const auto& declared = suspect.declared();
  const auto positions = measured_positions(suspect, declared);
  const PairView view(suspect, declared);
  auto found = declared;
  const auto count = recovery.phasors.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto& phasor = recovery.phasors[i]) {
      found.tones[i] = {phasor->frequency, phasor->frequency};
    }
  }
  // A point that is off by a share r of what it is to be has an angle that is off by asin r.
  std::vector<std::vector<SeenAngle>> seen(count);
  const Predictor as_measured(suspect, found);
  for (const auto row : measured_rows(suspect)) {
    const auto pairs = as_measured.pairs(row);
    for (std::size_t i = 0; i < count; ++i) {
      const double share = pairs[i].allowed / pairs[i].predicted;
      const bool is_told = recovery.phasors[i] && view.is_complete(static_cast<int>(i)) && share < 1;
      if (const auto point = is_told ? view.point(row, static_cast<int>(i)) : std::nullopt) {
        const auto& of_axis = positions[static_cast<std::size_t>(declared.axes[i])];
        seen[i].push_back({of_axis[row], std::arg(point->z), std::asin(share) + rounding_of_angles});
      }
    }
  }
  std::vector<std::optional<HeldRange>> turns(count);
  for (std::size_t i = 0; i < count; ++i) {
    turns[i] = seen[i].empty() ? std::nullopt : proved_turn(std::move(seen[i]));
    found.tones[i] = turns[i] ? Tone{turns[i]->middle(), turns[i]->middle()} : found.tones[i];
  }
  // That no other frequency is left does not say that this one predicts: every element of the pair is asked.
  const Predictor as_declared(suspect, declared);
  const Predictor as_found(suspect, found);
  const auto failing =
      sum_of_rows<FailingPairs>(suspect.rows(), threads, [&](std::size_t row, FailingPairs& sum) {
        for (const auto* predictor : {&as_declared, &as_found}) {
          const auto pairs = predictor->pairs(row);
          for (std::size_t i = 0; i < count; ++i) {
            if (pairs[i].fails) {
              sum.pairs.insert(predictor == &as_found ? count + i : i);
            }
          }
        }
        return true;
      });
  const auto& map = suspect.encoding().positions();
  const double places = approximately(Rational(map.stride() / map.unit()));  // in a position
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto& turn = turns[i]) {
      const double of_pair = declared.frequency(static_cast<int>(i));
      const double more = full_turn * std::rint((of_pair - turn->middle()) / full_turn);
      const RecoveredFrequency one{static_cast<int>(i), of_pair * places, (turn->middle() + more) * places,
                                   (turn->high - turn->low) / 2 * std::fabs(places)};
      const bool fails = failing.pairs.contains(i);
      if (one.differs() ? fails && !failing.pairs.contains(count + i) : !fails) {
        result.push_back(one);
      }
    }
  }
  return result;
}

Coherence coherence_of(const Suspect& suspect, const Computation& computation,
                       std::span<const std::size_t> rows) {
  const PairView view(suspect, computation);
  const Predictor predictor(suspect, computation);
  const auto pairs = static_cast<std::size_t>(computation.pairs());
  std::vector<std::complex<double>> sums(pairs);
  std::vector<double> counts(pairs);
  std::complex<double> products = 0;
  double seen_squares = 0;
  double predicted_squares = 0;
  for (const auto row : rows) {
    const auto predicted = predictor.points(row);
    for (std::size_t i = 0; i < pairs; ++i) {
      const int pair = static_cast<int>(i);
      const auto seen = view.is_complete(pair) ? view.point(row, pair) : std::nullopt;
      if (!seen || seen->z == 0.0 || predicted[i] == 0.0) {
        continue;
      }
      const auto z = seen->z / computation.amplitude;
      products += z * std::conj(predicted[i]);
      seen_squares += std::norm(z);
      predicted_squares += std::norm(predicted[i]);
      sums[i] += z / std::abs(z) * std::conj(predicted[i]) / std::abs(predicted[i]);
      counts[i] += 1;
    }
  }
  Coherence result;
  std::size_t known = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    if (counts[i] > 0) {
      result.of_pairs += std::abs(sums[i]) / counts[i];
      ++known;
    }
  }
  if (known == 0 || predicted_squares == 0) {
    return {};
  }
  result.of_pairs /= static_cast<double>(known);
  result.factor = products / predicted_squares;
  result.of_all = std::norm(products) / (seen_squares * predicted_squares);
  return result;
}

}  // namespace vernier
