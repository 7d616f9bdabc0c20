/* The process that is attacked: Vernier's, the parent of the one that watches this one. */
#ifndef VERNIER_TEST_VERNIER_PROCESS_H
#define VERNIER_TEST_VERNIER_PROCESS_H

#include <stdio.h>
#include <unistd.h>

static inline pid_t vernier_process(void) {
  char name[64];
  long parent = 0;
  snprintf(name, sizeof name, "/proc/%ld/stat", (long)getppid());
  FILE* file = fopen(name, "r");
  if (file == NULL || fscanf(file, "%*d (%*[^)]) %*c %ld", &parent) != 1) {
    parent = 0;
  }
  if (file != NULL) {
    fclose(file);
  }
  return (pid_t)parent;
}

#endif
