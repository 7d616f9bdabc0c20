#include "numerics/budgets/apart_from_phase.hpp"

#include <algorithm>
#include <cmath>

#include "reference/tables/trig_table.hpp"

namespace vernier {
namespace {

/// The least position whose phase is reduced; the phase grows with the position.
std::int64_t first_reduced(const BudgetModel& model, int pair) {
  std::int64_t plain = -1;
  std::int64_t reduced = largest_place + 1;
  while (reduced - plain > 1) {
    const auto middle = plain + (reduced - plain) / 2;
    (model.reduces(middle, pair) ? reduced : plain) = middle;
  }
  return reduced;
}

/// The least and the greatest number of a binade.
double lowest(std::size_t binade) {
  return std::bit_cast<double>(std::uint64_t{binade} << BinadeBounds::fraction_bits);
}
double highest(std::size_t binade) {
  return std::bit_cast<double>((std::uint64_t{binade + 1} << BinadeBounds::fraction_bits) - 1);
}

/// Sets the bounds of binades [first, last]. They grow with the numbers: where both ends have one, all
/// between have it, as most do.
template <class Apart>
void fill(std::vector<BinadeBounds::Bounds>& bounds, std::size_t first, std::size_t last,
          const Apart& apart) {
  const BinadeBounds::Bounds ends{apart(lowest(first)), apart(highest(last))};
  if (first == last || ends.least == ends.greatest) {
    std::fill(bounds.begin() + static_cast<std::ptrdiff_t>(first),
              bounds.begin() + static_cast<std::ptrdiff_t>(last) + 1, ends);
    return;
  }
  const auto middle = first + (last - first) / 2;
  fill(bounds, first, middle, apart);
  fill(bounds, middle + 1, last, apart);
}

}  // namespace

double apart_from_phase(const BudgetModel& model, std::int64_t position, int pair, double got) {
  const auto at = [&](double value) {
    const double trig = model.trig(position, pair, value);
    return trig + model.storage(value + trig);
  };
  const double greatest = model.amplitude();
  double behind = greatest;
  double bound = at(behind);
  // Each pass may take what the one before has bounded: with 16 bits the first says little of small values.
  for (int pass = 0; pass < 3; ++pass) {
    const double nearer = std::min(greatest, std::fabs(got) + bound);
    if (nearer == behind) {
      break;
    }
    behind = nearer;
    bound = at(behind);
  }
  return bound;
}

BinadeBounds::BinadeBounds(const BudgetModel& model) {
  int fastest = 0;  // where its phase is reduced nowhere, none is
  for (int pair = 1; pair < model.pairs(); ++pair) {
    fastest = model.frequency(pair) > model.frequency(fastest) ? pair : fastest;
  }
  fill(plain_, 0, binades - 2, [&](double got) { return apart_from_phase(model, 0, 0, got); });
  fill(reduced_, 0, binades - 2,
       [&](double got) { return apart_from_phase(model, largest_place, fastest, got); });
  for (int pair = 0; pair < model.pairs(); ++pair) {
    first_reduced_.push_back(first_reduced(model, pair));
  }
}

}  // namespace vernier
