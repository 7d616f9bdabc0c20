#pragma once

#include <span>
#include <string>
#include <string_view>

#include "props/judging/interval_view.hpp"
#include "props/judging/judgement.hpp"
#include "props/judging/law_case.hpp"
#include "props/judging/property.hpp"
#include "props/judging/subject.hpp"

namespace vernier {

/// A property as drawn cases of one kind of encoding judge it.
struct Law : DrawnJudge {
  const Property* property = nullptr;  ///< what it says
  std::string id;  ///< the scheme and the property: "sinusoidal/offset-only", "rope/offset-only"
};

/// Whether the subject implements what the law is about.
bool applies(const Law& law, const LawTarget& subject);

/// The inputs on which the law is judged on this subject.
LawDomain domain_of(const Law& law, const LawTarget& subject);

/// The properties that drawn cases judge: those of tables, then those of rotations.
std::span<const Law> laws();

/// The law of this id, if there is one.
const Law* law_named(std::string_view id);

}  // namespace vernier
