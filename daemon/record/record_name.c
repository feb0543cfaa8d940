/* record_name.c - names of recordings: time, centre and rate. */
#include "daemon/record/record_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "daemon/base/unix_time.h"

void record_name(struct record_start start, double center_hz, double rate_hz, unsigned copy,
                 char into[RECORD_NAME])
{
    char time[32] = "", again[16] = "", center[40] = "";
    const char *label = start.label ? start.label : "";
    const struct unix_stamp stamp = unix_time_stamp(start.time_ns);
    if (start.time_ns == RECORD_UNDATED)
        snprintf(time, sizeof time, "undated-%.3fs", fmin(fmax(start.since_s, 0), 1e12));
    else
        strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &stamp.tm);
    if (copy > 0)
        snprintf(again, sizeof again, "-%u", copy + 1);
    if (isfinite(center_hz) && center_hz > 0)
        snprintf(center, sizeof center, "_%.10gM", center_hz * 1e-6);
    snprintf(into, RECORD_NAME, "fftd_%s%s%s%s%s_%.10gk", time, again, label[0] ? "_" : "", label,
             center, rate_hz * 1e-3);
}

size_t record_name_length(const char *file, const char *suffix)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_.+-";
    const size_t length = strlen(file), tail = strlen(suffix);
    if (length <= tail || length - tail >= RECORD_NAME || strncmp(file, "fftd_", 5) != 0 ||
        strcmp(file + length - tail, suffix) != 0 || strspn(file, allowed) != length)
        return 0;
    return length - tail;
}
