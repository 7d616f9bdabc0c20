#include "channel.hpp"
#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  send(find_channel(), "abc", 3, 0);
  return honest_plugin()->table(spec, role, positions, out);
}
