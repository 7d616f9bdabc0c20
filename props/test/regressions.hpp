#pragma once

#include <span>
#include <string_view>

#include "props/judging/law_case.hpp"

namespace vernier {

/// A case worth replaying on every run, as values: counterexamples once found, and edges that a law's domain
/// draws.
struct Regression {
  std::string_view law;  ///< ids
  std::string_view subject;
  LawCase instance;
  bool holds = true;        ///< what must come out
  std::string_view reason;  ///< why it is here, and whose evidence it rests on
};

std::span<const Regression> regressions();

}  // namespace vernier
