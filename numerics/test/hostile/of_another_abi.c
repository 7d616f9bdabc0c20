#include "hostile.h"

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.abi_version = 7;
  return &plugin;
}
