#include "numerics/recipes/scaled_phases.hpp"

#include <limits>
#include <utility>

namespace vernier {
namespace {

class ScaledPhases final : public PhaseRule {
 public:
  ScaledPhases(std::unique_ptr<PhaseRule> of_numbers, Format compute, const TrigTable& table)
      : of_numbers_(std::move(of_numbers)),
        positions_(of_numbers_->seeds().positions),
        compute_(compute),
        map_(table.positions),
        scale_(rounded_constant(map_.scale())),
        offset_(rounded_constant(map_.offset())),
        frequency_scale_(rounded_constant(table.frequencies.scale())) {}

  double rounded(std::int64_t place) const override {
    const double p = round_to(compute_, round_to(positions_, map_.approximate(place)));
    return multiply(compute_, add(compute_, multiply(compute_, scale_, p), offset_), frequency_scale_);
  }
  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override {
    of_numbers_->advance(pair, positions, phases);
  }
  bool is_recursive() const override { return of_numbers_->is_recursive(); }
  std::span<const double> phases_for_pair(int pair, std::span<const double> carried,
                                          std::span<double> room) const override {
    return of_numbers_->phases_for_pair(pair, carried, room);
  }
  /// No bound is derived, so that searches pass over nothing.
  double phase_error(int /*pair*/, std::int64_t /*position*/, const Enclosure& /*frequency*/) const override {
    return std::numeric_limits<double>::infinity();
  }
  /// Of the numbers x.
  PhaseSeeds seeds() const override { return of_numbers_->seeds(); }

 private:
  double rounded_constant(const Constant& constant) const {
    return round_to(compute_, approximately(constant));
  }

  std::unique_ptr<PhaseRule> of_numbers_;
  Format positions_;
  Format compute_;
  PositionMap map_;
  double scale_;
  double offset_;
  double frequency_scale_;
};

}  // namespace

std::unique_ptr<PhaseRule> phases_of(const Recipe& recipe, const TrigTable& table) {
  const auto& frequencies = table.frequencies;
  if (table.positions.is_plain() && frequencies.scale().is_one()) {
    return recipe.prepare(frequencies);
  }
  const Frequencies unscaled(frequencies.family(), Constant{}, Constant{});
  return std::make_unique<ScaledPhases>(recipe.prepare(unscaled), recipe.compute(), table);
}

}  // namespace vernier
