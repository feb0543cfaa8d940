/* portapack.c - reads centre and rate from lines "name=number". */
#include "daemon/format/recording/portapack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CENTER_MAX_HZ 300e9
#define RATE_MAX_HZ   10e9

enum { LINE_BYTES = 64 };

/* The number after `name` and '='; 0: another line, or not plausible. */
static double number_of(const char *line, const char *name, double most)
{
    const size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != '=')
        return 0;
    const char *number = line + length + 1;
    const size_t digits = strspn(number, "0123456789");
    if (digits == 0 || number[digits + strspn(number + digits, " \t\r")])
        return 0;
    const double value = strtod(number, NULL);
    return value <= most ? value : 0;
}

static void take_line(const char *line, struct portapack *out)
{
    const double center_hz = number_of(line, "center_frequency", CENTER_MAX_HZ);
    const double rate_hz = number_of(line, "sample_rate", RATE_MAX_HZ);
    if (center_hz > 0)
        out->center_hz = center_hz;
    if (rate_hz > 0)
        out->rate_hz = rate_hz;
}

void portapack_parse(const char *text, size_t size, struct portapack *out)
{
    *out = (struct portapack){.center_hz = NAN};
    for (size_t at = 0; at < size;) {
        char line[LINE_BYTES];
        const char *feed = memchr(text + at, '\n', size - at);
        const size_t length = feed ? (size_t)(feed - text) - at : size - at;
        if (length < sizeof line) {
            memcpy(line, text + at, length);
            line[length] = 0;
            take_line(line, out);
        }
        at += length + 1;
    }
}
