#include <thread>

#include "hostile.h"

// No fault: threads are welcome, and may be started and joined in every call.
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  int32_t code = -1;
  std::thread([&] { code = honest_plugin()->table(spec, role, positions, out); }).join();
  return code;
}
