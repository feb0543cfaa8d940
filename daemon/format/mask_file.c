/* mask_file.c - reads the file of a mask. */
#include "daemon/format/mask_file.h"

#include "daemon/base/reason.h"
#include "daemon/files/text_file.h"

int mask_file_read(struct mask_text *out, const char *path, struct reason *why)
{
    struct text text = {0};
    int err = text_file_read(&text, path, MASK_BYTES_MAX, why);
    if (err == 0)
        err = mask_text_parse(out, text.data, text.length, path, why);
    text_finish(&text);
    return err;
}
