#pragma once

#include <sys/socket.h>

/// The descriptor over which Vernier asks; a plug-in has to search for it. Negative: not found.
inline int find_channel() {
  constexpr int most_descriptors = 1024;
  for (int descriptor = 0; descriptor < most_descriptors; ++descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) {
      return descriptor;
    }
  }
  return -1;
}
