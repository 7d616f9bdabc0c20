#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// The check of this id. \throws std::runtime_error if there is none
inline const Check& check_named(std::span<const Check> checks, std::string_view id) {
  const auto found = std::ranges::find(checks, id, &Check::id);
  if (found == checks.end()) {
    throw std::runtime_error("no check " + std::string(id));
  }
  return *found;
}

/// The ids of the checks of this status.
inline std::vector<std::string> ids(std::span<const Check> checks, Status status) {
  std::vector<std::string> result;
  for (const auto& check : checks) {
    if (check.status == status) {
      result.push_back(check.id);
    }
  }
  return result;
}

/// What a reader of a failing test needs.
inline std::string told(const Verdict& verdict) {
  std::string text;
  for (const auto& check : verdict.checks) {
    text += check.id + ": " + std::string(to_string(check.status)) + ", " + check.reason + '\n';
  }
  return text;
}

}  // namespace vernier
