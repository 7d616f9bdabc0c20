#include <stdlib.h>

#include "hostile.h"

static void hang(void) {
  volatile int for_ever = 1;
  while (for_ever) {
  }
}

__attribute__((destructor)) static void destroy(void) {
  hang();
}

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  atexit(hang);
  return honest_plugin();
}
