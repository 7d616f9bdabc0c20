/* Preloaded into a program that is tried (LD_PRELOAD): counts the calls by which it asks the system for
 * memory, files, processes, threads and the time, tells their sites apart, and lets one of them fail.
 * inject.py runs it.
 *
 * VERNIER_INJECT_RECORD=FILE: when the program ends, a line for each site that called: kind, site, index of
 * its first call among those of the kind, number of calls, places.
 * VERNIER_INJECT_COUNT=FILE: the same, as if all calls of a kind had one site; a call takes 20 ns, not 2 us.
 * VERNIER_INJECT_FAIL=KIND:SITE:MODE or KIND:#INDEX:MODE: the first call of the site, or the call of the
 * index, fails.
 * VERNIER_INJECT_LOG=FILE: a line when that happened: kind, site, index, places.
 * VERNIER_INJECT_MODULE=NAME: only calls that pass through a module of this name; without it every call
 * counts.
 *
 * A site is the hash of the innermost places, relative to their module, in the program (or in the module)
 * that a call passes through. The variables and LD_PRELOAD are removed at the start: what the program starts
 * is left alone, and so is what it forks.
 *
 * Modes. once: this call fails with the kind's error. on: so do all later ones of the kind. short: half is
 * transferred. half: half is transferred, and later calls fail. interrupted: EINTR. A number for clocks:
 * seconds that they jump by from here on, "r" after it for the time of day alone. lost, abort, hang, keep:
 * faults of a broken program, which inject.py must notice. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

enum Kind {
  alloc_kind,
  open_kind,
  read_kind,
  write_kind,
  sync_kind,
  close_kind,
  name_kind,
  map_kind,
  stat_kind,
  process_kind,
  thread_kind,
  clock_kind,
  kinds
};
static const char* const kind_names[kinds] = {"alloc", "open", "read", "write",   "sync",   "close",
                                              "name",  "map",  "stat", "process", "thread", "clock"};
static const int kind_errors[kinds] = {ENOMEM, EMFILE, EIO, ENOSPC, EIO,    EIO,
                                       ENOSPC, ENOMEM, EIO, EAGAIN, EAGAIN, 0};

enum Mode {
  no_mode,
  once,
  on,
  short_transfer,
  half_transfer,
  interrupted,
  jump,
  lost,
  abort_mode,
  hang,
  keep
};
static const char* const mode_names[] = {"",     "once", "on",    "short", "half", "interrupted",
                                         "jump", "lost", "abort", "hang",  "keep"};

enum { most_frames = 48, hashed_frames = 4, table_size = 1 << 18 };

typedef struct Site {
  uint64_t hash;
  uint64_t first, count;
  unsigned kind;
  char places[160];
} Site;

static atomic_int active;
static atomic_uint_fast64_t counts[kinds];
static Site* table;
static atomic_flag table_lock = ATOMIC_FLAG_INIT;
static char record_file[4096], log_file[4096], module[64];
static enum Kind fail_kind = kinds;
static enum Mode mode;
static uint64_t fail_site, fail_index;
static int by_index, by_kind, only_time_of_day;
static long jump_seconds;
static atomic_int fired;
static struct dl_find_object own; /* where this file lies */
static __thread int inside __attribute__((tls_model("initial-exec")));

/* The innermost frames of the program (or of the module), and those of any file. */
typedef struct Frames {
  unsigned walked, count, of_any;
  uintptr_t at[hashed_frames], at_any[hashed_frames];
} Frames;

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context* context, void* passed) {
  Frames* frames = passed;
  const uintptr_t at = (uintptr_t)_Unwind_GetIP(context);
  struct dl_find_object found;
  if (_dl_find_object((void*)at, &found) == 0 && found.dlfo_link_map != own.dlfo_link_map) {
    const char* name = base_name(found.dlfo_link_map->l_name);
    if (module[0] == 0 ? name[0] == 0 : strncmp(name, module, strlen(module)) == 0) {
      frames->at[frames->count++] = at;
    }
    if (frames->of_any < hashed_frames) {
      frames->at_any[frames->of_any++] = at;
    }
  }
  return ++frames->walked == most_frames || frames->count == hashed_frames ? _URC_END_OF_STACK
                                                                           : _URC_NO_REASON;
}

/* Where this call comes from: no frame if it does not pass through the module. */
static Frames frames_here(void) {
  Frames frames = {.count = 0};
  _Unwind_Backtrace(note_frame, &frames);
  if (frames.count == 0 && module[0] == 0) {
    frames.count = frames.of_any;
    memcpy(frames.at, frames.at_any, sizeof frames.at);
  }
  return frames;
}

static uint64_t site_of(const Frames* frames) {
  uint64_t hash = 14695981039346656037U;
  for (unsigned i = 0; i < frames->count; ++i) {
    struct dl_find_object found;
    _dl_find_object((void*)frames->at[i], &found);
    const uintptr_t offset = frames->at[i] - found.dlfo_link_map->l_addr;
    for (const char* c = base_name(found.dlfo_link_map->l_name); *c != 0; ++c) {
      hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    }
    for (unsigned byte = 0; byte < sizeof offset; ++byte) {
      hash = (hash ^ (offset >> (8 * byte) & 0xff)) * 1099511628211U;
    }
  }
  return hash;
}

static void tell_places(const Frames* frames, char* places, size_t room) {
  size_t used = 0;
  for (unsigned i = 0; i < frames->count && used < room; ++i) {
    struct dl_find_object found;
    _dl_find_object((void*)frames->at[i], &found);
    used += (size_t)snprintf(places + used, room - used, "%s%s+%lx", used == 0 ? "" : " ",
                             base_name(found.dlfo_link_map->l_name),
                             (unsigned long)(frames->at[i] - found.dlfo_link_map->l_addr));
  }
}

static void record(enum Kind kind, uint64_t hash, uint64_t index, const Frames* frames) {
  while (atomic_flag_test_and_set(&table_lock)) {
  }
  for (size_t i = (hash + kind) % table_size;; i = (i + 1) % table_size) {
    Site* site = &table[i];
    if (site->count == 0) {
      *site = (Site){.hash = hash, .first = index, .kind = kind};
      tell_places(frames, site->places, sizeof site->places);
    }
    if (site->hash == hash && site->kind == kind) {
      ++site->count;
      break;
    }
  }
  atomic_flag_clear(&table_lock);
}

static void write_log(enum Kind kind, uint64_t index) {
  if (log_file[0] == 0) {
    return;
  }
  const Frames frames = frames_here();
  char places[160] = "";
  tell_places(&frames, places, sizeof places);
  char line[512];
  const int size = snprintf(line, sizeof line, "%s %016lx %lu %s\n", kind_names[kind],
                            (unsigned long)site_of(&frames), (unsigned long)index, places);
  int (*real_open)(const char*, int, ...) = dlsym(RTLD_NEXT, "open");
  ssize_t (*real_write)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  int (*real_close)(int) = dlsym(RTLD_NEXT, "close");
  const int file = real_open(log_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0) {
    if (real_write(file, line, (size_t)size) != size) {
      _exit(99);
    }
    real_close(file);
  }
}

/* Notes a call. Returns how it is to fail: no_mode if not. */
static __attribute__((noinline)) enum Mode note(enum Kind kind) {
  if (!atomic_load(&active) || inside) {
    return no_mode;
  }
  inside = 1;
  const int saved_errno = errno;
  enum Mode result = no_mode;
  const int is_recording = record_file[0] != 0;
  const int may_fail = kind == fail_kind && !atomic_load(&fired);
  const int has_site = (is_recording && !by_kind) || (may_fail && !by_index) || module[0] != 0;
  const Frames frames = has_site ? frames_here() : (Frames){.count = 0};
  if (module[0] == 0 || frames.count > 0) {
    const uint64_t hash = has_site ? site_of(&frames) : 0;
    const uint64_t index = atomic_fetch_add(&counts[kind], 1);
    if (is_recording) {
      record(kind, hash, index, &frames);
    }
    if (may_fail && (by_index ? index == fail_index : hash == fail_site) && !atomic_exchange(&fired, 1)) {
      write_log(kind, index);
      result = mode;
    } else if (kind == fail_kind && atomic_load(&fired) && (mode == on || mode == half_transfer)) {
      result = on;
    }
  }
  inside = 0;
  errno = saved_errno;
  if (result == abort_mode) {
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  if (result == hang) {
    for (;;) {
      pause();
    }
  }
  return result;
}

/* Whether a call fails that can do nothing but that. */
static int fails(enum Kind kind) {
  const enum Mode how = note(kind);
  if (how == interrupted) {
    errno = EINTR;
  } else if (how != no_mode) {
    errno = kind_errors[kind];
  }
  return how == once || how == on || how == interrupted;
}

static void write_record(void) {
  if (record_file[0] == 0 || !atomic_exchange(&active, 0)) {
    return;
  }
  FILE* file = fopen(record_file, "w");
  for (size_t i = 0; file != NULL && i < table_size; ++i) {
    if (table[i].count > 0) {
      fprintf(file, "%s %016lx %lu %lu %s\n", kind_names[table[i].kind], (unsigned long)table[i].hash,
              (unsigned long)table[i].first, (unsigned long)table[i].count, table[i].places);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
}

static void leave_alone(void) {
  atomic_store(&active, 0);
}

static void take(const char* variable, char* value, size_t room) {
  const char* given = getenv(variable);
  if (given != NULL) {
    strncpy(value, given, room - 1);
    unsetenv(variable);
  }
}

__attribute__((constructor)) static void start(void) {
  char fail[128] = "";
  take("VERNIER_INJECT_RECORD", record_file, sizeof record_file);
  by_kind = record_file[0] == 0;
  if (by_kind) {
    take("VERNIER_INJECT_COUNT", record_file, sizeof record_file);
  }
  take("VERNIER_INJECT_FAIL", fail, sizeof fail);
  take("VERNIER_INJECT_LOG", log_file, sizeof log_file);
  take("VERNIER_INJECT_MODULE", module, sizeof module);
  unsetenv("LD_PRELOAD");
  if (record_file[0] == 0 && fail[0] == 0) {
    return;
  }
  char* site = strchr(fail, ':');
  char* how = site == NULL ? NULL : strchr(site + 1, ':');
  if (how != NULL) {
    *site++ = 0;
    *how++ = 0;
    for (int kind = 0; kind < kinds; ++kind) {
      fail_kind = strcmp(fail, kind_names[kind]) == 0 ? (enum Kind)kind : fail_kind;
    }
    by_index = site[0] == '#';
    fail_index = by_index ? strtoul(site + 1, NULL, 10) : 0;
    fail_site = by_index ? 0 : strtoul(site, NULL, 16);
    for (unsigned i = 1; i < sizeof mode_names / sizeof *mode_names; ++i) {
      mode = strcmp(how, mode_names[i]) == 0 ? (enum Mode)i : mode;
    }
    if (mode == no_mode) {
      mode = jump;
      jump_seconds = strtol(how, NULL, 10);
      only_time_of_day = how[strlen(how) - 1] == 'r';
    }
  }
  _dl_find_object((void*)start, &own);
  table = mmap(NULL, table_size * sizeof(Site), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_atfork(NULL, NULL, leave_alone);
  atexit(write_record);
  atomic_store(&active, 1);
}

#define REAL(name)                  \
  static __typeof__(&name) real;    \
  if (real == NULL) {               \
    real = dlsym(RTLD_NEXT, #name); \
  }

/* Memory. */
void* malloc(size_t size) {
  REAL(malloc)
  return fails(alloc_kind) ? NULL : real(size);
}
void* calloc(size_t count, size_t size) {
  REAL(calloc)
  return fails(alloc_kind) ? NULL : real(count, size);
}
void* realloc(void* old, size_t size) {
  REAL(realloc)
  return fails(alloc_kind) ? NULL : real(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  REAL(aligned_alloc)
  return fails(alloc_kind) ? NULL : real(alignment, size);
}
void* memalign(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size) {
  REAL(memalign)
  return fails(alloc_kind) ? NULL : real(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  REAL(posix_memalign)
  return fails(alloc_kind) ? ENOMEM : real(result, alignment, size);
}
#ifdef VERNIER_INJECT_NEW
/* For LeakSanitizer, whose own operator new would pass malloc by. */
_Noreturn void _ZSt17__throw_bad_allocv(void);
void* _Znwm(size_t size);
void* _Znwm(size_t size) {
  void* result = malloc(size);
  if (result == NULL) {
    _ZSt17__throw_bad_allocv();
  }
  return result;
}
void* _Znam(size_t size);
void* _Znam(size_t size) {
  return _Znwm(size);
}
#endif

/* Files and folders. What is written to standard error is left alone: the sentence must come. */
static mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}
int open(const char* path, int flags, ...) {
  REAL(open)
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = mode_of(flags, rest);
  va_end(rest);
  return fails(open_kind) ? -1 : real(path, flags, permissions);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat(int folder, const char* path, int flags, ...) {
  REAL(openat)
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = mode_of(flags, rest);
  va_end(rest);
  return fails(open_kind) ? -1 : real(folder, path, flags, permissions);
}
FILE* fopen(const char* path, const char* how) {
  REAL(fopen)
  return fails(open_kind) ? NULL : real(path, how);
}
FILE* fopen64(const char* path, const char* how) __attribute__((alias("fopen")));
DIR* opendir(const char* path) {
  REAL(opendir)
  return fails(open_kind) ? NULL : real(path);
}
DIR* fdopendir(int folder) {
  REAL(fdopendir)
  return fails(open_kind) ? NULL : real(folder);
}
int mkdir(const char* path, mode_t permissions) {
  REAL(mkdir)
  return fails(name_kind) ? -1 : real(path, permissions);
}
char* mkdtemp(char* pattern) {
  REAL(mkdtemp)
  return fails(name_kind) ? NULL : real(pattern);
}
int rename(const char* from, const char* to) {
  REAL(rename)
  return fails(name_kind) ? -1 : real(from, to);
}
int close(int file) {
  REAL(close)
  /* The descriptor is closed whatever close says. */
  const int failed = fails(close_kind);
  const int result = real(file);
  if (failed) {
    errno = kind_errors[close_kind];
  }
  return failed ? -1 : result;
}
int fsync(int file) {
  REAL(fsync)
  return fails(sync_kind) ? -1 : real(file);
}

ssize_t read(int file, void* bytes, size_t size) {
  REAL(read)
  const enum Mode how = note(read_kind);
  if (how == short_transfer || how == half_transfer) {
    return real(file, bytes, size > 1 ? size / 2 : size);
  }
  if (how != no_mode) {
    errno = how == interrupted ? EINTR : EIO;
    return -1;
  }
  return real(file, bytes, size);
}
ssize_t write(int file, const void* bytes, size_t size) {
  REAL(write)
  const enum Mode how = file == STDERR_FILENO ? no_mode : note(write_kind);
  if (how == short_transfer || how == half_transfer) {
    return real(file, bytes, size > 1 ? size / 2 : size);
  }
  if (how == lost) {
    return (ssize_t)size;
  }
  if (how == keep) {
    close(open("left_behind", O_WRONLY | O_CREAT, 0666));
    return real(file, bytes, size);
  }
  if (how != no_mode) {
    errno = how == interrupted ? EINTR : ENOSPC;
    return -1;
  }
  return real(file, bytes, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  REAL(writev)
  return fails(write_kind) ? -1 : real(file, parts, count);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  REAL(fwrite)
  return file != stderr && fails(write_kind) ? 0 : real(bytes, size, count, file);
}
size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  REAL(fread)
  return fails(read_kind) ? 0 : real(bytes, size, count, file);
}
int fflush(FILE* file) {
  REAL(fflush)
  return file != stderr && fails(write_kind) ? EOF : real(file);
}
int putc(int c, FILE* file) {
  REAL(putc)
  return file != stderr && fails(write_kind) ? EOF : real(c, file);
}
ssize_t sendmsg(int socket, const struct msghdr* message, int flags) {
  REAL(sendmsg)
  return fails(write_kind) ? -1 : real(socket, message, flags);
}
ssize_t recv(int socket, void* bytes, size_t size, int flags) {
  REAL(recv)
  return fails(read_kind) ? -1 : real(socket, bytes, size, flags);
}
int ftruncate(int file, off_t size) {
  REAL(ftruncate)
  return fails(map_kind) ? -1 : real(file, size);
}

int stat(const char* path, struct stat* status) {
  REAL(stat)
  return fails(stat_kind) ? -1 : real(path, status);
}
int lstat(const char* path, struct stat* status) {
  REAL(lstat)
  return fails(stat_kind) ? -1 : real(path, status);
}
int fstat(int file, struct stat* status) {
  REAL(fstat)
  return fails(stat_kind) ? -1 : real(file, status);
}
int fstat64(int file, struct stat64* status) {
  REAL(fstat64)
  return fails(stat_kind) ? -1 : real(file, status);
}
char* realpath(const char* path, char* result) {
  REAL(realpath)
  return fails(stat_kind) ? NULL : real(path, result);
}

/* Mappings. */
void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  REAL(mmap)
  return fails(map_kind) ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}
int mprotect(void* address, size_t size, int protection) {
  REAL(mprotect)
  return fails(map_kind) ? -1 : real(address, size, protection);
}
int memfd_create(const char* name, unsigned flags) {
  REAL(memfd_create)
  return fails(map_kind) ? -1 : real(name, flags);
}

/* Processes and threads. */
pid_t fork(void) {
  REAL(fork)
  return fails(process_kind) ? -1 : real();
}
int pipe2(int ends[2], int flags) {
  REAL(pipe2)
  return fails(process_kind) ? -1 : real(ends, flags);
}
int eventfd(unsigned value, int flags);
int eventfd(unsigned value, int flags) {
  REAL(eventfd)
  return fails(process_kind) ? -1 : real(value, flags);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
  REAL(pthread_create)
  return fails(thread_kind) ? EAGAIN : real(thread, attributes, work, argument);
}

/* Clocks. */
static int jumps(int is_time_of_day) {
  const enum Mode how = note(clock_kind);
  return (how == jump || (mode == jump && atomic_load(&fired))) && (is_time_of_day || !only_time_of_day);
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  REAL(clock_gettime)
  const int result = real(clock, now);
  now->tv_sec += jumps(clock == CLOCK_REALTIME) ? jump_seconds : 0;
  return result;
}
int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  REAL(gettimeofday)
  const int result = real(now, zone);
  now->tv_sec += jumps(1) ? jump_seconds : 0;
  return result;
}
