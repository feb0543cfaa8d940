/* box_text.c - reads a box of time and frequency. */
#include "daemon/record/box_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/si.h"

/* "A:B". */
static int parse_pair(const char *text, enum si_unit unit, double *a, double *b)
{
    char first[64];
    const size_t length = strcspn(text, ":");
    if (text[length] != ':' || length >= sizeof first)
        return -EINVAL;
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    return si_parse_unit(first, unit, a) < 0 ? -EINVAL : si_parse_unit(text + length + 1, unit, b);
}

int box_text_parse(const char *text, struct box_text *out)
{
    char times[128];
    struct box_text box;
    const size_t length = strcspn(text, ",");
    if (text[length] != ',' || length >= sizeof times)
        return -EINVAL;
    snprintf(times, sizeof times, "%.*s", (int)length, text);
    if (parse_pair(times, SI_SECONDS, &box.from_s, &box.to_s) < 0 ||
        parse_pair(text + length + 1, SI_HZ, &box.low_hz, &box.high_hz) < 0)
        return -EINVAL;
    if (!(box.from_s >= 0 && box.to_s >= 0 && box.to_s <= 1e9 && box.from_s <= 1e9) ||
        !(box.low_hz < box.high_hz) || (box.to_s > 0 && box.to_s <= box.from_s))
        return -EINVAL;
    *out = box;
    return 0;
}
