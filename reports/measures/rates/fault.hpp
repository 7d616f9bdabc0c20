#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/draw.hpp"

namespace vernier::rates {

/// Where a fault can be seen.
enum class Shows {
  values,    ///< in the answer to a question about the whole context, beyond the budget of some element
  spread,    ///< there too, but within the budget of each element: only their pattern betrays it
  questions  ///< in what other questions get: judged live only
};

/// What was done to a design.
struct Planted {
  std::string words;                       ///< the parameters: "by 3 from position 714 on"
  std::vector<std::int64_t> telling = {};  ///< positions at which it shows most, if only some show it
  /// The ids of findings that name it rightly, where parameters decide: see Fault::names.
  std::vector<std::string_view> names = {};
};

/// A kind of fault that people ship: a row of faults/faults.json, whose formulas take the place of stages.
struct Fault {
  std::string_view id;           ///< "block-from-zero"
  std::string_view description;  ///< the fault, as its author would put it
  Shows shows;
  /// The ids of findings (numerics/diagnosis) that name it rightly: several where tensors cannot tell them
  /// apart. None where no edit of the computation describes it, so that it should stay unexplained.
  std::vector<std::string_view> names;
  /// What only has it: see is_of(). Empty: most designs can have it.
  std::string_view of;
  const OrderedJson* row;

  /// What it spoils: "positions". Faults of one group get in each other's way.
  std::string_view group() const { return id.substr(0, id.find('/')); }
  /// Plants it with drawn parameters; nothing where such a design cannot have it, or would not show it.
  std::optional<Planted> plant(Draw& draw, Design& design) const;
};

/// All kinds, grouped by the stage that each spoils.
const std::vector<Fault>& faults();

/// Lets a design compute by a formula that faults edit, as it is without them. \param id of a template of the
/// catalogue: "t5"
void compute_by(std::string_view id, Draw& draw, Design& design);

/// \name What plants are made of
/// @{
/// A position of the context that is not its first.
std::int64_t draw_position(Draw& draw, const Design& design);
std::int64_t least_position(const Design& design);
std::int64_t greatest_position(const Design& design);
/// One of the tensors that the encoding can be asked for: "cos", "rotated" ...
std::string draw_role(Draw& draw, const Design& design);
/// Whether it has rows of one position each, that a position decides: no slopes, biases or buckets.
bool has_rows(const Design& design);
/// Whether its frequencies are numbers that it multiplies positions by, of tables of one position.
bool has_products(const Design& design);
/// Whether no element tells the cosines of a pair from those of one that does not turn.
/// \pre has_products(design)
bool hardly_turns(const Design& design, std::size_t pair);
/// Appends a stage that maps each place on its own.
void map_places(Design& design, std::function<double(double place)> map);
std::string number(double value);
/// @}

}  // namespace vernier::rates
