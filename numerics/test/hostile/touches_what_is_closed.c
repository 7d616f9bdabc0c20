#include <sys/mman.h>

#include "hostile.h"

/* Of its own output, which it has closed itself. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  char* const page = (char*)((uintptr_t)out->data & ~(uintptr_t)4095);
  mprotect(page, 4096, PROT_NONE);
  ((volatile char*)out->data)[3] = 1;
  return VERNIER_OK;
}
