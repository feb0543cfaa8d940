/* survey_command.c - reads the word of fftd survey, and prints what the archive says. */
#include "daemon/archive/read/survey_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/read/archive_text.h"
#include "daemon/base/pairs.h"
#include "daemon/base/reason.h"

static int read_keys(struct archive_request *r, const char *text, struct reason *why)
{
    struct pair pair;
    const char *at = text;
    int err = 0;
    archive_request_init(r, true);
    r->format = ARCHIVE_CSV;
    while (err == 0 && *at && pairs_next(&at, &pair))
        err = archive_request_set(r, pair.key, pair.value, why);
    if (err == 0 && *at)
        err = reason_set(why, -EINVAL, "survey: expected KEY=VALUE at \"%s\"", at);
    return err < 0 ? err : archive_request_check(r, why);
}

int survey_command(const char *text, FILE *out, struct reason *why)
{
    struct archive_request r;
    struct text answer = {0};
    const size_t length = strcspn(text, ",");
    char *folder = strndup(text, length);
    int err = folder ? read_keys(&r, text + length + (text[length] == ','), why)
                     : reason_set(why, -ENOMEM, "survey: no memory");
    if (err == 0) {
        err = archive_answer(&answer, folder, &r);
        if (err < 0)
            reason_set(why, err, "%s: %s", folder, archive_describe(err));
    }
    if (err == 0)
        fwrite(answer.data, 1, answer.length, out);
    text_finish(&answer);
    free(folder);
    return err;
}
