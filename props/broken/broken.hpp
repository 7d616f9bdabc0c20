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
  std::string_view description;             ///< the fault, as its author would put it
  std::vector<std::string_view> caught_by;  ///< laws that fail on it, those that name it (Law::catches) too
  std::vector<std::string_view> escapes;    ///< laws that hold for it all the same
  /// One of the two, or both rotations.
  std::function<std::unique_ptr<TableUnderTest>(const SinusoidalSpec&)> table = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> rotation = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> key_rotation = {};
  /// What turns back is broken; then the rotation is honest.
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> gradient = {};
  std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)> inverse = {};
  std::optional<RopeSpec> spec =
      std::nullopt;  ///< the only one that it is tried on, where others do not show it
};

/// All broken implementations: the entries of broken.json, each honest but for the formulas that it has.
std::span<const Broken> broken_implementations();

/// "broken:wrong-sign": judged by the float32 contract for positions up to 2^16 in magnitude and up to 64
/// dimensions.
LawTarget subject_of(const Broken& broken);

/// The subject of this id, broken ones included, if there is one.
std::optional<LawTarget> subject_named(std::string_view id);

}  // namespace vernier
