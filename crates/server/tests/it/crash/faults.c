/* Makes system calls that write to a disk fail, for tests. Preloaded into the program and controlled through a shared file.
 *
 * The file holds a struct plan. A call of an armed kind on a path that contains `part` fails with `error` while `left` is
 * above zero (counting down) or below zero (until changed). `hits` counts the failures.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, FSYNC = 2, FTRUNCATE = 4, RENAME = 8 };

struct plan {
  _Atomic int32_t left;
  _Atomic int32_t calls;
  _Atomic int32_t error;
  _Atomic int32_t hits;
  char part[112];
};

static struct plan *plan;

__attribute__((constructor)) static void open_plan(void) {
  const char *path = getenv("FAULTS_PLAN");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof(struct plan), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) plan = at;
  close(fd);
}

static int fails(int call, const char *path) {
  if (!plan || !(atomic_load(&plan->calls) & call)) return 0;
  if (!strstr(path, plan->part)) return 0;
  int32_t left = atomic_load(&plan->left);
  do {
    if (left == 0) return 0;
  } while (left > 0 && !atomic_compare_exchange_weak(&plan->left, &left, left - 1));
  atomic_fetch_add(&plan->hits, 1);
  errno = atomic_load(&plan->error);
  return 1;
}

static int fails_on(int call, int fd) {
  if (!plan || !(atomic_load(&plan->calls) & call)) return 0;
  char link[32], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return path[0] == '/' && fails(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n) { return fails_on(WRITE, fd) ? -1 : NEXT(write)(fd, bytes, n); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails_on(WRITE, fd) ? -1 : NEXT(writev)(fd, v, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t at) { return fails_on(WRITE, fd) ? -1 : NEXT(pwrite)(fd, b, n, at); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t at) { return fails_on(WRITE, fd) ? -1 : NEXT(pwrite64)(fd, b, n, at); }
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at) { return fails_on(WRITE, fd) ? -1 : NEXT(pwritev)(fd, v, n, at); }
ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t at) { return fails_on(WRITE, fd) ? -1 : NEXT(pwritev64)(fd, v, n, at); }
int fsync(int fd) { return fails_on(FSYNC, fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails_on(FSYNC, fd) ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t n) { return fails_on(FTRUNCATE, fd) ? -1 : NEXT(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fails_on(FTRUNCATE, fd) ? -1 : NEXT(ftruncate64)(fd, n); }
int rename(const char *a, const char *b) { return fails(RENAME, a) || fails(RENAME, b) ? -1 : NEXT(rename)(a, b); }
int renameat(int d, const char *a, int e, const char *b) { return fails(RENAME, a) || fails(RENAME, b) ? -1 : NEXT(renameat)(d, a, e, b); }
int linkat(int d, const char *a, int e, const char *b, int f) { return fails(RENAME, b) ? -1 : NEXT(linkat)(d, a, e, b, f); }
int link(const char *a, const char *b) { return fails(RENAME, b) ? -1 : NEXT(link)(a, b); }
