#include "hostile.h"

/* Honest: says that it does both, and does. */
VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.capabilities = VERNIER_ROTATES_IN_PLACE | VERNIER_TAKES_STRIDES;
  return &plugin;
}
