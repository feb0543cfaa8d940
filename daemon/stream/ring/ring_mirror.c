/* ring_mirror.c - maps the same memory twice in a row. */
#include "daemon/stream/ring/ring_mirror.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"

static int call_failed(struct reason *why, const char *call)
{
    const int err = errno;
    return reason_set(why, -err, "%s: %s", call, strerror(err));
}

/* A memfd of this size, or -errno. */
static int make_file(size_t bytes, struct reason *why)
{
    const int fd = memfd_create("fftd-iq-ring", MFD_CLOEXEC);
    if (fd < 0)
        return call_failed(why, "memfd_create");
    if (ftruncate(fd, (off_t)bytes) == 0)
        return fd;
    const int err = call_failed(why, "ftruncate of a memfd");
    close(fd);
    return err;
}

/* Both halves are populated here: a page fault in the source thread could lose samples. */
static bool map_file(unsigned char *base, size_t bytes, int fd)
{
    const int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED | MAP_POPULATE;
    return mmap(base, bytes, access, flags, fd, 0) != MAP_FAILED &&
           mmap(base + bytes, bytes, access, flags, fd, 0) != MAP_FAILED;
}

/* mremap of a shared mapping with an old size of 0 maps it a second time. */
static bool map_anonymous(unsigned char *base, size_t bytes)
{
    const int access = PROT_READ | PROT_WRITE;
    const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE;
    if (mmap(base, bytes, access, flags, -1, 0) == MAP_FAILED ||
        mremap(base, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base + bytes) == MAP_FAILED)
        return false;
    memset(base + bytes, 0, bytes); /* populates it: mremap does not */
    return true;
}

/* fd < 0: there is no memfd, for the reason in `why`. */
static int map_twice(unsigned char **out, size_t bytes, int fd, struct reason *why)
{
    unsigned char *base = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return call_failed(why, "mmap");
    if (fd >= 0 ? map_file(base, bytes, fd) : map_anonymous(base, bytes)) {
        *out = base;
        return 0;
    }
    const int err = errno;
    munmap(base, 2 * bytes);
    if (fd >= 0)
        return reason_set(why, -err, "mmap: %s", strerror(err));
    reason_add(why, "; mremap of an anonymous mapping: %s", strerror(err));
    return -err;
}

int mirror_map(unsigned char **out, size_t bytes, struct reason *why)
{
    struct reason what = {0};
    const int fd = make_file(bytes, &what);
    *out = NULL;
    const int err = map_twice(out, bytes, fd, &what);
    if (fd >= 0)
        close(fd);
    if (err < 0)
        return reason_set(why, err, "%s", what.sentence);
    if (fd < 0)
        log_limited(LOG_PRIORITY_INFO, "%s: the ring of raw samples uses an anonymous mapping",
                    what.sentence);
    return 0;
}
