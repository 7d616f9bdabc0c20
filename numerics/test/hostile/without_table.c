#include "hostile.h"

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  return 0;
}
