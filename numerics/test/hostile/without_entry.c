#include "hostile.h"

const VernierPlugin* not_the_entry(void);
const VernierPlugin* not_the_entry(void) {
  return honest_plugin();
}
