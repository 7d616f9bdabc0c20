#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/support/registry.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {

struct BiasView;
struct BucketView;
struct LawDomain;
struct Justification;
struct LawCase;
struct MatrixCase;
struct LawTarget;
struct TurnView;
class Judgement;
class PositionModel;
class PropertyTally;
class RotationView;
class TableView;
enum class Outcome;

/// How a property is judged on drawn cases of a table of sinusoids or of a rotation, by enclosures: of the
/// reference, of recipes, of live implementations.
struct DrawnJudge {
  using JudgeTable = void (*)(const LawCase& instance, TableView& view, Judgement& judgement);
  using JudgeRotation = void (*)(const LawCase& instance, RotationView& view, Judgement& judgement);

  /// The property's own restrictions on a subject's domain, if it has any.
  LawDomain (*narrow)(LawDomain domain, const LawTarget& subject) = nullptr;
  /// What it asks of an implementation beside rotations, if it does: not forward.
  std::optional<RotationOperation> back = std::nullopt;
  std::variant<JudgeTable, JudgeRotation> judge;

  // From properties.json:
  std::string_view domain = {};                  ///< for which encodings and variables
  std::vector<std::string_view> positions = {};  ///< variables that are positions or offsets, a letter each
  std::vector<std::string_view> vectors = {};    ///< those that are vectors of head_dim elements
  std::vector<std::string_view> row_forms = {};  ///< the positions whose rows a case asks for: "t", "t + k"
  /// Ids of broken implementations that it fails on, beside those that name it (Broken::caught_by): a new
  /// judge names those that are there, a new fault the laws that are there.
  std::vector<std::string_view> catches = {};

  bool about_rotations() const { return std::holds_alternative<JudgeRotation>(judge); }
  /// The positions whose rows a case asks for: they must lie in the subject's domain.
  std::vector<std::int64_t> rows(const LawCase& instance) const;
};

/// How a property is judged on the model of a scheme: a column of the matrix.
struct ModelJudge {
  /// Whether a case bears the statement out.
  Outcome (*judge)(const PositionModel& model, const MatrixCase& values);
  /// The property is that the statement fails somewhere.
  bool affirmed_by_failure = false;
  /// What holds in place of the statement where that fails: then the answer is conditional.
  std::optional<Justification> (*weaker)(const PositionModel& model) = nullptr;

  // From properties.json:
  std::string_view column = {};     ///< the heading: "Constant norm"
  std::string_view variables = {};  ///< of a case: "t, s, k"
};

/// A property of positional encodings: the mathematics, said once, and how it is judged through each view
/// that shows it. A property that a view does not show has no judge of it.
struct Property {
  std::string_view id;  ///< stable, the last part of a check's: "offset-only"

  /// On what anybody stored or answered. These judges know no scheme: any encoding that has such a view, and
  /// meets the hypotheses, has the property.
  void (*buckets)(const BucketView& view, PropertyTally& tally) = nullptr;
  void (*biases)(const BiasView& view, PropertyTally& tally) = nullptr;
  void (*turns)(const TurnView& view, PropertyTally& tally) = nullptr;
  /// On drawn cases: one judge of tables, one of rotations. Each is a law (props/laws/law.hpp).
  std::vector<DrawnJudge> drawn = {};
  /// On models of schemes, in the matrix.
  std::optional<ModelJudge> model = std::nullopt;

  // From properties.json:
  std::string_view name = {};            ///< "Scores depend on the offset only"
  std::string_view statement = {};       ///< the mathematics, in plain text
  std::string_view hypotheses = {};      ///< of which encodings it is required
  std::string_view citation = {};        ///< paper or theorem
  std::string_view counterexample = {};  ///< what one looks like, and what it means for a model

  bool judges_tensors() const { return buckets != nullptr || biases != nullptr || turns != nullptr; }
};

/// All properties, in the order of properties.json.
std::span<const Property> properties();

/// The property of this id, if there is one.
const Property* property_named(std::string_view id);

/// Every file of properties. A new property is an entry of its file's list, and its words in properties.json.
/// Those that models are judged by are the columns of the matrix.
// clang-format off
VERNIER_REGISTRY(property_makers, std::vector<Property>,
    element_properties,
    unique_properties,
    code_properties,
    linear_shift_properties,
    shift_group_properties,
    offset_only_properties,
    direction_properties,
    norm_properties,
    decay_properties,
    return_properties,
    own_position_properties,
    bucket_properties,
    bias_properties);
// clang-format on

}  // namespace vernier
