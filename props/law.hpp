#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "props/judgement.hpp"
#include "props/law_case.hpp"
#include "props/observation.hpp"
#include "props/subject.hpp"

namespace vernier {

/// A law of positional encoding: mathematics, and how one case of it is judged.
struct Law {
  std::string_view id;                      ///< stable: "rope/relative-only"
  std::string_view name;                    ///< "Scores depend on the offset only"
  std::string_view statement;               ///< the mathematics, in plain text
  std::string_view domain;                  ///< for which encodings and variables
  std::string_view citation;                ///< paper or theorem
  std::string_view counterexample;          ///< what one looks like, and what it means for a model
  std::vector<std::string_view> positions;  ///< names of the variables that are positions or offsets
  std::vector<std::string_view> vectors =
      {};  ///< names of the variables that are vectors of head_dim elements
  /// Ids of broken implementations that it fails on, beside those that name it (Broken::caught_by): a new law
  /// names those that are there, a new fault the laws that are there.
  std::vector<std::string_view> catches = {};
  /// The positions whose rows a case asks for: they must lie in the subject's domain.
  std::vector<std::int64_t> (*rows)(const LawCase& instance);
  /// The law's own restrictions on a subject's domain, if it has any.
  Domain (*narrow)(Domain domain, const SubjectUnderLaw& subject) = nullptr;

  using JudgeTable = void (*)(const LawCase& instance, TableView& view, Judgement& judgement);
  using JudgeRotation = void (*)(const LawCase& instance, RotationView& view, Judgement& judgement);
  std::variant<JudgeTable, JudgeRotation> judge;

  bool about_rotations() const { return std::holds_alternative<JudgeRotation>(judge); }
};

/// Whether the subject implements what the law is about.
bool applies(const Law& law, const SubjectUnderLaw& subject);

/// The inputs on which the law is judged on this subject.
Domain domain_of(const Law& law, const SubjectUnderLaw& subject);

/// All laws: laws/laws.hpp lists them.
std::span<const Law> laws();

/// The law of this id, if there is one.
const Law* law_named(std::string_view id);

}  // namespace vernier
