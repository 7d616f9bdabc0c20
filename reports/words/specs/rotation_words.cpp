#include "reports/words/specs/rotation_words.hpp"

#include <fmt/format.h>

#include "reference/support/counted.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

std::vector<std::string> consequences_of(const RotationDifference& rotation, bool is_fault) {
  std::vector<std::string> told;
  if (rotation.pairs != rotation.other_pairs) {
    told.push_back(fmt::format("{} turn, not {}",
                               counted(static_cast<std::uint64_t>(rotation.other_pairs), "pair", "pairs"),
                               rotation.pairs));
  }
  if (rotation.ratio > 1) {
    const auto* word = rotation.is_faster ? "large" : "small";
    told.push_back(fmt::format("the frequency of pair {} is {} times {}", rotation.pair,
                               significant_text(rotation.ratio, shown_digits),
                               is_fault ? fmt::format("too {}", word) : fmt::format("as {}", word)));
  }
  if (rotation.amplitude != 1) {
    told.push_back(fmt::format("cosine and sine are {} times as large, scores {} times",
                               significant_text(rotation.amplitude, shown_digits),
                               significant_text(rotation.amplitude * rotation.amplitude, shown_digits)));
  }
  if (!rotation.has_same_positions) {
    told.emplace_back("tokens of images turn by other positions (mrope_section)");
  }
  if (rotation.first_position) {
    told.push_back(
        fmt::format("angles differ by more than 2^-8 rad from position {} on", *rotation.first_position));
  }
  return told;
}

}  // namespace vernier
