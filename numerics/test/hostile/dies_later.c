#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const struct itimerval soon = {{0, 0}, {0, 1000}};
  signal(SIGALRM, SIG_DFL);
  setitimer(ITIMER_REAL, &soon, NULL);
  return honest_plugin()->table(spec, role, positions, out);
}
