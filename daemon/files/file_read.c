/* file_read.c - pread until it is done. */
#include "daemon/files/file_read.h"

#include <errno.h>
#include <unistd.h>

int file_read_at(int fd, uint64_t at, void *into, size_t bytes, size_t *done)
{
    ssize_t got = 1;
    for (*done = 0; *done < bytes && got != 0;) {
        got = pread(fd, (char *)into + *done, bytes - *done, (off_t)(at + *done));
        if (got < 0 && errno != EINTR)
            return -errno;
        *done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}
