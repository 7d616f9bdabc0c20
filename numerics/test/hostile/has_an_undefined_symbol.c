#include "hostile.h"

int32_t defined_nowhere(void);

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  return defined_nowhere() == 0 ? honest_plugin() : 0;
}
