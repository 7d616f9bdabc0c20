#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>

#include "hostile.h"
#include "vernier_process.h"

/* Whoever writes to a descriptor that is shared with Vernier, Vernier is killed. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  int on = 1;
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) {
      continue;
    }
    fcntl(descriptor, F_SETOWN, vernier_process());
    fcntl(descriptor, F_SETSIG, SIGKILL);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_ASYNC);
    ioctl(descriptor, FIOASYNC, &on);
  }
  return honest_plugin()->table(spec, role, positions, out);
}
