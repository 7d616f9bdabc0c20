// What the compiler's C++ library, and what is compiled against Debian 11, ask of a C library newer than 2.28, from what
// 2.28 has. .ci/wheel-sysroot compiles it, .ci/wheel.cmake links it into all that a wheel holds.
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

// Of 2.32: 0 says that there may be other threads, whether there are or not.
char __libc_single_threaded = 0;

// Of 2.36.
unsigned arc4random(void) {
  unsigned drawn;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) {
    abort();
  }
  return drawn;
}

// Of 2.30: the time that is left, by the clock that 2.28 waits by.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  struct timespec now;
  struct timespec end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += until->tv_sec - now.tv_sec;
  end.tv_nsec += until->tv_nsec - now.tv_nsec;
  end.tv_sec += end.tv_nsec >= 1000000000 ? 1 : end.tv_nsec < 0 ? -1 : 0;
  end.tv_nsec += end.tv_nsec >= 1000000000 ? -1000000000 : end.tv_nsec < 0 ? 1000000000 : 0;
  return pthread_cond_timedwait(condition, mutex, &end);
}

// Of 2.29 are versions that report errors otherwise and have the same values. The linker takes these instead (--wrap).
#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif
#define OLD_FUNCTION(name, parameters, arguments)                    \
  double old_##name parameters;                                      \
  __asm__(".symver old_" #name "," #name "@" FIRST_VERSION);         \
  double __wrap_##name parameters { return old_##name arguments; }

OLD_FUNCTION(exp, (double x), (x))
OLD_FUNCTION(exp2, (double x), (x))
OLD_FUNCTION(log, (double x), (x))
OLD_FUNCTION(log2, (double x), (x))
OLD_FUNCTION(pow, (double x, double y), (x, y))
