#include "numerics/audit/chunk_audit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "numerics/errors/metrics.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

/// What single precision's roundings may take off a measure, and more.
constexpr double nearly_one = 1 - 0x1p-18;
/// A quarter of an octave: with the band of positions added last, what is binned together for phase roundings
/// is less than half an octave apart.
constexpr double widest_spread = 1.1893;

/// Elements whose measure reaches this are looked at exactly, as they may exceed the greatest one found.
double least_to_consider(double greatest, double slack) {
  return greatest * nearly_one - slack;
}

}  // namespace

ChunkAudit::ChunkAudit(const LadderTruth& truth, const AuditKernels& kernels, const AuditSubject& subject)
    : truth_(truth),
      kernels_(kernels),
      subject_(subject),
      workspace_(subject.workspaces.local()),
      auditor_(*subject.model, subject.rows->stored(), truth.table().frequencies.pairs()),
      tallied_positions_{infinity, 0},
      binned_(subject.constants.lanes.size(), Magnitudes{infinity, 0}) {
  while (workspace_.tallies.size() < 2 * truth.layers().size()) {
    workspace_.tallies.emplace_back(subject.constants, subject.histogram_bytes);
  }
}

void ChunkAudit::add(const CoarseRows& coarse, std::int64_t first, std::int64_t last) {
  for (std::int64_t row = first; row < last;) {
    const auto position = truth_.positions().at(row);
    if (position == truth_.table().zero_position) {
      got_ = subject_.rows->rows(row, 1, workspace_.made);
      for (std::size_t c = 0; c < columns(); ++c) {
        judge_zeros(row, 0, c);
      }
      ++row;
      continue;
    }
    if (const int band = band_of(position); band != band_) {
      flush();
      band_ = band;
    }
    const auto block = block_from(coarse, first, row, last);
    judge_block(block);
    row += static_cast<std::int64_t>(block.count);
  }
}

AuditReport ChunkAudit::finish() {
  flush();
  flush_histograms(0);
  return std::move(auditor_.report());
}

// Which rows

ChunkAudit::Block ChunkAudit::block_from(const CoarseRows& coarse, std::int64_t chunk_first, std::int64_t row,
                                         std::int64_t last) const {
  const auto fine_rows = static_cast<std::int64_t>(truth_.seeds().fine_rows());
  const auto in_chunk = row - chunk_first;
  const auto limit =
      std::min({last, row + static_cast<std::int64_t>(block_rows), row + fine_rows - in_chunk % fine_rows});
  Block block;
  block.rows = {&coarse, static_cast<std::size_t>(in_chunk / fine_rows),
                static_cast<std::size_t>(in_chunk % fine_rows), row};
  block.count = static_cast<std::size_t>(end_of_band(row, limit) - row);
  return block;
}

/// The first row of [row + 1, limit] that is a row of zeros or in another band.
std::int64_t ChunkAudit::end_of_band(std::int64_t row, std::int64_t limit) const {
  const auto& positions = truth_.positions();
  const auto first = positions.at(row);
  const auto last = positions.at(limit - 1);
  const auto zero = truth_.table().zero_position;
  const bool one_sided = (first < 0) == (last < 0);
  const bool without_zeros = !zero || *zero < std::min(first, last) || *zero > std::max(first, last);
  if (one_sided && without_zeros && band_of(first) == band_of(last)) {
    return limit;
  }
  auto end = row + 1;
  while (end < limit && positions.at(end) != zero && band_of(positions.at(end)) == band_of(first)) {
    ++end;
  }
  return end;
}

void ChunkAudit::note_positions(Block& block) {
  block.least_position = infinity;
  for (std::size_t r = 0; r < block.count; ++r) {
    const auto position = truth_.positions().at(block.rows.first + static_cast<std::int64_t>(r));
    const double magnitude = std::fabs(static_cast<double>(position));
    const double error = subject_.model->place_error(position, 0);
    auto& of_tile = workspace_.positions[r / tile_rows];
    of_tile.position[r % tile_rows] = static_cast<float>(magnitude);
    of_tile.position_error[r % tile_rows] = static_cast<float>(error);
    block.least_position = std::min(block.least_position, magnitude);
    block.greatest_position = std::max(block.greatest_position, magnitude);
    block.greatest_position_error = std::max(block.greatest_position_error, error);
  }
}

// Many elements at a time

void ChunkAudit::judge_block(Block block) {
  got_ = subject_.rows->rows(block.rows.first, block.count, workspace_.made);
  note_positions(block);
  auto& band = auditor_.band(truth_.positions().at(block.rows.first));
  band.first_position = std::min(band.first_position, static_cast<std::int64_t>(block.least_position));
  band.last_position = std::max(band.last_position, static_cast<std::int64_t>(block.greatest_position));
  block_greatest_ = 0;
  set_limits();
  for (std::size_t layer = 0; layer < truth_.layers().size(); ++layer) {
    for (std::size_t group = 0; group < subject_.constants.lanes.size(); ++group) {
      const bool conclusive =
          subject_.constants.surely_conclusive(group, block.greatest_position, block.greatest_position_error);
      // Position 0, where cosines are 1, is a block of its own.
      const bool single = subject_.constants.usable && block.greatest_position > 0;
      const auto* const magnitudes = truth_.magnitudes(block.rows) + group * tile_lanes;
      const bool whole =
          (group + 1) * tile_lanes <= static_cast<std::size_t>(subject_.model->pairs()) &&
          std::all_of(magnitudes, magnitudes + tile_lanes, [](double m) { return std::isfinite(m); });
      for (std::size_t row = 0; row < block.count; row += tile_rows) {
        Part part{block.rows, row, std::min(tile_rows, block.count - row), group, whole};
        part.rows.fine_row += row;
        part.rows.first += static_cast<std::int64_t>(row);
        if (single) {
          judge_part(part, layer, conclusive);
        } else {
          judge_singly(part, layer);
        }
      }
      flush_group(layer, group, block);
    }
  }
  for (std::size_t c = 0; c < columns(); ++c) {
    for (std::size_t r = 0; truth_.table().columns[c].component == Component::zero && r < block.count; ++r) {
      judge_zeros(block.rows.first + static_cast<std::int64_t>(r), r, c);
    }
  }
  tallied_ = true;
  tallied_positions_.least = std::min(tallied_positions_.least, block.least_position);
  tallied_positions_.greatest = std::max(tallied_positions_.greatest, block.greatest_position);
  greatest_position_error_ = std::max(greatest_position_error_, block.greatest_position_error);
  auto& records = auditor_.report().records;
  if (records.empty() || block_greatest_ > records.back().greatest_error) {
    records.push_back(
        {truth_.first_row() + block.rows.first, static_cast<std::int64_t>(block.count), block_greatest_});
  }
}

void ChunkAudit::judge_part(const Part& part, std::size_t layer, bool conclusive) {
  const auto& [sines, cosines] = truth_.layers()[layer];
  const auto sine = elements(sines, part, workspace_.gathered[0]);
  const auto cosine = elements(cosines, part, workspace_.gathered[1]);
  const auto& constants = subject_.constants;
  auto& tile = workspace_.tile;
  subject_.difference(
      part.rows.coarse->seeds.planes(part.rows.coarse_row), truth_.seeds().fine().planes(part.rows.fine_row),
      truth_.seeds().width(), part.group * tile_lanes, part.count,
      {sine.first, cosine.first, sine.stride, cosine.stride, block_rows * columns()}, constants.units, tile);
  std::array<TileSummary*, 2> wanted{};
  std::array<std::uint16_t*, 2> counts{};
  for (std::size_t which = 0; which < 2; ++which) {
    if (const auto& plane = truth_.layers()[layer][which]; plane.present > 0) {
      wanted[which] = &workspace_.summaries[which];
      counts[which] = workspace_.tallies[2 * layer + which].counts(part.group);
      if (!part.whole || plane.present < plane.columns.size()) {
        set_aside(part, plane, tile.error[which]);
      }
    }
  }
  const auto summarize = conclusive ? kernels_.conclusive : kernels_.doubtful;
  summarize(tile, part.count, workspace_.positions[part.first_row / tile_rows], constants.lanes[part.group],
            constants.tile, counts.data(), wanted.data());
  for (const auto component : {Component::sine, Component::cosine}) {
    if (wanted[static_cast<std::size_t>(component)] != nullptr) {
      add_summary(part, layer, component);
    }
  }
}

/// Has the kernels mark all of the lanes that they cannot judge or that hold no elements.
void ChunkAudit::set_aside(const Part& part, const Plane& plane, float (&errors)[tile_rows][tile_lanes]) {
  const auto first_pair = part.group * tile_lanes;
  const auto* const magnitudes = truth_.magnitudes(part.rows) + first_pair;
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    const bool held = first_pair + lane < plane.columns.size() && plane.columns[first_pair + lane];
    for (std::size_t r = 0; !(held && std::isfinite(magnitudes[lane])) && r < part.count; ++r) {
      errors[r][lane] = std::numeric_limits<float>::quiet_NaN();
    }
  }
}

ChunkAudit::Elements ChunkAudit::elements(const Plane& plane, const Part& part,
                                          std::vector<double>& scratch) const {
  const auto width = subject_.element_bytes;
  const auto first_pair = part.group * tile_lanes;
  const auto* const rows = got_ + part.first_row * columns() * width;
  if (plane.present == 0) {
    return {nullptr, 0};
  }
  if (plane.run && first_pair + tile_lanes <= plane.columns.size()) {
    return {rows + (*plane.run + first_pair) * width, columns()};
  }
  scratch.resize(tile_rows * tile_lanes);
  auto* const to = reinterpret_cast<std::byte*>(scratch.data());
  for (std::size_t lane = 0; lane < tile_lanes && first_pair + lane < plane.columns.size(); ++lane) {
    if (const auto column = plane.columns[first_pair + lane]) {
      for (std::size_t r = 0; r < part.count; ++r) {
        std::memcpy(to + (r * tile_lanes + lane) * width, rows + (r * columns() + *column) * width, width);
      }
    }
  }
  return {to, tile_lanes};
}

void ChunkAudit::add_summary(const Part& part, std::size_t layer, Component component) {
  const auto which = static_cast<std::size_t>(component);
  const auto& summary = workspace_.summaries[which];
  auto& tally = workspace_.tallies[2 * layer + which];
  const auto found = kernels_.commit(summary, limits_, tally.sums(part.group));
  tally.add_counted(summary, part.group, part.count);
  if (found.grows) {
    block_greatest_ =
        static_cast<double>(std::ranges::max(summary.greatest_error)) / subject_.constants.scale;
    set_limits();
  }
  if (found.marked || found.may_hold_greatest) {
    look_closely(part, truth_.layers()[layer][which], component, found);
  }
}

/// Looks exactly at what the kernels leave open.
void ChunkAudit::look_closely(const Part& part, const Plane& plane, Component component,
                              const TileFindings& found) {
  const auto first_pair = part.group * tile_lanes;
  for (std::size_t lane = 0; lane < tile_lanes && first_pair + lane < plane.columns.size(); ++lane) {
    if (const auto column = plane.columns[first_pair + lane]) {
      const Series series{part, lane, *column, component};
      if (found.marked) {
        judge_marked(series);
      }
      if (found.may_hold_greatest) {
        consider_greatest(series);
      }
    }
  }
  set_limits();
}

/// What single precision does not hold.
void ChunkAudit::judge_singly(const Part& part, std::size_t layer) {
  const auto first_pair = part.group * tile_lanes;
  for (const auto component : {Component::sine, Component::cosine}) {
    const auto& columns = truth_.layers()[layer][static_cast<std::size_t>(component)].columns;
    for (std::size_t lane = 0; lane < tile_lanes && first_pair + lane < columns.size(); ++lane) {
      for (std::size_t r = 0; columns[first_pair + lane] && r < part.count; ++r) {
        judge({part, lane, *columns[first_pair + lane], component}, r);
      }
    }
  }
  set_limits();
}

// One element at a time

double ChunkAudit::got(std::size_t block_row, std::size_t column) const {
  const auto* const from = got_ + (block_row * columns() + column) * subject_.element_bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, subject_.element_bytes);
  return decode_bits(subject_.rows->widened() ? Format::binary64 : subject_.rows->stored(), bits);
}

AuditedElement ChunkAudit::element(const Series& series, std::size_t r) const {
  const auto& part = series.part;
  const auto other = series.component == Component::sine ? Component::cosine : Component::sine;
  // Of the partner a double will do: it enters the budget alone.
  const double partner = truth_.approximately(part.rows, r, series.pair(), other);
  const auto place = truth_.place(part.rows.first + static_cast<std::int64_t>(r), series.column);
  const auto pair = static_cast<int>(series.pair());
  const auto truth = refined(truth_.enclosure(part.rows, r, series.pair(), series.component),
                             [&] { return truth_.table().value(place.position, pair, series.component); });
  return {place, pair, got(part.first_row + r, series.column), truth, {{partner, 0}, 0}};
}

void ChunkAudit::judge(const Series& series, std::size_t r) {
  const auto judged = element(series, r);
  auto correct = rounded(auditor_.stored(), judged.truth);
  if (!correct) {
    correct = correctly_rounded(auditor_.stored(),
                                truth_.table().value(judged.place.position, *judged.pair, series.component));
  }
  auditor_.add(judged, correct);
  const double error = signed_error(judged.got, judged.truth);
  const double magnitude = std::isnan(error) ? infinity : std::fabs(error);
  block_greatest_ = std::max(block_greatest_, magnitude);
}

void ChunkAudit::judge_marked(const Series& series) {
  const auto& summary = workspace_.summaries[static_cast<std::size_t>(series.component)];
  if (summary.marked[series.lane] == 0) {
    return;
  }
  for (std::size_t r = 0; r < series.part.count; ++r) {
    if (summary.index[r][series.lane] == 0) {
      judge(series, r);
    }
  }
}

void ChunkAudit::set_limits() {
  const auto& report = auditor_.report();
  const auto& constants = subject_.constants;
  const auto& slack = constants.slack;
  const auto least = [](double greatest, double off) {
    return static_cast<float>(least_to_consider(greatest, off));
  };
  const auto& statistics = report.statistics;
  limits_ = {static_cast<float>(block_greatest_ * constants.scale),
             least(statistics.absolute().greatest() * constants.scale, slack.error * constants.scale),
             least(statistics.ulps().greatest(), slack.ulps),
             least(statistics.phase_roundings().greatest(), slack.phase_roundings),
             least(report.worst ? report.worst->budget_ratio : 0, slack.budget_ratio)};
}

/// Looks exactly at the elements that may be the greatest or the worst so far.
void ChunkAudit::consider_greatest(const Series& series) {
  const auto& summary = workspace_.summaries[static_cast<std::size_t>(series.component)];
  const auto lane = series.lane;
  if (summary.greatest_error[lane] < limits_.error && summary.greatest_ulps[lane] < limits_.ulps &&
      summary.greatest_phase_roundings[lane] < limits_.phase_roundings &&
      summary.greatest_budget_ratio[lane] < limits_.budget_ratio) {
    return;
  }
  for (std::size_t r = 0; r < series.part.count; ++r) {
    if (summary.index[r][lane] != 0 && may_be_greatest(series, r)) {
      auditor_.consider(element(series, r));
    }
  }
}

/// By the measures in single precision.
bool ChunkAudit::may_be_greatest(const Series& series, std::size_t r) const {
  const auto& report = auditor_.report();
  const auto& statistics = report.statistics;
  const auto& model = *subject_.model;
  const auto which = static_cast<std::size_t>(series.component);
  const auto in_tile = [&](const float(&values)[tile_rows][tile_lanes]) {
    return std::fabs(static_cast<double>(values[r][series.lane]));
  };
  const double value = in_tile(workspace_.tile.truth[which]);
  const double partner = in_tile(workspace_.tile.truth[1 - which]);
  const double error = in_tile(workspace_.tile.error[which]) / subject_.constants.scale;
  const auto position = truth_.positions().at(series.part.rows.first + static_cast<std::int64_t>(r));
  const auto pair = static_cast<int>(series.pair());
  const auto& slack = subject_.constants.slack;
  const auto reaches = [](double measure, double greatest, double off) {
    return measure >= least_to_consider(greatest, off);
  };
  const auto& summary = workspace_.summaries[which];
  if (reaches(error, statistics.absolute().greatest(), slack.error) ||
      reaches(error / ulp_at(auditor_.stored(), value), statistics.ulps().greatest(), slack.ulps) ||
      (summary.greatest_phase_roundings[series.lane] >= limits_.phase_roundings &&
       reaches(phase_roundings(auditor_.stored(), error, model.phase(position, pair), model.amplitude()),
               statistics.phase_roundings().greatest(), slack.phase_roundings))) {
    return true;
  }
  if (summary.greatest_budget_ratio[series.lane] < limits_.budget_ratio) {
    return false;
  }
  const auto budget = model.at(position, pair, value, partner);
  return !model.inconclusive(budget) &&
         reaches(error / budget.total(), report.worst ? report.worst->budget_ratio : 0, slack.budget_ratio);
}

/// An element that is zero by definition.
void ChunkAudit::judge_zeros(std::int64_t row, std::size_t block_row, std::size_t column) {
  auditor_.add({truth_.place(row, column), std::nullopt, got(block_row, column), {}, {}}, 0.0);
}

// To the report

/// No element's budget in the rows tallied is larger.
double ChunkAudit::greatest_budget() const {
  const auto& constants = subject_.constants;
  double greatest = 0;
  for (std::size_t group = 0; group < constants.lanes.size(); ++group) {
    const double d = tallied_positions_.greatest * constants.phase_error[group] +
                     greatest_position_error_ * constants.position_error[group];
    const double apart = constants.amplitude * d + constants.greatest_apart;
    greatest = std::max(greatest, apart + subject_.model->storage(apart));
  }
  return greatest;
}

/// Adds what was tallied of a band to the report.
void ChunkAudit::flush() {
  if (!tallied_) {
    return;
  }
  auto& report = auditor_.report();
  auto& band = report.bands.at(band_);
  band.greatest_budget = std::max(band.greatest_budget, greatest_budget());
  for (auto& tally : workspace_.tallies) {
    tally.flush_sums(*subject_.model, band, report);
  }
  const bool binned = workspace_.tallies.front().holds_all_groups();
  for (auto& [least, greatest] : std::span(binned_).first(binned ? binned_.size() : 0)) {
    least = std::min(least, tallied_positions_.least);
    greatest = std::max(greatest, tallied_positions_.greatest);
  }
  // A histogram may go on as long as its phases are alike: those of phase roundings are made of them.
  flush_histograms(widest_spread);
  tallied_ = false;
  tallied_positions_ = {infinity, 0};
  greatest_position_error_ = 0;
}

ChunkAudit::PhaseWeights ChunkAudit::phase_weights(std::size_t group, const Magnitudes& positions) const {
  PhaseWeights weights{{}, 1};
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    const auto w = static_cast<double>(subject_.constants.lanes[group].frequency[lane]);
    weights.greatest[lane] = 1 / (1 + positions.least * w);
    weights.spread = std::max(weights.spread, (1 + positions.greatest * w) * weights.greatest[lane]);
  }
  return weights;
}

void ChunkAudit::flush_group(std::size_t layer, std::size_t group, const Block& block) {
  for (auto& tally : std::span(workspace_.tallies).subspan(2 * layer, 2)) {
    if (!tally.holds_all_groups()) {
      const auto weights = phase_weights(group, {block.least_position, block.greatest_position});
      tally.flush_histograms(group, weights.greatest, auditor_.report());
    }
  }
}

/// Adds the histograms of groups to the report in which 1 + phase of some pair are further apart, as a ratio.
void ChunkAudit::flush_histograms(double least_spread) {
  for (std::size_t group = 0; group < binned_.size(); ++group) {
    const auto [least, greatest] = binned_[group];
    if (greatest < least) {
      continue;
    }
    const auto weights = phase_weights(group, binned_[group]);
    if (weights.spread > least_spread) {
      for (auto& tally : workspace_.tallies) {
        tally.flush_histograms(group, weights.greatest, auditor_.report());
      }
      binned_[group] = {infinity, 0};
    }
  }
}

}  // namespace vernier
