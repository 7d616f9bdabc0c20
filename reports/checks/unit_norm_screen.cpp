#include "reports/checks/unit_norm_screen.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "reference/trig_table.hpp"

namespace vernier {
namespace {

/// The least position whose phase is reduced; the phase grows with the position.
std::int64_t first_reduced(const BudgetModel& model, int pair) {
  std::int64_t plain = -1;
  std::int64_t reduced = largest_position + 1;
  while (reduced - plain > 1) {
    const auto middle = plain + (reduced - plain) / 2;
    (model.reduces(middle, pair) ? reduced : plain) = middle;
  }
  return reduced;
}

}  // namespace

double apart_from_phase(const BudgetModel& model, std::int64_t position, int pair, double got) {
  const auto at = [&](double value) {
    const double trig = model.trig(position, pair, value);
    return trig + model.storage(value + trig);
  };
  const double greatest = model.amplitude();
  return at(std::min(greatest, std::fabs(got) + at(greatest)));
}

BinadeBounds::BinadeBounds(const BudgetModel& model) {
  for (std::size_t e = 0; e + 1 < binades; ++e) {
    const double low = e == 0 ? 0 : std::bit_cast<double>(std::uint64_t{e} << fraction_bits);
    const double high = std::bit_cast<double>((std::uint64_t{e + 1} << fraction_bits) - 1);
    plain_[e] = {apart_from_phase(model, 0, 0, low), apart_from_phase(model, 0, 0, high)};
    reduced_[e] = {apart_from_phase(model, largest_position, 0, low),
                   apart_from_phase(model, largest_position, 0, high)};
  }
  for (int pair = 0; pair < static_cast<int>(model.parameters().relative_phase_error.size()); ++pair) {
    first_reduced_.push_back(first_reduced(model, pair));
  }
}

UnitNormScreen::UnitNormScreen(std::span<const BudgetModel> models, std::span<const Couple> couples,
                               const Enclosure& amplitude)
    : bounds_(models.begin(), models.end()),
      amplitude_(amplitude.approximately()),
      square_(amplitude_ * amplitude_),
      works_(amplitude_ > 0x1p-100 && amplitude_ < 0x1p100) {
  double reduced_from = is_fine() ? 0 : std::numeric_limits<double>::infinity();
  for (const auto& [pair, cosine, sine] : couples) {
    const auto& b = bounds_[cosine.tensor];
    const auto& a = bounds_[sine.tensor];
    reduced_from = std::max({reduced_from, b.reduced_from(pair), a.reduced_from(pair)});
    reduced_from_.push_back(reduced_from);
    cosine_least_.push_back(b.least_if_reduced());
    sine_least_.push_back(a.least_if_reduced());
  }
}

std::size_t UnitNormScreen::reduced_couples(std::int64_t position) const {
  return static_cast<std::size_t>(
      std::ranges::upper_bound(reduced_from_, std::fabs(static_cast<double>(position))) -
      reduced_from_.begin());
}

void UnitNormScreen::surplus(double used, std::span<const double> c, std::span<const double> s,
                             std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double squares = c[i] * c[i] + s[i] * s[i];
    const double excess = std::fabs(squares - square_) + rounding * (squares + square_);
    const double allowed = 2 * (std::fabs(c[i]) * cosine_least_[i] + std::fabs(s[i]) * sine_least_[i]);
    out[i] = used * allowed - excess;
  }
}

bool UnitNormScreen::uses_at_most(double used, std::int64_t position, const Couple& couple, double c,
                                  double s) const {
  const auto& b = bounds_[couple.cosine.tensor].at(position, couple.pair, c);
  const auto& a = bounds_[couple.sine.tensor].at(position, couple.pair, s);
  const double squares = c * c + s * s;
  const double excess = std::fabs(squares - square_) + rounding * (squares + square_);
  return works_ && excess <= used * allowance(c, b.least, s, a.least) &&
         allowance(c, b.greatest, s, a.greatest) <= square_ / 2;
}

bool UnitNormScreen::is_fine() const {
  double greatest = 0;
  for (const auto& bounds : bounds_) {
    greatest = std::max(greatest, bounds.greatest());
  }
  return works_ && allowance(2 * amplitude_, greatest, 2 * amplitude_, greatest) <= square_ / 2;
}

}  // namespace vernier
