#include "numerics/audit/auditor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/budgets/budget.hpp"
#include "numerics/elements/element_source.hpp"
#include "numerics/errors/metrics.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {

Budget Auditor::budget(const AuditedElement& element) const {
  if (!element.pair) {
    return {};
  }
  if (!model_.judges_computation()) {
    return {.storage =
                rounding_budget(stored_, model_.parameters().storage_ulps, element.got, element.truth)};
  }
  return model_.at(element.place.position, *element.pair, element.truth.approximately(),
                   element.partner.approximately());
}

BandReport& Auditor::band(std::int64_t position) {
  const auto magnitude = std::abs(position);
  if (last_band_ != nullptr && last_band_->first_position <= magnitude &&
      magnitude <= last_band_->last_position) {
    return *last_band_;
  }
  auto& band = report_.bands[band_of(position)];
  last_band_ = &band;
  band.first_position = std::min(band.first_position, magnitude);
  band.last_position = std::max(band.last_position, magnitude);
  band.pairs.resize(pairs_);
  return band;
}

void Auditor::keep_worst(const ElementReport& element) {
  const auto& worst = report_.worst;
  if (!worst || element.budget_ratio > worst->budget_ratio ||
      (element.budget_ratio == worst->budget_ratio && element.place.before(worst->place))) {
    report_.worst = element;
  }
}

void Auditor::add(const AuditedElement& element, std::optional<double> rounded) {
  const auto& [place, pair, got, truth, partner] = element;
  const auto allowed = budget(element);
  const double phase = pair ? model_.phase(place.position, *pair) : 0;
  const double error = signed_error(got, truth);
  const double budget_ratio = share_used(error, allowed.total());
  const bool finite = std::isfinite(error);
  const bool conclusive = !finite || !model_.inconclusive(allowed);
  report_.statistics.add(stored_, got, truth, rounded, phase, model_.amplitude(), place);
  auto& its_band = band(place.position);
  CellReport cell;
  if (finite) {
    its_band.greatest_budget = std::max(its_band.greatest_budget, allowed.total());
    cell = {1, std::fabs(error), std::fabs(signed_ulp_error(stored_, got, truth)),
            phase_roundings(stored_, error, phase, model_.amplitude())};
  }
  if (conclusive) {
    cell.greatest_budget_ratio = budget_ratio;
    cell.judged = 1;
    cell.failing = budget_ratio > 1 ? 1 : 0;
  }
  if (pair) {
    its_band.pairs[static_cast<std::size_t>(*pair)] += cell;
  }
  if (!conclusive) {
    ++report_.inconclusive;
    return;
  }
  ++report_.judged;
  const ElementReport judged{place, got, truth, allowed, error, budget_ratio};
  keep_worst(judged);
  if (budget_ratio > 1) {
    ++report_.failing;
    include(report_.failing_extent, FailingExtent::of(place, pair));
    if (!report_.first_failing || place.before(report_.first_failing->place)) {
      report_.first_failing = judged;
    }
  }
}

void Auditor::consider(const AuditedElement& element) {
  const auto& [place, pair, got, truth, partner] = element;
  assert(std::isfinite(got) && pair);
  const auto allowed = budget(element);
  const double error = signed_error(got, truth);
  auto& statistics = report_.statistics;
  statistics.ulps().consider(signed_ulp_error(stored_, got, truth), place);
  statistics.absolute().consider(error, place);
  statistics.phase_roundings().consider(
      phase_roundings(stored_, error, model_.phase(place.position, *pair), model_.amplitude()), place);
  if (!model_.inconclusive(allowed)) {
    keep_worst({place, got, truth, allowed, error, share_used(error, allowed.total())});
  }
}

void Auditor::add_row(const CertifiedTable& table, std::int64_t row, std::int64_t position,
                      std::span<const double> got, std::span<const Enclosure> truth,
                      std::span<const Enclosure> partner) {
  assert(got.size() == table.columns() && truth.size() == got.size() && partner.size() == got.size());
  for (std::size_t c = 0; c < got.size(); ++c) {
    const bool zero = table.table().is_zero(position, c);
    const auto pair = zero ? std::nullopt : std::optional(table.table().columns[c].pair);
    const auto tight = refined(truth[c], [&] { return table.table().entry(position, c); });
    const AuditedElement element{{position, c, row}, pair, got[c], tight, partner[c]};
    AllowedElement held{.truth = tight};
    if (overflow_ != Overflow::undeclared) {
      hold_to(overflow_, stored_, budget(element).computed(), got[c], held);
    }
    if (held.instead) {  // one value is right, which stands for the end of the range
      const double end = held.truth->approximately();
      add({element.place, std::nullopt, held.is_instead(got[c]) ? end : got[c], *held.truth, {}}, end);
    } else {
      add(element, table.rounded_entry(stored_, position, c, tight));
    }
  }
}

}  // namespace vernier
