#include "hostile.h"

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.name = "<b>kernel</b>\x1b]0;title\x07\xff";
  plugin.version = 0;
  return &plugin;
}
