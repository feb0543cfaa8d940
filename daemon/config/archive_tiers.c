/* archive_tiers.c - reads the tiers of the spectrum archive: "10/s:1h,1/s:1y". */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/config/archive_options.h"
#include "daemon/config/options.h"

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

int option_check_archive_tiers(const char *text)
{
    struct archive_tiers tiers;
    return archive_tiers_parse(text, &tiers);
}
