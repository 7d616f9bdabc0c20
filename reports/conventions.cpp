#include "reports/conventions.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "numerics/identification/attribution.hpp"
#include "numerics/identification/rotated_signal.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/phasor_conventions.hpp"

namespace vernier {
namespace {

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

/// The spec as the columns show it, the layout that makes one phasor of every pair.
SinusoidalSpec with_seen_layout(const Case& subject, const SinusoidalSpec& declared) {
  using Layout = SinusoidalSpec::Layout;
  auto other = declared;
  other.layout = declared.layout == Layout::halves ? Layout::interleaved : Layout::halves;
  const auto spread = [&](const SinusoidalSpec& spec) {
    auto tables = subject.tensors.all<TableTensor>();
    tables.front().table = SinusoidalEncoding(spec).table();
    return modulus_spread(signals_of(subject, tables));
  };
  // An odd width has one column more in one half, and no other layout to compare with.
  const bool comparable = declared.d_model >= 4 && declared.d_model % 2 == 0;
  return comparable && spread(other) * convincing < spread(declared) ? other : declared;
}

std::vector<Convention> encoding_conventions(const Case& subject, const SinusoidalSpec& declared) {
  const auto seen = with_seen_layout(subject, declared);
  auto tables = subject.tensors.all<TableTensor>();
  tables.front().table = SinusoidalEncoding(seen).table();
  const auto phasors = fit_phasors(tables, subject.positions);
  const auto reading = reading_of(phasors);
  std::vector<Convention> conventions;
  const bool has_phasors =
      std::ranges::any_of(phasors, [](const auto& phasor) { return phasor.has_value(); });
  if (!has_phasors) {
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
  tell_phasors(phasors, reading,
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
  if (const auto seen = repetition_of(subject.tensors.all<TableTensor>().front())) {
    conventions.push_back({"layout", *seen, layout_text(declared.layout),
                           *seen == layout_text(declared.layout), "which columns of a table are equal"});
  }
  const auto phasors = fit_phasors(subject.tensors.all<TableTensor>(), subject.positions);
  if (std::ranges::none_of(phasors, [](const auto& phasor) { return phasor.has_value(); })) {
    return conventions;
  }
  const auto reading = reading_of(phasors);
  conventions.push_back({"tables", reading.exchanged ? "sine and cosine exchanged" : "as named", "as named",
                         !reading.exchanged, "the phases of the pairs at position 0"});
  conventions.push_back({"sine", reading.sine_negated ? "negated" : "as defined", "as defined",
                         !reading.sine_negated, "the sense in which the pairs turn"});
  const auto& tensor = subject.tensors.all<TableTensor>().front();
  tell_phasors(phasors, reading,
               {tensor.table.frequencies, tensor.model().amplitude(), subject.positions,
                traits(tensor.model().parameters().compute).name},
               tensor.stored(), conventions);
  return conventions;
}

std::vector<std::optional<FittedPhasor>> phasors_of(std::span<const PairSignal> signals,
                                                    const Frequencies& declared) {
  std::vector<std::optional<FittedPhasor>> phasors;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const bool is_declared = static_cast<int>(i) < declared.pairs();
    phasors.push_back(fit_phasor(
        signals[i], is_declared ? std::optional(declared.approximate(static_cast<int>(i))) : std::nullopt));
  }
  return phasors;
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
  const auto phasors = phasors_of(signals, frequencies);
  if (std::ranges::none_of(phasors, [](const auto& phasor) { return phasor.has_value(); })) {
    return conventions;
  }
  const bool counterclockwise = is_counterclockwise(phasors);
  const bool declared_counterclockwise = declared.direction == RopeSpec::Direction::counterclockwise;
  conventions.push_back({"direction", direction_text(counterclockwise),
                         direction_text(declared_counterclockwise),
                         counterclockwise == declared_counterclockwise,
                         "the sense in which the pairs turn as the position grows"});
  tell_phasors(phasors, {false, !counterclockwise},
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
  const bool has_tables = subject.tensors.has<TableTensor>() && !subject.positions.empty();
  const auto* sinusoidal = dynamic_cast<const SinusoidalEncoding*>(subject.encoding.get());
  const auto* rope = dynamic_cast<const RopeEncoding*>(subject.encoding.get());
  if (sinusoidal != nullptr && has_tables && subject.tensors.all<TableTensor>().size() == 1) {
    add(encoding_conventions(subject, sinusoidal->parameters()));
  }
  if (rope != nullptr && has_tables) {
    add(rope_table_conventions(subject, rope->parameters()));
  }
  const bool has_vectors = subject.tensors.has<RotatedTensor>() &&
                           !subject.tensors.all<RotatedTensor>().front().positions.empty() &&
                           subject.tensors.all<RotatedTensor>().front().positions_by_axis.empty();
  if (rope != nullptr && has_vectors) {
    const auto& vectors = subject.tensors.all<RotatedTensor>().front();
    add_of_vectors(
        rotation_conventions(rope->parameters(), vectors.positions, vectors.input, vectors.rotated),
        conventions);
  }
  return conventions;
}

}  // namespace vernier
