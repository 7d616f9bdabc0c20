#include <stdlib.h>

#include "hostile.h"

__attribute__((constructor)) static void construct(void) {
  abort();
}

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  return honest_plugin();
}
