#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/numbers/real.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// Which elements of an encoding are meant: those of one position, and of one pair, head or column, whichever
/// its tensors have.
struct ElementWish {
  std::int64_t position = 0;  ///< within +-2^31; of a bias that of the key, with the query at 0
  std::optional<std::int64_t> pair = std::nullopt;
  std::optional<std::int64_t> head = std::nullopt;
  std::optional<std::int64_t> column = std::nullopt;
  std::string role = {};  ///< of one tensor alone; empty: of all
};

/// An entry of a table of sines and cosines, which recipes compute.
struct SineEntry {
  TrigTable table;
  std::size_t column = 0;
};

/// One element that an encoding defines.
struct DefinedElement {
  std::string role;     ///< of its tensor: "cos"
  std::string meaning;  ///< "cosine of pair 3"
  Real truth;
  std::optional<SineEntry> sine = std::nullopt;        ///< of a plain table of sines
  std::optional<std::int64_t> integer = std::nullopt;  ///< of an element that is one by definition
};

/// The elements that are meant, one tensor after another, the first of each role. At least one.
/// \throws InputError for a position, pair, head, column or role that there is not, one that is missing, and
/// one that nothing here has \param source what to call the encoding in sentences
std::vector<DefinedElement> defined_elements(const Encoding& encoding, const ElementWish& wish,
                                             const std::string& source);

/// The number of a format nearest to an element, its neighbours, and where the truth lies.
struct NearestNumber {
  Format format = Format::binary64;
  double nearest = 0;
  double below = 0;  ///< the next number of the format below the nearest one
  double above = 0;  ///< the next one above it
  /// The truth less the nearest number, in ulp of the truth; 0 where it is exact or the cap of Ziv's loop
  /// does not tell the two apart; nothing where the nearest number is not finite.
  std::optional<double> beyond = std::nullopt;
  bool is_exact = false;     ///< the truth is that number, proved
  bool is_midpoint = false;  ///< the truth is half way to a neighbour
  /// How hard it is to round right: the bits beyond those of the format after which the truth and the
  /// midpoint of its two numbers differ, >= 1; nothing where one of them is not finite, or the truth is the
  /// midpoint itself.
  std::optional<int> bits_beyond = std::nullopt;
};

/// A phase as argument reduction sees it: quarter_turns pi/2 + rest, |rest| <= pi/4.
struct ReducedPhase {
  std::string quarter_turns;  ///< an integer
  double rest = 0;            ///< in radians, to an ulp or so
};

/// Nothing for a phase up to pi/4, and where the nearest multiple of pi/2 is undecided.
std::optional<ReducedPhase> reduced_phase(const Real& phase);

/// What a recipe computes in the place of an element.
struct RecipeValue {
  const Recipe* recipe = nullptr;
  Format stored = Format::binary64;
  double got = 0;
  /// The same where sine and cosine are rounded correctly, not as this C library does; nothing: undecided.
  std::optional<double> correct_library = std::nullopt;
  double error = 0;              ///< got - truth
  double ulps = 0;               ///< the same in ulp of the truth in the stored format
  Budget budget = {};            ///< of the recipe's contract
  double budget_ratio = 0;       ///< |error| / budget
  bool is_inconclusive = false;  ///< the budget proves nothing
};

/// One element of an encoding and its truth in all forms.
struct ElementValue {
  std::string role;
  std::string meaning;
  std::optional<std::int64_t> integer = std::nullopt;  ///< of an element that is one by definition
  int digits = 0;                                      ///< decimal places of the decimals here
  /// Rounded to so many places, proved; nothing: undecided at the cap of Ziv's loop.
  std::optional<std::string> truth = std::nullopt;
  std::optional<std::string> frequency = std::nullopt;  ///< of a sine or cosine, in radians a position
  std::optional<std::string> phase = std::nullopt;      ///< of a sine or cosine, in radians
  std::optional<ReducedPhase> reduced = std::nullopt;   ///< of a phase beyond pi/4
  /// One a format, widest first; nothing where the rounding is undecided.
  std::vector<std::optional<NearestNumber>> nearest = {};
  std::optional<RecipeValue> by_recipe = std::nullopt;
};

/// How a recipe is asked for an element.
struct RecipeWish {
  const Recipe* recipe;
  Format stored;
};

/// \param element of `position` \param digits decimal places, in [0, 1000]
/// \throws InputError where a recipe is wished and the element is no entry of a table of sines
ElementValue element_value(const DefinedElement& element, std::int64_t position, int digits,
                           const std::optional<RecipeWish>& wish);

/// The elements of one position, in words: a heading, and for each element its truth, the nearest number of
/// each format with its neighbours, and what the recipe computes.
std::string element_text(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values);

/// The same as JSON.
std::string element_json(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values);

}  // namespace vernier
