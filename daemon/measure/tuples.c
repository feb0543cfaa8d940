/* tuples.c - parses lists of numbers. */
#include "daemon/measure/tuples.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int parse_number(const char *text, size_t length, enum si_unit unit, double *out)
{
    char number[64];
    if (length >= sizeof number)
        return -EINVAL;
    memcpy(number, text, length);
    number[length] = '\0';
    return si_parse_unit(number, unit, out);
}

/* One tuple; *text is moved to its end. */
static int parse_tuple(const char **text, const struct tuple_form *form, double out[TUPLE_NUMBERS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < TUPLE_NUMBERS; i++)
        out[i] = NAN;
    for (;;) {
        const size_t length = strcspn(*text, ":,");
        if (count == form->most || parse_number(*text, length, form->unit[count], &out[count]) < 0)
            return -EINVAL;
        count++;
        *text += length;
        if (**text != ':')
            return count >= form->least ? 0 : -EINVAL;
        ++*text;
    }
}

int tuples_parse(const char *text, const struct tuple_form *form, double out[TUPLES][TUPLE_NUMBERS])
{
    int count = 0;
    if (!*text)
        return 0;
    for (;;) {
        if (count == TUPLES || parse_tuple(&text, form, out[count]) < 0)
            return -EINVAL;
        count++;
        if (!*text)
            return count;
        text++; /* the comma */
    }
}
