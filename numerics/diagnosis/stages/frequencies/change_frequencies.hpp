#pragma once

#include "numerics/diagnosis/computation/computation.hpp"

namespace vernier {

/// Edits frequencies as they multiply the numbers that places stand for: the scale of positions is none of
/// theirs. \param change called with a frequency and not zero
template <class Change>
void change_frequencies(Computation& computation, const Change& change) {
  for (std::size_t i = 0; i < computation.tones.size(); ++i) {
    const long double size = computation.place_size(i);
    const auto changed = [&](long double w) { return w == 0 ? w : change(w / size) * size; };
    auto& tone = computation.tones[i];
    tone = {changed(tone.cosine), changed(tone.sine)};
  }
}

}  // namespace vernier
