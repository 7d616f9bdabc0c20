#include "reports/conventions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <span>

#include "numerics/recovery/attribution.hpp"
#include "numerics/recovery/position_offset.hpp"
#include "numerics/recovery/rotated_signal.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Another reading than the declared one is believed if its points keep to one modulus so much better.
constexpr double convincing = 3;
/// Phases that fit a shift of all positions are this near to it, in radians.
constexpr double fitting = 0.05;
/// Honest float32 frequencies are this near to the true ones, relatively: (2 ln(10^7) + 3) u = 2.1e-6.
constexpr double honest_frequency_error = 3e-6;

double wrapped(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

/// How the components are to be read so that tones go round counterclockwise from where cosine is one.
struct Reading {
  bool exchanged = false;     ///< what is said to be the sine is the cosine
  bool sine_negated = false;  ///< in the order read
};

/// A tone as it is under a reading: exchanging components reflects z in the diagonal, negating the sine in
/// the real axis.
Tone read(Tone tone, const Reading& reading) {
  if (reading.exchanged) {
    tone.frequency = -tone.frequency;
    tone.phase = wrapped(std::numbers::pi / 2 - tone.phase);
  }
  if (reading.sine_negated) {
    tone.frequency = -tone.frequency;
    tone.phase = wrapped(-tone.phase);
  }
  return tone;
}

std::vector<Tone> read(const std::vector<std::optional<Tone>>& tones, const Reading& reading) {
  std::vector<Tone> result;
  for (const auto& tone : tones) {
    if (tone) {
      result.push_back(read(*tone, reading));
    }
  }
  return result;
}

/// Whether most of the tones that are seen to move go round counterclockwise.
bool is_counterclockwise(const std::vector<std::optional<Tone>>& tones) {
  int sense = 0;
  for (const auto& tone : tones) {
    if (tone && std::fabs(tone->frequency) > 4 * tone->uncertainty) {
      sense += tone->frequency > 0 ? 1 : -1;
    }
  }
  return sense >= 0;
}

/// The reading under which the phases fit a shift of positions best; of equal ones the simpler.
Reading reading_of(const std::vector<std::optional<Tone>>& tones) {
  const bool forwards = is_counterclockwise(tones);
  const Reading simple{false, !forwards};
  const Reading other{true, forwards};
  const auto misfit = [&](const Reading& reading) {
    const auto offset = position_offset(read(tones, reading));
    return offset ? offset->misfit : std::numbers::pi;
  };
  const double exchanged = misfit(other);
  return exchanged < fitting && exchanged * convincing < misfit(simple) ? other : simple;
}

/// What was declared about the tones of all pairs.
struct DeclaredTones {
  const Frequencies& frequencies;
  double amplitude;
  std::span<const std::int64_t> positions;  ///< at least one
  std::string_view compute;                 ///< the format of the contract's frequencies
};

/// The shortest decimal within the tolerance.
std::string shortest_within(double value, double relative_tolerance) {
  for (int digits = 1; digits < 12; ++digits) {
    const double scale = std::pow(10, digits - 1 - static_cast<int>(std::floor(std::log10(value))));
    const double rounded = std::round(value * scale) / scale;
    if (std::fabs(rounded / value - 1) <= relative_tolerance) {
      return significant_text(rounded, digits);
    }
  }
  return significant_text(value, 12);
}

Convention amplitude_convention(const std::vector<Tone>& tones, double declared, Format stored) {
  std::vector<double> amplitudes;
  for (const auto& tone : tones) {
    amplitudes.push_back(tone.amplitude);
  }
  const auto middle = amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2);
  std::ranges::nth_element(amplitudes, middle);
  // The modulus of two components, each off by a few roundings: 4u of the stored format, and the same of
  // float32.
  const double tolerance = 4 * traits(stored).unit_roundoff() + 0x1p-22;
  const bool agrees = std::fabs(*middle / declared - 1) <= tolerance;
  const auto text = [&](double value) { return shortest_within(value, std::max(tolerance, 5e-6)); };
  return {"amplitude", text(agrees ? declared : *middle), text(declared), agrees,
          "the median modulus of " + counted(tones.size(), "pair", "pairs")};
}

/// Nothing where most tones do not keep on to the last position: then no one shift says what the positions
/// are.
std::optional<Convention> first_position_convention(const std::vector<Tone>& tones, std::int64_t declared,
                                                    std::int64_t span) {
  const auto lasting =
      std::ranges::count_if(tones, [&](const Tone& tone) { return 2 * tone.horizon >= span; });
  const auto offset = position_offset(tones);
  if (2 * lasting <= std::ssize(tones) || !offset || offset->misfit > fitting) {
    return std::nullopt;
  }
  const double nearest = std::round(offset->offset);
  const double tolerance = 4 * offset->uncertainty + 1e-3;
  if (tolerance > 0.25) {
    return std::nullopt;
  }
  const bool whole = std::fabs(offset->offset - nearest) <= tolerance;
  const double found = static_cast<double>(declared) + (whole ? nearest : offset->offset);
  return Convention{"first position",
                    whole ? std::to_string(static_cast<std::int64_t>(found)) : significant_text(found, 6),
                    std::to_string(declared), whole && nearest == 0,
                    "the phases of all tones, which a shift of positions turns by its multiple of their "
                    "frequencies"};
}

/// ln b, if the tones' frequencies are b^(-i step).
struct Base {
  double logarithm;
  double deviation;  ///< the greatest that a pair is off, in ln b
};

std::optional<Base> base_of(const std::vector<std::optional<Tone>>& tones, const Reading& reading,
                            double step) {
  std::vector<std::pair<double, double>> estimates;  // ln b and how well one pair tells it
  for (std::size_t i = 1; i < tones.size(); ++i) {
    if (!tones[i]) {
      continue;
    }
    const auto tone = read(*tones[i], reading);
    if (tone.frequency <= 4 * tone.uncertainty) {
      return std::nullopt;
    }
    const double exponent = static_cast<double>(i) * step;
    estimates.emplace_back(-std::log(tone.frequency) / exponent,
                           (4 * tone.uncertainty / tone.frequency + honest_frequency_error) / exponent);
  }
  if (estimates.size() < 3) {
    return std::nullopt;
  }
  const auto best = *std::ranges::min_element(estimates, {}, &std::pair<double, double>::second);
  // Uncertainties are those of random errors, and what 16 bits do to slow pairs is not random: a tenth of the
  // pairs may be further off.
  const auto on_line = std::ranges::count_if(estimates, [&](const auto& estimate) {
    return std::fabs(estimate.first - best.first) <= estimate.second + best.second;
  });
  const bool is_line = 10 * on_line >= 9 * std::ssize(estimates);
  return is_line ? std::optional(Base{best.first, best.second}) : std::nullopt;
}

std::optional<Convention> base_convention(const std::vector<std::optional<Tone>>& tones,
                                          const Reading& reading, const GeometricFrequencies& declared) {
  if (declared.offset != 0 || declared.step <= 0) {
    return std::nullopt;
  }
  const auto base = base_of(tones, reading, approximately(declared.step));
  if (!base) {
    return std::nullopt;
  }
  const double said = approximately(declared.base);
  const bool agrees = std::fabs(base->logarithm - std::log(said)) <= base->deviation;
  return Convention{
      "base", agrees ? to_string(declared.base) : shortest_within(std::exp(base->logarithm), base->deviation),
      to_string(declared.base), agrees,
      "the recovered frequencies of all pairs, which fall on one geometric line"};
}

std::optional<Convention> frequencies_convention(const std::vector<std::optional<Tone>>& tones,
                                                 const Reading& reading, const Frequencies& declared) {
  std::size_t measured = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < tones.size(); ++i) {
    const double frequency = declared.approximate(static_cast<int>(i));
    if (tones[i] && frequency > 0) {
      const auto tone = read(*tones[i], reading);
      ++measured;
      others +=
          std::fabs(tone.frequency - frequency) > 4 * tone.uncertainty + honest_frequency_error * frequency
              ? 1
              : 0;
    }
  }
  if (measured == 0) {
    return std::nullopt;
  }
  return Convention{"frequencies",
                    others == 0
                        ? "as declared"
                        : "others in " + std::to_string(others) + " of " + counted(measured, "pair", "pairs"),
                    "as declared", others == 0, "the recovered frequency of each pair"};
}

/// A format narrower than float32 all of whose frequencies are, if they all are and could have been others.
std::optional<Convention> frequency_format_convention(const std::vector<std::optional<Tone>>& tones,
                                                      std::string_view declared) {
  constexpr std::size_t telling_pairs = 8;
  for (const auto format : {Format::bfloat16, Format::binary16}) {
    std::size_t telling = 0;
    bool all = true;
    for (const auto& tone : tones) {
      const double frequency = tone ? std::fabs(tone->frequency) : 0;
      const double spacing = ulp_at(format, frequency);
      if (tone && 16 * tone->uncertainty < spacing && frequency < 1) {
        ++telling;
        all = all && std::fabs(round_to(format, frequency) - frequency) <= 4 * tone->uncertainty;
      }
    }
    if (all && telling >= telling_pairs) {
      const auto name = traits(format).name;
      return Convention{
          "format of the frequencies", std::string(name), std::string(declared), name == declared,
          "the recovered frequencies of " + counted(telling, "pair", "pairs") + " are all numbers of it"};
    }
  }
  return std::nullopt;
}

/// What tones tell, whichever tensors they were seen in.
void tell_tones(const std::vector<std::optional<Tone>>& tones, const Reading& reading,
                const DeclaredTones& declared, Format stored, std::vector<Convention>& out) {
  const auto present = read(tones, reading);
  if (present.empty()) {
    return;
  }
  const auto add = [&](std::optional<Convention> convention) {
    if (convention) {
      out.push_back(*std::move(convention));
    }
  };
  out.push_back(amplitude_convention(present, declared.amplitude, stored));
  const auto [least, greatest] = std::ranges::minmax(declared.positions);
  add(first_position_convention(present, declared.positions.front(), greatest - least));
  if (const auto* geometric = declared.frequencies.geometric()) {
    add(base_convention(tones, reading, *geometric));
  } else {
    add(frequencies_convention(tones, reading, declared.frequencies));
  }
  add(frequency_format_convention(tones, declared.compute));
}

std::string direction_text(bool counterclockwise) {
  return counterclockwise ? "counter-clockwise" : "clockwise";
}

std::vector<PairSignal> signals_of(const Case& subject, std::span<const TableTensor> tables) {
  const auto rows = rows_to_measure(subject.positions, 1024);
  std::vector<PairSignal> signals;
  for (const auto& places : pair_places(tables)) {
    if (places.complete()) {
      signals.push_back(pair_signal(tables, subject.positions, rows, places));
    }
  }
  return signals;
}

std::string layout_text(SinusoidalSpec::Layout layout) {
  return layout == SinusoidalSpec::Layout::interleaved ? "interleaved" : "halves";
}

/// The spec as the columns show it, the layout that makes one tone of every pair.
SinusoidalSpec with_seen_layout(const Case& subject, const SinusoidalSpec& declared) {
  using Layout = SinusoidalSpec::Layout;
  auto other = declared;
  other.layout = declared.layout == Layout::halves ? Layout::interleaved : Layout::halves;
  const auto spread = [&](const SinusoidalSpec& spec) {
    auto tables = subject.tables;
    tables.front().table = SinusoidalEncoding(spec).table();
    return modulus_spread(signals_of(subject, tables));
  };
  // An odd width has one column more in one half, and no other layout to compare with.
  const bool comparable = declared.d_model >= 4 && declared.d_model % 2 == 0;
  return comparable && spread(other) * convincing < spread(declared) ? other : declared;
}

std::vector<Convention> encoding_conventions(const Case& subject, const SinusoidalSpec& declared) {
  const auto seen = with_seen_layout(subject, declared);
  auto tables = subject.tables;
  tables.front().table = SinusoidalEncoding(seen).table();
  const auto tones = measure_tones(tables, subject.positions);
  const auto reading = reading_of(tones);
  std::vector<Convention> conventions;
  const bool has_tones = std::ranges::any_of(tones, [](const auto& tone) { return tone.has_value(); });
  if (!has_tones) {
    return conventions;
  }
  if (declared.d_model >= 4) {
    conventions.push_back({"layout", layout_text(seen.layout), layout_text(declared.layout),
                           seen.layout == declared.layout,
                           "the layout whose pairs have one modulus at all positions"});
  }
  const auto order_text = [](bool sine_first) { return sine_first ? "sine first" : "cosine first"; };
  const bool declared_sine_first = declared.order == SinusoidalSpec::Order::sin_cos;
  conventions.push_back({"order", order_text(declared_sine_first != reading.exchanged),
                         order_text(declared_sine_first), !reading.exchanged,
                         "the phases of the pairs at position 0"});
  conventions.push_back({"sine", reading.sine_negated ? "negated" : "as defined", "as defined",
                         !reading.sine_negated, "the sense in which the pairs turn"});
  const auto& tensor = tables.front();
  tell_tones(tones, reading,
             {tensor.table.frequencies, tensor.model().amplitude(), subject.positions,
              traits(tensor.model().parameters().compute).name},
             tensor.stored(), conventions);
  return conventions;
}

/// The layout of RoPE tables that repeat each element for both dimensions of its pair; nothing if they do
/// not.
std::optional<std::string> repetition_of(const TableTensor& tensor) {
  const auto width = tensor.columns();
  if (width != 2 * static_cast<std::size_t>(tensor.table.frequencies.pairs()) || width < 4) {
    return std::nullopt;
  }
  bool half = true;
  bool interleaved = true;
  for (std::size_t row = 0; row < tensor.rows() && (half || interleaved); ++row) {
    for (std::size_t i = 0; i < width / 2; ++i) {
      half = half && tensor.at(row, i) == tensor.at(row, i + width / 2);
      interleaved = interleaved && tensor.at(row, 2 * i) == tensor.at(row, 2 * i + 1);
    }
  }
  return half == interleaved ? std::nullopt : std::optional<std::string>(half ? "half" : "interleaved");
}

std::string layout_text(RopeSpec::Layout layout) {
  return layout == RopeSpec::Layout::half ? "half" : "interleaved";
}

std::vector<Convention> rope_table_conventions(const Case& subject, const RopeSpec& declared) {
  std::vector<Convention> conventions;
  if (const auto seen = repetition_of(subject.tables.front())) {
    conventions.push_back({"layout", *seen, layout_text(declared.layout),
                           *seen == layout_text(declared.layout), "which columns of a table are equal"});
  }
  const auto tones = measure_tones(subject.tables, subject.positions);
  if (std::ranges::none_of(tones, [](const auto& tone) { return tone.has_value(); })) {
    return conventions;
  }
  const auto reading = reading_of(tones);
  conventions.push_back({"tables", reading.exchanged ? "sine and cosine exchanged" : "as named", "as named",
                         !reading.exchanged, "the phases of the pairs at position 0"});
  conventions.push_back({"sine", reading.sine_negated ? "negated" : "as defined", "as defined",
                         !reading.sine_negated, "the sense in which the pairs turn"});
  const auto& tensor = subject.tables.front();
  tell_tones(tones, reading,
             {tensor.table.frequencies, tensor.model().amplitude(), subject.positions,
              traits(tensor.model().parameters().compute).name},
             tensor.stored(), conventions);
  return conventions;
}

std::vector<std::optional<Tone>> tones_of(std::span<const PairSignal> signals, const Frequencies& declared) {
  std::vector<std::optional<Tone>> tones;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const bool is_declared = static_cast<int>(i) < declared.pairs();
    tones.push_back(measure_tone(
        signals[i], is_declared ? std::optional(declared.approximate(static_cast<int>(i))) : std::nullopt));
  }
  return tones;
}

std::vector<Convention> rotation_conventions(const RopeSpec& declared,
                                             std::span<const std::int64_t> positions, const Tensor& input,
                                             const Tensor& rotated) {
  const auto rows = rotated_rows(positions, input, rotated);
  std::vector<Convention> conventions;
  const int rotating = rotating_dimensions(rows) + rotating_dimensions(rows) % 2;
  conventions.push_back({"rotating dimensions", std::to_string(rotating),
                         std::to_string(declared.rotary_dim()), rotating == declared.rotary_dim(),
                         "the dimensions that do not come out as they went in"});
  if (rotating == 0) {
    return conventions;
  }
  const auto other_layout =
      declared.layout == RopeSpec::Layout::half ? RopeSpec::Layout::interleaved : RopeSpec::Layout::half;
  auto signals = rotation_signals(rows, declared.layout, rotating);
  auto layout = declared.layout;
  if (rotating > 2) {
    auto others = rotation_signals(rows, other_layout, rotating);
    if (modulus_spread(others) * convincing < modulus_spread(signals)) {
      signals = std::move(others);
      layout = other_layout;
    }
    conventions.push_back({"layout", layout_text(layout), layout_text(declared.layout),
                           layout == declared.layout,
                           "the pairing under which every pair is turned and keeps its ratio of norms"});
  }
  const auto frequencies = declared.frequencies();
  const auto tones = tones_of(signals, frequencies);
  if (std::ranges::none_of(tones, [](const auto& tone) { return tone.has_value(); })) {
    return conventions;
  }
  const bool counterclockwise = is_counterclockwise(tones);
  const bool declared_counterclockwise = declared.direction == RopeSpec::Direction::counterclockwise;
  conventions.push_back({"direction", direction_text(counterclockwise),
                         direction_text(declared_counterclockwise),
                         counterclockwise == declared_counterclockwise,
                         "the sense in which the pairs turn as the position grows"});
  tell_tones(tones, {false, !counterclockwise},
             {frequencies, approximately(declared.amplitude()), positions, "float32"}, *rotated.format(),
             conventions);
  return conventions;
}

/// Adds what rotated vectors show. What the tables have shown already is told once; where the two differ,
/// both are told.
void add_of_vectors(std::vector<Convention> of_vectors, std::vector<Convention>& conventions) {
  const auto of_tables = conventions;
  for (auto& one : of_vectors) {
    const auto same = std::ranges::find(of_tables, one.name, &Convention::name);
    if (same == of_tables.end()) {
      conventions.push_back(std::move(one));
    } else if (same->found != one.found) {
      one.name += " of rotated vectors";
      conventions.push_back(std::move(one));
    }
  }
}

}  // namespace

std::vector<Convention> conventions_of(const Case& subject) {
  std::vector<Convention> conventions;
  const auto add = [&](std::vector<Convention> more) {
    std::ranges::move(more, std::back_inserter(conventions));
  };
  const bool has_tables = !subject.tables.empty() && !subject.positions.empty();
  const auto* sinusoidal = dynamic_cast<const SinusoidalEncoding*>(subject.encoding.get());
  const auto* rope = dynamic_cast<const RopeEncoding*>(subject.encoding.get());
  if (sinusoidal != nullptr && has_tables && subject.tables.size() == 1) {
    add(encoding_conventions(subject, sinusoidal->parameters()));
  }
  if (rope != nullptr && has_tables) {
    add(rope_table_conventions(subject, rope->parameters()));
  }
  if (rope != nullptr && subject.rotated && !subject.rotated->positions.empty()) {
    const auto& vectors = *subject.rotated;
    add_of_vectors(
        rotation_conventions(rope->parameters(), vectors.positions, vectors.input, vectors.rotated),
        conventions);
  }
  return conventions;
}

}  // namespace vernier
