/* ring_mirror.c - maps one memfd twice in a row. */
#include "daemon/stream/ring_mirror.h"

#include <sys/mman.h>
#include <unistd.h>

unsigned char *mirror_map(size_t bytes)
{
    const int fd = memfd_create("fftd-iq-ring", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    unsigned char *base = MAP_FAILED;
    if (ftruncate(fd, (off_t)bytes) == 0)
        base = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int half = 0; base != MAP_FAILED && half < 2; half++) {
        void *at = base + (half ? bytes : 0);
        /* Populated here: a page fault in the source thread could lose samples. */
        if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) ==
            MAP_FAILED) {
            munmap(base, 2 * bytes);
            base = MAP_FAILED;
        }
    }
    close(fd);
    return base == MAP_FAILED ? NULL : base;
}
