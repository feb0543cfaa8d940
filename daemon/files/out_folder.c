/* out_folder.c - the folders of outputs. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/files/out_file.h"

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
