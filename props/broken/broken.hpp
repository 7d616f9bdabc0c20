#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "props/judging/subject.hpp"

namespace vernier {

/// An implementation with one fault, of the kind that people ship. It pretends to keep the float32 contract.
/// Laws are shown to catch it, so that no law is one that cannot fail; and some are shown to be blind to it,
/// so that nobody takes them for proof.
struct Broken {
  std::string_view id;                      ///< "wrong-sign"
  std::vector<std::string_view> caught_by;  ///< laws that fail on it, those that name it (Law::catches) too
  std::vector<std::string_view> escapes;    ///< laws that hold for it all the same
  /// "broken:wrong-sign", told by the fault as its author would put it, and judged by the float32 contract
  /// for positions up to 2^16 in magnitude and up to 64 dimensions.
  LawTarget target;
};

/// All broken implementations: the entries of broken.json, each honest but for the formulas that it has.
std::span<const Broken> broken_implementations();

/// The subject of this id, broken ones included, if there is one.
std::optional<LawTarget> subject_named(std::string_view id);

}  // namespace vernier
