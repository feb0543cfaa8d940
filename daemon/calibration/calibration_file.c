/* calibration_file.c - reads the file of a calibration table, and replaces it as a whole. */
#include "daemon/calibration/calibration_file.h"

#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/files/text_file.h"

int calibration_file_read(struct calibration *out, const char *path, struct reason *why)
{
    struct text text = {0};
    int err = text_file_read(&text, path, CALIBRATION_BYTES_MAX, why);
    *out = (struct calibration){0};
    if (err == 0)
        err = calibration_parse(out, text.data, text.length, path, why);
    text_finish(&text);
    return err;
}

typedef int edit_function(struct text *out, const char *text, size_t size,
                          const struct calibration_entry *entry, struct reason *why);

static int edit_file(edit_function *edit, const char *path, const struct calibration_entry *entry,
                     struct reason *why)
{
    struct text old = {0}, new = {0};
    int err = text_file_read(&old, path, CALIBRATION_BYTES_MAX, why);
    if (err == 0 || err == -ENOENT)
        err = edit(&new, old.data, old.length, entry, why);
    if (err == 0)
        err = text_file_replace(path, &new, why);
    text_finish(&old);
    text_finish(&new);
    return err;
}

int calibration_file_set_row(const char *path, const struct calibration_entry *entry,
                             struct reason *why)
{
    return edit_file(calibration_set_row, path, entry, why);
}

int calibration_file_set_ppm(const char *path, const struct calibration_entry *entry,
                             struct reason *why)
{
    return edit_file(calibration_set_ppm, path, entry, why);
}
