// Preloaded into the program: a disk that fails below one folder, a process that dies at its n-th write there,
// and a clock on the wall that is set. What to do is in a file of one page that both sides have mapped.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { BEFORE, HALF, AFTER };

struct control {
  char folder[512];
  uint64_t calls;     // how many calls have changed files in the folder
  uint64_t die_at;    // the one that kills the process, counted from 1; 0: none
  int64_t ahead_ns;   // by how much the clock on the wall is ahead
  uint32_t how;       // whether the process dies before, in the middle of, or after it
  int32_t error;      // what every such call fails with; 0: nothing
  uint32_t delay_us;  // how long each takes
  uint32_t deaths;    // how many processes have died of it
  uint64_t at_ns[256];  // when the last calls began, by their number, on the monotonic clock
};

static struct control *control;

__attribute__((constructor)) static void map_control(void) {
  const char *path = getenv("FAULTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_ours_by_name(const char *path) {
  if (!control || !*control->folder) return 0;
  char whole[PATH_MAX];
  if (*path != '/') {
    if (!getcwd(whole, sizeof whole / 2)) return 0;
    strcat(whole, "/");
    strncat(whole, path, sizeof whole / 2 - 2);
    path = whole;
  }
  return !strncmp(path, control->folder, strlen(control->folder));
}

static int is_ours(int file) {
  if (!control || !*control->folder) return 0;
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return !strncmp(path, control->folder, strlen(control->folder));
}

static void die(void) {
  __atomic_add_fetch(&control->deaths, 1, __ATOMIC_SEQ_CST);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call that changes the disk; returns whether it is the last one of this process.
static int is_last(void) {
  if (control->delay_us) usleep(control->delay_us);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t next = __atomic_load_n(&control->calls, __ATOMIC_SEQ_CST) + 1;
  control->at_ns[next % 256] = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
  uint64_t number = __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
  int last = control->die_at && number == control->die_at;
  if (last && control->how == BEFORE) die();
  return last;
}

static int fails(void) {
  if (control->error) errno = control->error;
  return control->error != 0;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRITES(name, parameters, file, whole, half) \
  ssize_t name parameters { \
    REAL(name); \
    if (!is_ours(file)) return real whole; \
    int last = is_last(); \
    if (fails()) return -1; \
    if (last && control->how == HALF) { real half; die(); } \
    ssize_t done = real whole; \
    if (last) die(); \
    return done; \
  }

WRITES(write, (int file, const void *data, size_t size), file, (file, data, size), (file, data, size / 2))
WRITES(pwrite, (int file, const void *data, size_t size, off_t at), file, (file, data, size, at), (file, data, size / 2, at))
WRITES(pwrite64, (int file, const void *data, size_t size, off64_t at), file, (file, data, size, at), (file, data, size / 2, at))

#define CHANGES(name, parameters, ours, whole) \
  int name parameters { \
    REAL(name); \
    if (!(ours)) return real whole; \
    int last = is_last(); \
    if (fails()) return -1; \
    int done = real whole; \
    if (last) die(); \
    return done; \
  }

CHANGES(ftruncate, (int file, off_t size), is_ours(file), (file, size))
CHANGES(ftruncate64, (int file, off64_t size), is_ours(file), (file, size))
CHANGES(rename, (const char *from, const char *to), is_ours_by_name(to), (from, to))
CHANGES(unlink, (const char *path), is_ours_by_name(path), (path))

// A full disk syncs what it has; one that fails or is read-only does not.
#define SYNCS(name) \
  int name(int file) { \
    REAL(name); \
    if (!is_ours(file)) return real(file); \
    int last = is_last(); \
    if (control->error && control->error != ENOSPC) { errno = control->error; return -1; } \
    int done = real(file); \
    if (last) die(); \
    return done; \
  }

SYNCS(fsync)
SYNCS(fdatasync)

static int may_not_open(const char *path, int flags) {
  if (!is_ours_by_name(path) || !control->error) return 0;
  int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
  struct stat found;
  int makes = flags & O_CREAT && stat(path, &found);
  if (control->error == ENOSPC ? !makes : !writes && !makes) return 0;
  errno = control->error;
  return 1;
}

static mode_t mode_of(int flags, va_list more) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = mode_of(flags, more); \
    va_end(more); \
    return may_not_open(path, flags) ? -1 : real(path, flags, mode); \
  }

OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    REAL(name); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = mode_of(flags, more); \
    va_end(more); \
    return may_not_open(path, flags) ? -1 : real(folder, path, flags, mode); \
  }

OPENS_AT(openat)
OPENS_AT(openat64)

// --- the clock on the wall; the monotonic one never jumps ---

int clock_gettime(clockid_t which, struct timespec *now) {
  REAL(clock_gettime);
  int done = real(which, now);
  if (!done && control && control->ahead_ns && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
    int64_t at_ns = now->tv_sec * INT64_C(1000000000) + now->tv_nsec + control->ahead_ns;
    now->tv_sec = at_ns / 1000000000;
    now->tv_nsec = at_ns % 1000000000;
  }
  return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec at;
  int done = clock_gettime(CLOCK_REALTIME, &at);
  now->tv_sec = at.tv_sec;
  now->tv_usec = at.tv_nsec / 1000;
  return done;
}

time_t time(time_t *where) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (where) *where = at.tv_sec;
  return at.tv_sec;
}
