#include "reports/outputs/asking.hpp"

#include <cmath>

#include <fmt/core.h>

#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr double in_percent = 100;

/// Rounded down, so that not all is never told as all.
std::string asked_share_text(double share) {
  const auto least = std::floor(share * in_percent * 100) / 100;
  return least == 0 && share > 0 ? "below 0.01 %" : significant_text(least, shown_digits) + " %";
}

std::string sentence(const Coverage& coverage, const std::optional<std::uint64_t>& seed) {
  const auto& [asked, of, largest_gap] = coverage.positions;
  if (asked == of) {
    return fmt::format("{}: asked for every position, {}.", coverage.roles, of);
  }
  return fmt::format(
      "{}: asked for {} of {} positions ({}), at most {} in a row left out{}.", coverage.roles, asked, of,
      asked_share_text(static_cast<double>(asked) / static_cast<double>(of)), largest_gap,
      // One run that is left out was not drawn.
      seed && largest_gap < of - asked ? ", drawn by the seed " + std::to_string(*seed) : std::string());
}

}  // namespace

std::vector<std::string> asking_sentences(const Verdict& verdict) {
  std::vector<std::string> sentences;
  for (const auto& coverage : verdict.asking.coverage) {
    sentences.push_back(sentence(coverage, verdict.seed));
  }
  sentences.insert(sentences.end(), verdict.asking.notes.begin(), verdict.asking.notes.end());
  return sentences;
}

std::string caution(const Verdict& verdict) {
  const auto share = verdict.asking.least_share();
  return verdict.asking.quick && share < 1
             ? fmt::format("QUICK LOOK at {} of the positions, not the full question",
                           asked_share_text(share))
             : "";
}

}  // namespace vernier
