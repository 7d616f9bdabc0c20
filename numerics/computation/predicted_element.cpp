#include "numerics/computation/predicted_element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/errors/overflow.hpp"

namespace vernier {

double PredictedElement::ratio() const {
  if (std::isnan(got) || std::isnan(predicted)) {
    return std::isnan(got) == std::isnan(predicted) ? 0 : std::numeric_limits<double>::infinity();
  }
  const double error = std::fabs((got - predicted) - rest);
  if (error == 0 || (got == predicted && allowed == 0)) {
    return 0;
  }
  return std::isfinite(error) ? error / allowed : std::numeric_limits<double>::infinity();
}

void PredictedElement::leave_open() {
  conclusive = false;
  predicted = std::isfinite(got) ? predicted : got;
}

namespace {

/// \param least, greatest between which the element is predicted; both may be the same infinity
void set_range(PredictedElement& element, double least, double greatest) {
  const double half = least == greatest ? 0 : (greatest - least) / 2;
  element.predicted = least + half;
  element.allowed = half;
  element.rest = 0;
}

}  // namespace

/// What becomes of all that may have been computed where it is rounded before the amplitude multiplies it:
/// each rounding keeps the order of numbers, so that the ends of a range become those of another.
void PredictedStorage::store_before_amplitude(Format stored, PredictedElement& element) const {
  const double amplitude = std::fabs(amplitude_);
  const auto stored_as = [&](double value, double by) {
    return rounded_with(storing_.overflow, stored,
                        round_to(*storing_.through, value / amplitude) * amplitude * by);
  };
  // The product may be rounded to the format of the computation first.
  const double slack = 2 * unit_roundoff_;
  const double below = element.predicted - element.allowed;
  const double above = element.predicted + element.allowed;
  const double least = stored_as(below, below > 0 ? 1 - slack : 1 + slack);
  const double greatest = stored_as(above, above > 0 ? 1 + slack : 1 - slack);
  set_range(element, least, greatest);
}

/// The same of all that is rounded to one format and then to a narrower one, which only stores.
void PredictedStorage::store_twice(Format stored, PredictedElement& element) const {
  const auto stored_as = [&](double value) {
    return rounded_with(storing_.overflow, stored, round_to(*storing_.through, value));
  };
  set_range(element, stored_as(element.predicted - element.allowed),
            stored_as(element.predicted + element.allowed));
}

void PredictedStorage::overflow(Format stored, PredictedElement& element) const {
  switch (extremity_of(storing_.overflow, stored, std::fabs(element.predicted), element.allowed)) {
    case Extremity::within:
      return;
    case Extremity::at_its_end:
      element.leave_open();
      return;
    case Extremity::beyond:
      element.predicted = overflow_value(storing_.overflow, stored, element.predicted);
      element.allowed = element.rest = 0;
      element.conclusive = true;
  }
}

void PredictedStorage::store(Format stored, PredictedElement& element) const {
  const double magnitude = std::fabs(element.predicted);
  const bool is_number = std::isfinite(magnitude + element.allowed);  // no other is rounded
  if (storing_.through && storing_.before_amplitude) {
    store_before_amplitude(stored, element);
  } else if (storing_.through && traits(stored).is_storage_only()) {
    store_twice(stored, element);
  } else if (storing_.through && is_number) {
    element.allowed += ulp_at(*storing_.through, magnitude + element.allowed) / 2;
  }
  if (storing_.truncates && is_number) {
    const auto format = storing_.through.value_or(stored);
    const double last = ulp_at(format, std::max(magnitude - element.allowed, 0.0));
    const double shift = std::min(last / 2, magnitude);
    element.predicted -= std::copysign(shift, element.predicted);
  }
  if (storing_.flushed_below > 0 && magnitude < storing_.flushed_below + element.allowed &&
      (element.got == 0 || magnitude + element.allowed < storing_.flushed_below)) {
    element.predicted = element.rest = 0;
    element.allowed = 0;
  }
  const double most = storing_.clipped_at;
  if (std::isfinite(most) && magnitude + element.allowed > most) {
    set_range(element, std::clamp(element.predicted - element.allowed, -most, most),
              std::clamp(element.predicted + element.allowed, -most, most));
    if (proves_nothing(element.allowed, most)) {
      element.leave_open();
    }
  }
}

double PredictedStorage::stored_copy(Format stored, double value) const {
  if (storing_.through && traits(stored).is_storage_only()) {
    return value;  // nothing is computed, and so not rounded twice
  }
  double result = value;
  if (storing_.through && !storing_.before_amplitude) {
    result = round_to(*storing_.through, value);
    if (storing_.truncates && std::fabs(result) > std::fabs(value)) {
      result = value < 0 ? next_up(*storing_.through, result) : next_down(*storing_.through, result);
    }
  }
  return std::fabs(result) < storing_.flushed_below ? 0 : result;
}

}  // namespace vernier
