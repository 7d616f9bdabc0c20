/* The arithmetic of aliases_in_place.c, for tensors that lie apart: it is right. */
#include "vernier_plugin.h"
#define VERNIER_ROTATES_IN_PLACE 0
#include "aliases_in_place.c"
