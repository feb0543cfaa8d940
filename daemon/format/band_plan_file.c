/* band_plan_file.c - reads the files of band plans and bookmarks. */
#include "daemon/format/band_plan_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/files/text_file.h"

static int read_file(struct band_plan *plan, const char *path, struct reason *why)
{
    struct text text = {0};
    int err = text_file_read(&text, path, BAND_PLAN_BYTES_MAX, why);
    if (err == 0)
        err = band_plan_add(plan, text.data, text.length, path, why);
    text_finish(&text);
    return err;
}

int band_plan_files_read(struct band_plan *out, const char *paths, struct reason *why)
{
    int err = 0;
    *out = (struct band_plan){0};
    for (const char *at = paths; err == 0 && at;) {
        char path[PATH_MAX];
        const char *end = strchr(at, ',');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (length == 0 || length >= sizeof path)
            err = reason_set(why, -EINVAL, "'%.60s': a file name is %s", paths,
                             length ? "too long" : "empty");
        snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), at);
        if (err == 0)
            err = read_file(out, path, why);
        at = end ? end + 1 : NULL;
    }
    if (err < 0)
        band_plan_finish(out);
    return err;
}
