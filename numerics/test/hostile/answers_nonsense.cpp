#include "channel.hpp"
#include "hostile.h"
#include "numerics/processes/runner_protocol.hpp"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  vernier::plugin_protocol::Answer answer;
  answer.sequence = 1;                                                      // of the first question
  answer.outcome = static_cast<vernier::plugin_protocol::CallOutcome>(99);  // NOLINT: nonsense
  answer.text.fill('\x1b');
  send(find_channel(), &answer, sizeof answer, 0);
  return honest_plugin()->table(spec, role, positions, out);
}
