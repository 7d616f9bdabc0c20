#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// What became of a request.
enum class ResponseStatus {
  answered,     ///< every wanted tensor is there, of the wanted type and shape
  unsupported,  ///< the implementation says that it does not do this
  rejected,     ///< it computes this, but refused these positions or this input
  malformed,    ///< it answered, with something that is not what was asked for
  crashed,      ///< it died, left, or broke a limit other than time
  timed_out     ///< it did not answer within its time
};

/// Something that an implementation did besides computing its outputs.
enum class SideEffectKind {
  wrote_outside_output,
  changed_input,
  changed_floating_point_environment,
  set_floating_point_environment_when_loaded,  ///< harmless to answers: it is reset before every call
  left_output_unwritten
};

struct SideEffect {
  SideEffectKind kind;
  std::string evidence;  ///< what was seen: "16 bytes before the output"
};

/// What an implementation answered, or why there is no answer.
struct Response {
  ResponseStatus status = ResponseStatus::answered;
  std::string reason = {};  ///< one clause, unless answered: "killed by signal 11 (segmentation fault)"
  std::map<std::string, Tensor, std::less<>> tensors = {};  ///< by role; empty unless answered
  std::vector<SideEffect> side_effects = {};

  bool is_answered() const { return status == ResponseStatus::answered; }
};

}  // namespace vernier
