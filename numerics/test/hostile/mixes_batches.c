#include "hostile.h"

/* Says that it takes positions of each batch, and rotates all batches by those of the first. */
VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.capabilities = VERNIER_TAKES_BATCHED_POSITIONS;
  return &plugin;
}
