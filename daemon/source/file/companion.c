/* companion.c - reads the text file that a PortaPack writes beside a capture. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/files/file_read.h"
#include "daemon/format/recording/portapack.h"
#include "daemon/source/file/recording_source.h"

enum { COMPANION_MAX = 4096 }; /* bytes that matter */

/* "dir/BBD_0001.C16" becomes "dir/BBD_0001" and `suffix`. NULL: no capture of a PortaPack. */
static char *companion_path(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    char *out = NULL;
    if (!dot || (strcasecmp(dot, ".c16") != 0 && strcasecmp(dot, ".c8") != 0))
        return NULL;
    return asprintf(&out, "%.*s%s", (int)(dot - path), path, suffix) < 0 ? NULL : out;
}

/* Returns false if there is no such file. */
static bool read_companion(struct recording *r, const char *path)
{
    char text[COMPANION_MAX];
    struct portapack values;
    struct stat st;
    size_t size = 0;
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    const bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (is_file)
        file_read_at(fd, 0, text, sizeof text, &size);
    if (fd >= 0)
        close(fd);
    if (!is_file)
        return false;
    portapack_parse(text, size, &values);
    if (values.rate_hz == 0)
        log_warn("%s: it states no sample_rate", path);
    r->rate_hz = values.rate_hz;
    r->segments[0].center_hz = values.center_hz;
    return true;
}

void recording_read_companion(struct recording *r, const char *path)
{
    static const char *const suffixes[] = {".TXT", ".txt"};
    bool found = false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0] && !found; i++) {
        char *companion = companion_path(path, suffixes[i]);
        found = read_companion(r, companion);
        free(companion);
    }
}
