#include "hostile.h"

__attribute__((constructor)) static void construct(void) {
  volatile int for_ever = 1;
  while (for_ever) {
  }
}

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  return honest_plugin();
}
