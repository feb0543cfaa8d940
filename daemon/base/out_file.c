/* out_file.c - opens an output without blocking. */
#include "daemon/base/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_fifo(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

int out_file_open(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    const int fd =
        strcmp(path, "-") == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, flags, 0666);
    if (fd >= 0)
        return fd;
    /* A socket or a device may fail with ENXIO too, for another reason. */
    return errno == ENXIO && !is_fifo(path) ? -ENODEV : -errno;
}
