/* calibration_file.c - reads the file of a calibration table, and replaces it as a whole. */
#include "daemon/config/calibration_file.h"

#include <errno.h>

#include "daemon/files/text_file.h"

int calibration_file_read(struct calibration *out, const char *path, char *error, size_t error_size)
{
    struct text text = {0};
    int err = text_file_read(&text, path, CALIBRATION_BYTES_MAX, error, error_size);
    *out = (struct calibration){0};
    if (err == 0)
        err = calibration_parse(out, text.data, text.length, path, error, error_size);
    text_finish(&text);
    return err;
}

typedef int edit_function(struct text *out, const char *text, size_t size,
                          const struct calibration_entry *entry, char *error, size_t error_size);

static int edit_file(edit_function *edit, const char *path, const struct calibration_entry *entry,
                     char *error, size_t error_size)
{
    struct text old = {0}, new = {0};
    int err = text_file_read(&old, path, CALIBRATION_BYTES_MAX, error, error_size);
    if (err == 0 || err == -ENOENT)
        err = edit(&new, old.data, old.length, entry, error, error_size);
    if (err == 0)
        err = text_file_replace(path, &new, error, error_size);
    text_finish(&old);
    text_finish(&new);
    return err;
}

int calibration_file_set_row(const char *path, const struct calibration_entry *entry, char *error,
                             size_t error_size)
{
    return edit_file(calibration_set_row, path, entry, error, error_size);
}

int calibration_file_set_ppm(const char *path, const struct calibration_entry *entry, char *error,
                             size_t error_size)
{
    return edit_file(calibration_set_ppm, path, entry, error, error_size);
}
