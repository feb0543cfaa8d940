/* archive_options.c - the options of the archive, and its tiers as text: "10/s:1h,1/s:1y". */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/archive_options.h"
#include "daemon/base/si.h"
#include "daemon/option/rows.h"

enum { ITEM = 64, COARSER = 10 };

static const double day_s = 86400, year_s = 365.25 * 86400;
static const double shortest_s = 1e-3, longest_s = 100 * 365.25 * 86400;

/* Seconds, also in years: "90d", "1y". */
static int parse_age(const char *text, double *seconds)
{
    char number[ITEM];
    const size_t length = strlen(text);
    if (length > 1 && text[length - 1] == 'y') {
        memcpy(number, text, length - 1);
        number[length - 1] = '\0';
        const int err = si_parse(number, seconds);
        *seconds *= year_s;
        return err;
    }
    return si_parse_unit(text, SI_SECONDS, seconds);
}

/* Seconds, or rows in a second: "100ms", "10/s". */
static int parse_period(char *text, double *seconds)
{
    const size_t length = strlen(text);
    if (length < 3 || strcmp(text + length - 2, "/s") != 0)
        return si_parse_unit(text, SI_SECONDS, seconds);
    text[length - 2] = '\0';
    const int err = si_parse(text, seconds);
    *seconds = 1 / *seconds;
    return err;
}

/* Splits "PERIOD:AGE" in place. */
static int parse_tier(char *item, struct archive_tier *out)
{
    double period, age;
    char *colon = strchr(item, ':');
    if (!colon)
        return -EINVAL;
    *colon = '\0';
    if (parse_period(item, &period) < 0 || parse_age(colon + 1, &age) < 0)
        return -EINVAL;
    if (!(period >= shortest_s && period <= day_s && age >= period && age <= longest_s))
        return -EINVAL;
    *out = (struct archive_tier){(uint64_t)llround(period * 1e9), (uint64_t)llround(age * 1e9)};
    return 0;
}

static bool is_next(const struct archive_tier *before, const struct archive_tier *t)
{
    return t->period_ns > before->period_ns && t->age_ns >= before->age_ns;
}

static void add_coarser(struct archive_tiers *t)
{
    while (t->count < ARCHIVE_TIERS) {
        struct archive_tier next = t->tier[t->count - 1];
        next.period_ns *= COARSER;
        if ((double)next.period_ns > day_s * 1e9 || next.period_ns > next.age_ns)
            return;
        t->tier[t->count++] = next;
    }
}

int archive_tiers_parse(const char *text, struct archive_tiers *out)
{
    char item[ITEM];
    *out = (struct archive_tiers){0};
    for (;; text++) {
        text += strspn(text, " ");
        const size_t length = strcspn(text, ",");
        struct archive_tier *t = &out->tier[out->count];
        if (length >= sizeof item || out->count == ARCHIVE_TIERS)
            return -EINVAL;
        memcpy(item, text, length);
        item[length] = '\0';
        if (parse_tier(item, t) < 0 || (out->count > 0 && !is_next(t - 1, t)))
            return -EINVAL;
        out->count++;
        text += length;
        if (!*text)
            break;
    }
    add_coarser(out);
    return 0;
}

static int check_tiers(const char *text)
{
    struct archive_tiers tiers;
    return archive_tiers_parse(text, &tiers);
}

#define OPTION_OF struct archive_options

const struct config_option archive_options[] = {
    {"archive", "archive", STRING(folder, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Archive the spectra in this directory, with a resolution that decreases with "
             "age"},
    {"archive", "archive-tiers", STRING(tiers, "10/s:1h,1/s:1y"), .metavar = "LIST",
     .expected = "PERIOD:AGE,... as in 10/s:1h,1/s:1y, from short periods to long ones",
     .check = check_tiers,
     .help = "Duration of the rows of the archive, and how long to keep them. fftd adds "
             "tiers of ten times the duration, up to a day, kept as long as the last tier"},
    {"archive", "archive-columns", COUNT(columns, "4096"), .metavar = "COUNT", RANGE(16, 65536),
     .help = "Maximum number of columns in a row of the archive"},
    {"archive", "archive-step", NUMBER(step_db, "0.5"), .metavar = "DB", .unit = SI_DB,
     RANGE(0.01, 2),
     .help = "Step of the levels in the archive: the mean is exact to half of it, the maximum to "
             "all of it. A smaller step needs more space"},
    {"archive", "archive-max-bytes", BYTES(max_bytes, "0"), RANGE(1048576, 1125899906842624.0),
     .help = "Largest size of the archive; fftd deletes the oldest rows; 0 is no limit"},
    {"archive", "archive-min-free", BYTES(min_free, "256M"), RANGE(1048576, 1125899906842624.0),
     .help = "Free space that the archive leaves on the disk: rows are lost while less is left"},
    {0}};
