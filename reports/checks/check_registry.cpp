#include <algorithm>
#include <array>

#include "reports/checks/checks.hpp"

namespace vernier {
namespace {

/// Takes the first part of a path, up to a slash, off its front.
std::string_view take_part(std::string_view& path) {
  const auto slash = std::min(path.find('/'), path.size());
  const auto part = path.substr(0, slash);
  path.remove_prefix(std::min(slash + 1, path.size()));
  return part;
}

bool matches(std::string_view pattern, std::string_view id) {
  while (!pattern.empty() && !id.empty()) {
    const auto wanted = take_part(pattern);
    if (const auto found = take_part(id); found != wanted && !wanted.starts_with('<')) {
      return false;
    }
  }
  return pattern.empty() && id.empty();
}

}  // namespace

std::span<const CheckKind> check_kinds() {
  static const std::array all{
      values_check(),   streams_check(), slopes_check(),        bias_check(),      buckets_check(),
      accuracy_check(), finite_check(),  distinct_rows_check(), unit_norm_check(), padding_row_check(),
  };
  return all;
}

const CheckKind* check_kind_of(std::string_view id) {
  const auto found =
      std::ranges::find_if(check_kinds(), [&](const CheckKind& kind) { return matches(kind.id, id); });
  return found == check_kinds().end() ? nullptr : &*found;
}

}  // namespace vernier
