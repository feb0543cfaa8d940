/* out_file.c - opens an output without blocking. */
#include "daemon/base/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_fifo(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* A standard output that was closed is a file for reading alone: see standard_files.h. */
static int open_standard_output(void)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    errno = EBADF;
    return -1;
}

int out_file_open(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    const int fd = strcmp(path, "-") == 0 ? open_standard_output() : open(path, flags, 0666);
    if (fd >= 0)
        return fd;
    /* A socket or a device may fail with ENXIO too, for another reason. */
    return errno == ENXIO && !is_fifo(path) ? -ENODEV : -errno;
}

/* Systemd creates them when the service starts. */
static bool is_of_service(const char *folder)
{
    static const char *const folders[] = {"/run/fftd", "/var/lib/fftd"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strcmp(folder, folders[i]) == 0)
            return true;
    return false;
}

int out_file_check_folder(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) >= sizeof folder)
        return -ENAMETOOLONG;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    if (access(folder, W_OK | X_OK) == 0)
        return 0;
    return errno == ENOENT && is_of_service(folder) ? 0 : -errno;
}

int out_file_make_folder(const char *folder, unsigned mode)
{
    struct stat st;
    if (mkdir(folder, mode) == 0)
        return 0;
    if (errno != EEXIST)
        return -errno;
    if (stat(folder, &st) < 0)
        return -errno;
    return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int out_file_check(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &st) < 0)
        return errno == ENOENT ? out_file_check_folder(path) : -errno;
    if (S_ISDIR(st.st_mode))
        return -EISDIR;
    return access(path, W_OK) < 0 ? -errno : 0;
}
