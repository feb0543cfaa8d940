/* spur_file.c - reads the file of a spur list, and adds to it. */
#include "daemon/calibration/spur_file.h"

#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/files/text_file.h"

static int read_text(struct text *out, const char *path, bool own, struct reason *why)
{
    return own ? text_file_read_own(out, path, SPUR_LIST_BYTES_MAX, why)
               : text_file_read(out, path, SPUR_LIST_BYTES_MAX, why);
}

int spur_file_read(struct spur_list *out, const char *path, bool own, struct reason *why)
{
    struct text text = {0};
    int err = read_text(&text, path, own, why);
    *out = (struct spur_list){0};
    if (err == 0)
        err = spur_list_parse(out, text.data, text.length, path, why);
    text_finish(&text);
    return err;
}

static int join(struct text *out, const struct text *lines, const char *path, struct reason *why)
{
    struct spur_list list;
    if (out->length > 0 && out->data[out->length - 1] != '\n')
        text_add_bytes(out, "\n", 1);
    text_add_bytes(out, lines->data, lines->length);
    if (out->failed)
        return reason_set(why, -ENOMEM, "%s: no memory", path);
    const int err = spur_list_parse(&list, out->data, out->length, path, why);
    spur_list_finish(&list);
    return err;
}

int spur_file_add(const char *path, bool own, const struct text *lines, struct reason *why)
{
    struct text text = {0};
    int err = read_text(&text, path, own, why);
    if (err == 0 || err == -ENOENT)
        err = join(&text, lines, path, why);
    if (err == 0)
        err = own ? text_file_replace_own(path, &text, why) : text_file_replace(path, &text, why);
    text_finish(&text);
    return err;
}
