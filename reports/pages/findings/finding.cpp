#include "reports/pages/findings/finding.hpp"

#include <algorithm>
#include <tuple>

namespace vernier {

std::vector<Finding> ranked(std::vector<Finding> findings) {
  std::ranges::stable_sort(findings, {}, [](const Finding& one) {
    return std::tuple(one.missing, one.share == 0, one.concerns, -one.share);
  });
  return findings;
}

}  // namespace vernier
