/*
 * fail_alloc.c - a preloaded library in which allocations fail.
 *
 *     FFTD_FAIL_FROM=k    every allocation from the k-th on fails (k from 1)
 *     FFTD_FAIL_ONCE=k    the k-th one alone
 *
 * Allocations are malloc, calloc, realloc, posix_memalign, aligned_alloc and mmap, of the program
 * and of its libraries, in all threads. If one failed, the file FFTD_FAIL_REPORT exists afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Parameters of stand-ins have the names of glibc's headers. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static atomic_long calls;
static long from, once;

__attribute__((constructor)) static void read_environment(void)
{
    const char *a = getenv("FFTD_FAIL_FROM"), *b = getenv("FFTD_FAIL_ONCE");
    from = a ? atol(a) : 0;
    once = b ? atol(b) : 0;
    atomic_store(&calls, 0);
}

static void report(void)
{
    const char *path = getenv("FFTD_FAIL_REPORT");
    const int fd = path ? open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        close(fd);
}

static bool fails(void)
{
    const long call = atomic_fetch_add(&calls, 1) + 1;
    const bool failed = (from && call >= from) || call == once;
    if (failed && (call == from || call == once))
        report();
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size)
{
    return fails() ? NULL : __libc_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size)
{
    return fails() ? NULL : __libc_realloc(ptr, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    *memptr = __libc_memalign(alignment, size);
    return *memptr ? 0 : ENOMEM;
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    if (fails())
        return MAP_FAILED;
#ifdef SYS_mmap2 /* 32 bits: the offset in pages of 4096 bytes */
    return (void *)syscall(SYS_mmap2, addr, len, prot, flags, fd, offset / 4096);
#else
    return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
#endif
}
