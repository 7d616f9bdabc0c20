#include "numerics/identification/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/identification/spec_edits.hpp"

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

  /// The tables with the phases and the amplitude of a reading of the spec.
  Hypothesis read_as(const SpecReading& reading) const {
    auto result = declared(reading.edit);
    for (auto& table : result.tables) {
      table.frequencies = reading.frequencies;
      table.amplitude = reading.amplitude;
    }
    result.positions = reading.positions;
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

/// An entry in double precision: for estimates and for the screen, never for a verdict.
double estimate(const TrigTable& table, std::int64_t position, std::size_t column, Component component) {
  if (table.is_zero(position, column)) {
    return 0;
  }
  const double phase =
      static_cast<double>(position) * table.frequencies.approximate(table.columns[column].pair);
  return approximately(table.amplitude) * (component == Component::sine ? std::sin(phase) : std::cos(phase));
}

/// The least-squares one.
double factor_of(const Observation& seen) {
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
  return products / squares;
}

/// What the spec may be read as, the likeliest first.
Proposals proposals(const Observation& seen) {
  Proposals result;
  negated_sine(seen, result);
  exchanged_components(seen, result);
  other_layout(seen, result);
  const auto& table = seen.tables.front().table;
  const SpecReading declared{
      "", table.frequencies, table.amplitude, {seen.positions.begin(), seen.positions.end()}};
  for (const auto& reading : other_readings(declared)) {
    result.push_back(seen.read_as(reading));
  }
  if (const auto multiplied = reading_with_factor(declared, factor_of(seen))) {
    result.push_back(seen.read_as(*multiplied));
  }
  return result;
}

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
std::optional<SpecEdit> proved(const Observation& seen, const Hypothesis& hypothesis) {
  double greatest_budget_ratio = 0;
  std::uint64_t judged = 0;
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < seen.tables.size(); ++i) {
    const auto report = audit_tensor(seen.tables[i], hypothesis.tables[i], hypothesis.positions);
    if (report.failing > 0) {
      return std::nullopt;
    }
    greatest_budget_ratio = std::max(greatest_budget_ratio, report.worst ? report.worst->budget_ratio : 0);
    judged += report.judged;
    elements += report.statistics.count();
  }
  const double conclusive = static_cast<double>(judged) / static_cast<double>(elements);
  return conclusive > least_conclusive_share
             ? std::optional(SpecEdit{hypothesis.edit, greatest_budget_ratio, conclusive})
             : std::nullopt;
}

}  // namespace

std::vector<SpecEdit> diagnose(std::span<const TableTensor> tables, std::span<const std::int64_t> positions) {
  const Observation seen{tables, positions};
  std::vector<SpecEdit> findings;
  for (const auto& hypothesis : proposals(seen)) {
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
