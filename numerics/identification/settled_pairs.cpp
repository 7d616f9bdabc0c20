#include "numerics/identification/settled_pairs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>

namespace vernier {
namespace {

/// The greatest of a pair's errors in ulp, which reports know to seven digits.
double greatest_ulps(const AuditReport& audit, int pair) {
  double greatest = 0;
  for (const auto& [index, band] : audit.bands) {
    greatest = std::max(greatest, band.pairs[static_cast<std::size_t>(pair)].greatest_ulps);
  }
  return greatest * (1 + 0x1p-20);
}

/// Whether a sine's own error is known by ulp of what is stored, at each of the positions.
bool is_plain(const TensorPart& part, const BudgetModel& model, std::int64_t furthest) {
  const auto& parameters = model.parameters();
  const double u = traits(parameters.compute).unit_roundoff();
  return !part.sines->zero_position && model.amplitude() == 1 && parameters.storage_ulps == 0 &&
         parameters.stored == parameters.compute && parameters.trig_ulps * u <= 0x1p-6 &&
         parameters.position_error.front().is_plain() && static_cast<double>(furthest) * u <= 1;
}

/// Whether no row's phase may be off by a quarter turn.
bool decides(const BudgetModel& model, int pair, std::int64_t furthest) {
  const double error = model.parameters().frequency_error[static_cast<std::size_t>(pair)];
  const double slack = model.row_error(furthest, pair) * (1 + error);
  constexpr double below_a_quarter = std::numbers::pi / 2 - 0x1p-10;
  return model.phase(furthest, pair) * (error + slack) < below_a_quarter;
}

}  // namespace

bool SettledPairs::of_all() const {
  return !pairs.empty() && std::ranges::all_of(pairs, std::identity{});
}

SettledPairs settled_pairs(const RowView& view, std::span<const std::int64_t> positions,
                           std::span<const AuditReport* const> audits) {
  const auto parts = view.parts();
  assert(parts.size() == audits.size());
  if (std::ranges::find(audits, nullptr) != audits.end()) {
    return {};
  }
  SettledPairs result{std::vector<bool>(static_cast<std::size_t>(parts.front().sines->frequencies.pairs())),
                      0};
  std::int64_t furthest = 0;
  for (const auto position : positions) {
    furthest = std::max(furthest, std::abs(position));
  }
  std::vector<BudgetModel> models;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    models.push_back(parts[i].model());
    if (!is_plain(parts[i], models[i], furthest) || audits[i]->statistics.non_finite() > 0) {
      return result;
    }
  }
  for (const auto& point : view.layout().points) {
    const auto is_right = [&](const std::optional<PointLayout::PartColumn>& stored) {
      return stored && greatest_ulps(*audits[stored->part], point.pair) <=
                           models[stored->part].parameters().trig_ulps / 2;
    };
    const auto decided = [&](const BudgetModel& model) { return decides(model, point.pair, furthest); };
    if (is_right(point.real) && is_right(point.imaginary) && std::ranges::all_of(models, decided)) {
      result.pairs[static_cast<std::size_t>(point.pair)] = true;
      result.couples += positions.size();
    }
  }
  return result;
}

}  // namespace vernier
