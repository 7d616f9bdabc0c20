#include "numerics/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace vernier {
namespace {

constexpr double least_conclusive_share = 0.2;
constexpr std::size_t screened_rows = 48;

/// The tables and positions as an edited spec would have them.
struct Hypothesis {
  std::string edit;
  std::vector<TrigTable> tables;
  std::vector<std::int64_t> positions;
};

struct Observation {
  std::span<const TableTensor> tables;
  std::span<const std::int64_t> positions;

  /// What was declared, to be edited.
  Hypothesis declared(std::string edit) const {
    Hypothesis result{std::move(edit), {}, {positions.begin(), positions.end()}};
    for (const auto& tensor : tables) {
      result.tables.push_back(tensor.table);
    }
    return result;
  }
};

using Proposals = std::vector<Hypothesis>;

void negated_sine(const Observation& seen, Proposals& out) {
  auto edited = seen.declared("the sine has the opposite sign (or, the same here, positions are negated)");
  for (auto& position : edited.positions) {
    position = -position;
  }
  for (auto& table : edited.tables) {
    if (table.zero_position) {
      table.zero_position = -*table.zero_position;
    }
  }
  out.push_back(std::move(edited));
}

void exchanged_components(const Observation& seen, Proposals& out) {
  auto edited = seen.declared("sine and cosine are exchanged");
  for (auto& table : edited.tables) {
    for (auto& column : table.columns) {
      column.component = column.component == Component::sine     ? Component::cosine
                         : column.component == Component::cosine ? Component::sine
                                                                 : Component::zero;
    }
  }
  out.push_back(std::move(edited));
}

/// Only tables with two columns a pair show a layout.
void other_layout(const Observation& seen, Proposals& out) {
  const auto shows_layout = [](const TableTensor& tensor) {
    return tensor.table.frequencies.pairs() > 1 &&
           tensor.columns() == 2 * static_cast<std::size_t>(tensor.table.frequencies.pairs());
  };
  if (!std::ranges::all_of(seen.tables, shows_layout)) {
    return;
  }
  const auto& first = seen.tables.front().table.columns;
  const bool interleaved = first[0].pair == first[1].pair;
  auto edited = seen.declared(interleaved ? "the columns are laid out in halves, not interleaved"
                                          : "the columns are interleaved, not laid out in halves");
  for (auto& table : edited.tables) {
    const auto columns = table.columns;
    const auto half = columns.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      for (const std::size_t odd : {0, 1}) {
        const auto apart = i + odd * half;
        const auto together = 2 * i + odd;
        table.columns[interleaved ? apart : together] = columns[interleaved ? together : apart];
      }
    }
  }
  out.push_back(std::move(edited));
}

void shifted_positions(const Observation& seen, Proposals& out) {
  for (const int shift : {1, -1}) {
    auto edited = seen.declared(shift > 0 ? "positions are larger by one" : "positions are smaller by one");
    for (auto& position : edited.positions) {
      position += shift;
    }
    const auto in_range = [](std::int64_t p) { return p >= -largest_position && p <= largest_position; };
    if (std::ranges::all_of(edited.positions, in_range)) {
      out.push_back(std::move(edited));
    }
  }
}

void wrapped_positions(const Observation& seen, Proposals& out) {
  const auto last = *std::ranges::max_element(seen.positions);
  for (std::int64_t modulus = 256; modulus <= last; modulus *= 2) {
    auto edited = seen.declared("positions wrap at " + std::to_string(modulus));
    for (auto& position : edited.positions) {
      position = (position % modulus + modulus) % modulus;
    }
    out.push_back(std::move(edited));
  }
}

/// The frequencies of the case, if they descend from one as the papers' do: others have no usual mistakes.
std::optional<GeometricFrequencies> declared_progression(const Observation& seen) {
  const auto* progression = seen.tables.front().table.frequencies.geometric();
  return progression != nullptr && progression->offset == 0 && progression->step > 0
             ? std::optional(*progression)
             : std::nullopt;
}

/// w_i = b^(-i/n) for n pairs, as in the papers, or b^(-i/(n - 1)), as in tensor2tensor.
void other_denominator(const Observation& seen, Proposals& out) {
  const auto declared = declared_progression(seen);
  if (!declared || declared->pairs < 2) {
    return;
  }
  const int pairs = declared->pairs;
  const bool paper = declared->step == Rational(1, pairs);
  auto edited =
      seen.declared(paper ? "the exponents divide by the number of pairs less one, as tensor2tensor's do"
                          : "the exponents divide by the number of pairs, as the paper's do");
  for (auto& table : edited.tables) {
    table.frequencies = GeometricFrequencies{declared->base, Rational(1, paper ? pairs - 1 : pairs), pairs};
  }
  out.push_back(std::move(edited));
}

void other_base(const Observation& seen, Proposals& out) {
  static constexpr std::array bases{100,    1000,   10000,   20000,   50000,   100000,
                                    160000, 500000, 1000000, 5000000, 8000000, 10000000};
  const auto declared = declared_progression(seen);
  if (!declared) {
    return;
  }
  for (const int base : bases) {
    if (declared->base == base) {
      continue;
    }
    auto edited = seen.declared("the base is " + std::to_string(base) + ", not " + to_string(declared->base));
    for (auto& table : edited.tables) {
      table.frequencies = GeometricFrequencies{base, declared->step, declared->pairs};
    }
    out.push_back(std::move(edited));
  }
}

/// What a model looks like to code that does not know its scaling: the frequencies unscaled, the amplitude
/// one as well, or that alone.
void scaling_left_out(const Observation& seen, Proposals& out) {
  const auto* scaled = seen.tables.front().table.frequencies.scaled();
  if (scaled == nullptr) {
    return;
  }
  const bool has_amplitude = !amplitude(scaled->scaling).is_one();
  auto unscaled = seen.declared("the frequencies are not scaled");
  auto plain = seen.declared(has_amplitude ? "neither frequencies nor amplitude are scaled"
                                           : "the frequencies are not scaled");
  auto without_amplitude = seen.declared("the amplitude is 1: the attention factor is left out");
  for (std::size_t i = 0; i < seen.tables.size(); ++i) {
    unscaled.tables[i].frequencies = plain.tables[i].frequencies = scaled->unscaled;
    plain.tables[i].amplitude = without_amplitude.tables[i].amplitude = 1;
  }
  out.push_back(std::move(plain));
  if (has_amplitude) {
    out.push_back(std::move(unscaled));
    out.push_back(std::move(without_amplitude));
  }
}

/// An entry in double precision: for estimates and for the screen, never for a verdict.
double estimate(const TrigTable& table, std::int64_t position, std::size_t column, Component component) {
  if (table.is_zero(position, column)) {
    return 0;
  }
  const double phase =
      static_cast<double>(position) * table.frequencies.approximate(table.columns[column].pair);
  return approximately(table.amplitude) * (component == Component::sine ? std::sin(phase) : std::cos(phase));
}

/// The factor is the least-squares one; it deserves a name only if it stands clear of 1.
void other_factor(const Observation& seen, Proposals& out) {
  constexpr double least_difference = 1e-6;
  constexpr std::size_t most_rows = 1024;
  double products = 0;
  double squares = 0;
  for (const auto& tensor : seen.tables) {
    for (std::size_t r = 0; r < tensor.rows(); r += 1 + tensor.rows() / most_rows) {
      for (std::size_t c = 0; c < tensor.columns(); ++c) {
        const double truth = estimate(tensor.table, seen.positions[r], c, tensor.table.columns[c].component);
        products += truth * tensor.at(r, c);
        squares += truth * truth;
      }
    }
  }
  const double factor = products / squares;
  if (!std::isfinite(factor) || factor < least_difference || std::fabs(factor - 1) < least_difference) {
    return;
  }
  std::array<char, 32> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), factor, std::chars_format::general, 7);
  auto edited = seen.declared("every element is multiplied by " + std::string(digits.data(), written.ptr) +
                              " beyond what the spec says");
  for (auto& table : edited.tables) {
    table.amplitude *= exact_rational(factor);
  }
  out.push_back(std::move(edited));
}

/// The edits, the likeliest first. A new one is one function and one line.
constexpr std::array edits{negated_sine,      exchanged_components, other_layout,
                           shifted_positions, wrapped_positions,    scaling_left_out,
                           other_denominator, other_base,           other_factor};

/// Whether a few rows, evaluated in double precision with room for its errors, leave the hypothesis standing.
bool survives_screen(const Observation& seen, const Hypothesis& hypothesis) {
  constexpr double relative_slack = 0x1p-46;
  for (std::size_t i = 0; i < seen.tables.size(); ++i) {
    const auto& tensor = seen.tables[i];
    const auto& table = hypothesis.tables[i];
    const auto model = tensor.contract->bind(table, tensor.stored());
    const auto rows = std::min(screened_rows, tensor.rows());
    for (std::size_t k = 0; k < rows; ++k) {
      const auto r = rows == 1 ? 0 : k * (tensor.rows() - 1) / (rows - 1);
      const auto position = hypothesis.positions[r];
      for (std::size_t c = 0; c < tensor.columns(); ++c) {
        const auto [pair, component] = table.columns[c];
        const auto other = component == Component::sine ? Component::cosine : Component::sine;
        const double truth = estimate(table, position, c, component);
        const auto budget = table.is_zero(position, c)
                                ? Budget{}
                                : model.at(position, pair, truth, estimate(table, position, c, other));
        const double slack = model.amplitude() * relative_slack * (1 + model.phase(position, pair));
        if (!model.inconclusive(budget) && !(std::fabs(tensor.at(r, c) - truth) <= budget.total() + slack)) {
          return false;
        }
      }
    }
  }
  return true;
}

/// The proof: every conclusive element within its budget, and enough of them conclusive.
std::optional<Finding> proved(const Observation& seen, const Hypothesis& hypothesis) {
  double greatest_used = 0;
  std::uint64_t judged = 0;
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < seen.tables.size(); ++i) {
    const auto report = audit_tensor(seen.tables[i], hypothesis.tables[i], hypothesis.positions);
    if (report.failing > 0) {
      return std::nullopt;
    }
    greatest_used = std::max(greatest_used, report.worst ? report.worst->used : 0);
    judged += report.judged;
    elements += report.statistics.count();
  }
  const double conclusive = static_cast<double>(judged) / static_cast<double>(elements);
  return conclusive > least_conclusive_share
             ? std::optional(Finding{hypothesis.edit, greatest_used, conclusive})
             : std::nullopt;
}

}  // namespace

std::vector<Finding> diagnose(std::span<const TableTensor> tables, std::span<const std::int64_t> positions) {
  const Observation seen{tables, positions};
  Proposals proposals;
  for (const auto propose : edits) {
    propose(seen, proposals);
  }
  std::vector<Finding> findings;
  for (const auto& hypothesis : proposals) {
    if (!survives_screen(seen, hypothesis)) {
      continue;
    }
    if (auto finding = proved(seen, hypothesis)) {
      findings.push_back(*std::move(finding));
    }
  }
  return findings;
}

}  // namespace vernier
