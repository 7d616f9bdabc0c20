#include "numerics/diagnosis/computation/common_part.hpp"

#include <algorithm>

namespace vernier {
namespace {

bool is_same(const Tone& a, const Tone& b) {
  return a.cosine == b.cosine && a.sine == b.sine;
}

}  // namespace

bool is_common(Stage stage) {
  return stage >= Stage::frequency && stage <= Stage::amplitude;
}

std::optional<Computation> with_common_part(const Computation& declared, const Computation& other,
                                            const Computation& other_declared) {
  if (!std::ranges::equal(declared.tones, other_declared.tones, is_same) ||
      declared.axes != other_declared.axes || *declared.places != *other_declared.places ||
      other.tones.size() != declared.tones.size()) {
    return std::nullopt;
  }
  auto result = declared;
  result.tones = other.tones;
  for (auto& parameters : result.parameters) {
    parameters.frequency_error = other.parameters.front().frequency_error;
    parameters.phase_rounding = other.parameters.front().phase_rounding;
  }
  result.places = other.places;
  result.place_format = other.place_format;
  result.phase_format = other.phase_format;
  result.phase_shift = other.phase_shift;
  result.period = other.period;
  result.phase_step = other.phase_step;
  result.zero_beyond = other.zero_beyond;
  result.trigonometry_error = other.trigonometry_error;
  result.amplitude = other.amplitude;
  return result;
}

}  // namespace vernier
