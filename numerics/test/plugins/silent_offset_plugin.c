/* The example that takes blocks of positions only, but does not say so: it refuses other positions. */
#include "vernier_plugin.h"
#define VERNIER_TAKES_CONTIGUOUS_ONLY 0
#include "../../plugin/examples/offset_plugin.c"
