#include "numerics/identification/trigonometry_audit.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/identification/trigonometry_screen.hpp"
#include "reference/ladder/certified_table.hpp"

namespace vernier {
namespace {

/// So many that a screen of their own costs little beside them.
constexpr std::size_t audited_rows_at_once = 16384;

std::vector<std::size_t> columns_of_pair(const TrigTable& table, int pair) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].pair == pair && table.columns[c].component != Component::zero) {
      columns.push_back(c);
    }
  }
  return columns;
}

/// Judges a pair whose phase is the position.
TrigonometryFindings audit_exact(const TensorPart& tensor, std::span<const std::int64_t> positions, int pair,
                                 const BudgetModel& model) {
  const TrigTable whole_numbers{tensor.role,
                                ListedFrequencies{{Rational(1)}},
                                tensor.sines->amplitude,
                                {{0, Component::sine}, {0, Component::cosine}},
                                std::nullopt};
  const auto columns = columns_of_pair(*tensor.sines, pair);
  TrigonometryFindings findings;
  std::vector<std::size_t> rows;
  std::vector<std::int64_t> positions_of_rows;
  for (std::size_t r = 0; r < positions.size(); ++r) {
    if (model.position_error(positions[r], 0) == 0) {  // else the position itself was rounded
      rows.push_back(r);
      positions_of_rows.push_back(positions[r]);
    }
  }
  if (rows.empty()) {
    return findings;
  }
  auto truth = certified_table_for(whole_numbers, positions_of_rows);
  std::array<Enclosure, 2> components;
  for (const auto r : rows) {
    const auto position = positions[r];
    truth.row(position, components);
    for (const auto c : columns) {
      const double got = tensor.at(r, c);
      if (tensor.sines->is_zero(position, c) || !std::isfinite(got)) {
        continue;
      }
      const auto& value = components[tensor.sines->columns[c].component == Component::sine ? 0 : 1];
      findings.add({{position, c, static_cast<std::int64_t>(r)},
                    static_cast<double>(position),
                    got,
                    signed_error(got, value),
                    trigonometry_limit(model, value.approximately())},
                   pair);
    }
  }
  return findings;
}

/// The columns whose phases are attributed.
std::vector<std::size_t> attributed_columns(const TensorPart& tensor,
                                            std::span<const PhaseKnowledge> knowledge) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < tensor.columns; ++c) {
    const auto& [pair, component] = tensor.sines->columns[c];
    if (component != Component::zero &&
        knowledge[static_cast<std::size_t>(pair)] == PhaseKnowledge::attributed) {
      columns.push_back(c);
    }
  }
  return columns;
}

/// The element against the hypothesis that explains it best: the likeliest, unless that fails it.
TrigonometryError against_hypotheses(const Place& place, double got, const Column& column,
                                     const BudgetModel& model, const Attribution& attribution) {
  std::optional<TrigonometryError> best;
  for (const auto& hypothesis : attribution.pairs[static_cast<std::size_t>(column.pair)]) {
    const double phase = hypothesis.model->intended_phase(place.position, column.pair, hypothesis.candidate);
    const double value =
        attribution.amplitude * (column.component == Component::sine ? std::sin(phase) : std::cos(phase));
    const TrigonometryError error{place, phase, got, got - value, trigonometry_limit(model, value)};
    if (!best || error.budget_ratio() < best->budget_ratio()) {
      best = error;
    }
    if (best->budget_ratio() <= 1) {
      break;
    }
  }
  return *best;
}

/// The pairs whose phases are attributed, judged row by row: a column's elements lie far apart.
class AttributedAudit {
 public:
  AttributedAudit(const TensorPart& tensor, std::span<const std::int64_t> positions,
                  const std::vector<std::size_t>& columns, const BudgetModel& model,
                  const Attribution& attribution)
      : tensor_(tensor), positions_(positions), columns_(columns), model_(model), attribution_(attribution) {}

  /// \param block of audited_rows_at_once rows \param findings one entry a pair, of the rows before
  void judge(std::size_t block, std::vector<TrigonometryFindings>& findings) const {
    const auto first = block * audited_rows_at_once;
    const auto last = std::min(first + audited_rows_at_once, positions_.size());
    const TrigonometryScreen screen(tensor_, columns_, model_, attribution_);
    std::vector<double> numbers(tensor_.columns);
    TrigonometryScreen::Room room;
    // What uses no more of its limit than the worst so far, and not all of it, only counts.
    std::vector<double> shares(columns_.size());
    std::vector<std::int64_t> counted(columns_.size());
    std::int64_t rows_counted = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      shares[i] = of_column(columns_[i], findings).worst_share();
    }
    for (std::size_t r = first; r < last; ++r) {
      tensor_.read(r, numbers);
      const auto settled = screen.look(positions_[r], numbers, shares, room);
      if (positions_[r] == tensor_.sines->zero_position) {
        std::ranges::fill(room.settled, 0);
      } else if (settled == columns_.size()) {
        ++rows_counted;
        continue;
      }
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        counted[i] += room.settled[i];
      }
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (room.settled[i] == 0) {
          auto& found = of_column(columns_[i], findings);
          judge_closely(r, columns_[i], numbers[columns_[i]], found);
          shares[i] = found.worst_share();
        }
      }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      of_column(columns_[i], findings).judged += static_cast<std::uint64_t>(rows_counted + counted[i]);
    }
  }

 private:
  std::size_t pair_of(std::size_t column) const {
    return static_cast<std::size_t>(tensor_.sines->columns[column].pair);
  }
  TrigonometryFindings& of_column(std::size_t column, std::vector<TrigonometryFindings>& findings) const {
    return findings[pair_of(column)];
  }

  void judge_closely(std::size_t r, std::size_t c, double got, TrigonometryFindings& found) const {
    if (!tensor_.sines->is_zero(positions_[r], c) && std::isfinite(got)) {
      const auto& column = tensor_.sines->columns[c];
      const Place place{positions_[r], c, static_cast<std::int64_t>(r)};
      found.add(against_hypotheses(place, got, column, model_, attribution_), column.pair);
    }
  }

  const TensorPart& tensor_;
  std::span<const std::int64_t> positions_;
  const std::vector<std::size_t>& columns_;
  const BudgetModel& model_;
  const Attribution& attribution_;
};

void merge_each(std::vector<TrigonometryFindings>& earlier, const std::vector<TrigonometryFindings>& later) {
  for (std::size_t pair = 0; pair < earlier.size(); ++pair) {
    earlier[pair].merge(later[pair]);
  }
}

/// The slope of log error over log phase, by least squares.
std::optional<double> growth_of(const std::map<int, double>& octaves) {
  constexpr std::size_t least_octaves = 3;
  if (octaves.size() < least_octaves) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(octaves.size());
  double mean_octave = 0;
  double mean_error = 0;
  for (const auto& [octave, error] : octaves) {
    mean_octave += octave / count;
    mean_error += std::log2(error) / count;
  }
  double products = 0;
  double squares = 0;
  for (const auto& [octave, error] : octaves) {
    products += (octave - mean_octave) * (std::log2(error) - mean_error);
    squares += (octave - mean_octave) * (octave - mean_octave);
  }
  return products / squares;
}

}  // namespace

double TrigonometryError::budget_ratio() const {
  return std::fabs(error) / limit;
}

void TrigonometryFindings::add(const TrigonometryError& element, int pair) {
  ++judged;
  const double ratio = element.budget_ratio();
  if (!worst || ratio > worst->budget_ratio()) {
    worst = element;
  }
  if (ratio > 1) {
    ++failing;
    include(failing_extent, FailingExtent::of(element.place, pair));
    if (!first_failing || element.place.before(first_failing->place)) {
      first_failing = element;
    }
    if (element.phase != 0) {
      auto& greatest = octaves[std::ilogb(element.phase)];
      greatest = std::max(greatest, std::fabs(element.error) - element.limit);
    }
  }
}

void TrigonometryFindings::merge(const TrigonometryFindings& later) {
  judged += later.judged;
  failing += later.failing;
  if (later.worst && (!worst || later.worst->budget_ratio() > worst->budget_ratio())) {
    worst = later.worst;
  }
  if (later.first_failing && (!first_failing || later.first_failing->place.before(first_failing->place))) {
    first_failing = later.first_failing;
  }
  include(failing_extent, later.failing_extent);
  for (const auto& [octave, error] : later.octaves) {
    octaves[octave] = std::max(octaves[octave], error);
  }
}

double trigonometry_limit(const BudgetModel& model, double value) {
  const double u = traits(model.parameters().compute).unit_roundoff();
  const double trig = 4 * u * model.amplitude();
  const double scaling = model.amplitude() == 1 ? 0 : 2 * u * (std::fabs(value) + trig);
  return trig + scaling + model.storage(std::fabs(value) + trig + scaling);
}

std::vector<PhaseKnowledge> phase_knowledge(const TensorPart& tensor, const Attribution* attribution) {
  const auto& frequencies = tensor.sines->frequencies;
  std::vector<PhaseKnowledge> knowledge;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    const bool attributed = attribution != nullptr && attribution->explains(pair);
    knowledge.push_back(frequencies.is_one(pair) ? PhaseKnowledge::exact
                        : attributed             ? PhaseKnowledge::attributed
                                                 : PhaseKnowledge::unknown);
  }
  return knowledge;
}

TrigonometryReport audit_trigonometry(const TensorPart& tensor, std::span<const std::int64_t> positions,
                                      std::span<const PhaseKnowledge> knowledge,
                                      const Attribution* attribution) {
  assert(positions.size() == tensor.rows);
  const auto model = tensor.model();
  std::vector<TrigonometryFindings> findings(knowledge.size());
  oneapi::tbb::parallel_for(std::size_t{0}, knowledge.size(), [&](std::size_t i) {
    if (knowledge[i] == PhaseKnowledge::exact) {
      findings[i] = audit_exact(tensor, positions, static_cast<int>(i), model);
    }
  });
  if (const auto columns = attributed_columns(tensor, knowledge); !columns.empty()) {
    const AttributedAudit of_rows(tensor, positions, columns, model, *attribution);
    const auto attributed = oneapi::tbb::parallel_reduce(
        oneapi::tbb::blocked_range<std::size_t>(
            0, (positions.size() + audited_rows_at_once - 1) / audited_rows_at_once),
        std::vector<TrigonometryFindings>(knowledge.size()),
        [&](const auto& blocks, std::vector<TrigonometryFindings> so_far) {
          for (auto block = blocks.begin(); block != blocks.end(); ++block) {
            of_rows.judge(block, so_far);
          }
          return so_far;
        },
        [](std::vector<TrigonometryFindings> earlier, const std::vector<TrigonometryFindings>& later) {
          merge_each(earlier, later);
          return earlier;
        });
    merge_each(findings, attributed);
  }
  TrigonometryReport report;
  report.elements = tensor.rows * tensor.columns;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    report.merge(findings[i]);
    report.exact_pairs += knowledge[i] == PhaseKnowledge::exact && findings[i].judged > 0 ? 1 : 0;
    report.attributed_pairs += knowledge[i] == PhaseKnowledge::attributed && findings[i].judged > 0 ? 1 : 0;
  }
  report.growth = growth_of(report.octaves);
  return report;
}

}  // namespace vernier
