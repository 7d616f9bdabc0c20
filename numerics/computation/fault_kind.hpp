#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// Where in a computation a fault lies, in the order in which computations have them.
enum class Stage {
  spec,          ///< which spec was read
  mapping,       ///< which element belongs to which position, pair and component
  direction,     ///< the sense in which pairs turn, the sign of the sine or of a relative position
  frequency,     ///< the frequencies, scaled or not
  position,      ///< the numbers that frequencies are multiplied by
  phase,         ///< their products
  trigonometry,  ///< sines and cosines of phases
  amplitude,     ///< what they are multiplied by
  rotation,      ///< how vectors are multiplied by them
  slope,         ///< of biases
  bucket,        ///< of relative positions
  storage,       ///< how results are rounded and stored
  damage         ///< elements, rows or columns that were overwritten
};
std::string_view to_string(Stage stage);

/// A kind of fault, apart from the tensors that have it: what a finding of it means, and what to do. The
/// texts are those of fault_kinds.json: a new kind is an entry there.
struct FaultKind {
  std::string id;     ///< stable, of the form stage/name: "frequency/base"
  Stage stage;        ///< that the id begins with
  std::string title;  ///< what is wrong, in a few words: "a different base"
  /// What becomes of a model that has it, in one sentence or two.
  std::string means;
  /// What to change in the spec if it is intended, and where to look in the code if it is not.
  std::string advice;
  /// Public bugs of the kind: "sgl-project/sglang-jax #1472".
  std::vector<std::string> similar = {};
};

/// Every kind that can be found.
const std::vector<FaultKind>& fault_kinds();
/// Null if there is none with this id.
const FaultKind* fault_kind_named(std::string_view id);
/// \pre there is one with this id
const FaultKind& fault_kind(std::string_view id);

}  // namespace vernier
