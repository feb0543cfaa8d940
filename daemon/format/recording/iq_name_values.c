/* iq_name_values.c - finds centre and rate among the numbers with units in a name. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"
#include "daemon/format/recording/iq_name_parts.h"

#define RATE_USUAL_HZ 100e6 /* "868.95M" and "433M92" are no rates */

enum meaning { MEGA, CENTER, RATE };

/* Units after a number. Case matters only where it must: m is not M. */
static const struct unit {
    const char *text;
    const char *si;
    enum meaning meaning;
    bool any_case;
} units[] = {
    {"M", "M", MEGA, false},    {"G", "G", CENTER, false},  {"k", "k", RATE, true},
    {"Hz", "", CENTER, true},   {"kHz", "k", CENTER, true}, {"MHz", "M", CENTER, true},
    {"GHz", "G", CENTER, true}, {"sps", "", RATE, true},    {"ksps", "k", RATE, true},
    {"Msps", "M", RATE, true},  {"Gsps", "G", RATE, true},
};

enum { PART_MAX = 32, URH_DECIMALS = 3 };

/* A number in M without a further unit. */
struct mega {
    double value;
    bool infix; /* "1M6", not "1.6M" */
};

struct found {
    double center_hz; /* the first; NAN: none. URH writes the filter's width after it */
    double rate_hz;   /* the last; 0: none */
    struct mega before, last;
    int megas;
};

static void note(struct found *f, enum meaning meaning, double value, bool infix)
{
    if (!(value > 0 && value <= IQ_NAME_CENTER_MAX_HZ))
        return;
    if (meaning == CENTER && isnan(f->center_hz))
        f->center_hz = value;
    if (meaning == RATE && value <= IQ_NAME_RATE_MAX_HZ)
        f->rate_hz = value;
    if (meaning != MEGA)
        return;
    f->before = f->last;
    f->last = (struct mega){value, infix};
    f->megas++;
}

static size_t number_length(const char *part)
{
    const size_t whole = strspn(part, "0123456789");
    if (whole == 0 || part[whole] != '.')
        return whole;
    const size_t fraction = strspn(part + whole + 1, "0123456789");
    return fraction ? whole + 1 + fraction : whole;
}

/* "1M6": the letter stands for the decimal point. */
static bool take_infix(struct found *f, const char *part, size_t whole)
{
    const char *rest = part + whole + 1;
    char number[PART_MAX + 4];
    double value = 0;
    if (part[whole] == 0 || !strchr("MkG", part[whole]) || *rest == 0 ||
        strspn(rest, "0123456789") != strlen(rest))
        return false;
    snprintf(number, sizeof number, "%.*s.%s%c", (int)whole, part, rest, part[whole]);
    if (si_parse(number, &value) < 0)
        return false;
    note(f, part[whole] == 'M' ? MEGA : part[whole] == 'k' ? RATE : CENTER, value, true);
    return true;
}

static const struct unit *find_unit(const char *text)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if ((units[i].any_case ? strcasecmp : strcmp)(text, units[i].text) == 0)
            return &units[i];
    }
    return NULL;
}

static void take_part(struct found *f, const char *part)
{
    char number[PART_MAX + 4];
    const size_t length = number_length(part);
    double value = 0;
    if (length == 0 || take_infix(f, part, length))
        return;
    const struct unit *unit = find_unit(part + length);
    if (!unit)
        return;
    snprintf(number, sizeof number, "%.*s%s", (int)length, part, unit->si);
    if (si_parse(number, &value) == 0)
        note(f, unit->meaning, value, false);
}

/*
 * URH writes "-433_92MHz-2MSps-": '_' as the decimal point, '-' between parts. Copies such a part
 * with a point, and returns its length; 0: something else.
 */
static size_t copy_urh_part(const char *text, size_t limit, char part[PART_MAX])
{
    size_t size = 0;
    while (size < limit && text[size] != '-')
        size++;
    const size_t whole = strspn(text, "0123456789");
    if (size >= PART_MAX || whole == 0 || whole >= size || text[whole] != '_')
        return 0;
    snprintf(part, PART_MAX, "%.*s", (int)size, text);
    part[whole] = '.';
    const size_t number = number_length(part);
    const bool decimals = number > whole && number <= whole + 1 + URH_DECIMALS;
    const struct unit *unit = decimals ? find_unit(part + number) : NULL;
    return unit && strlen(unit->text) > 1 ? size : 0;
}

/* Decides what numbers in M are: the table in iq_name.h. */
static void resolve(const struct found *f, struct iq_name *out)
{
    out->center_hz = f->center_hz;
    out->rate_hz = f->rate_hz;
    double rate = 0;
    if (f->megas > 1 && isnan(f->center_hz) && f->rate_hz == 0) {
        const bool swapped = f->last.value > RATE_USUAL_HZ && f->before.value <= RATE_USUAL_HZ;
        out->center_hz = swapped ? f->last.value : f->before.value;
        rate = swapped ? f->before.value : f->last.value;
    } else if (f->megas > 0 && isnan(f->center_hz) &&
               (f->rate_hz > 0 || !f->last.infix || f->last.value > RATE_USUAL_HZ)) {
        out->center_hz = f->last.value;
    } else if (f->megas > 0 && f->rate_hz == 0) {
        rate = f->last.value;
    }
    if (rate > 0 && rate <= IQ_NAME_RATE_MAX_HZ)
        out->rate_hz = rate;
}

void iq_name_read_values(const char *name, size_t length, struct iq_name *out)
{
    struct found found = {.center_hz = NAN};
    for (size_t at = 0; at < length;) {
        char part[PART_MAX];
        const size_t limit = length - at, run = strcspn(name + at, "_ -");
        size_t size = at > 0 && name[at - 1] == '-' ? copy_urh_part(name + at, limit, part) : 0;
        if (size == 0) {
            size = run < limit ? run : limit;
            snprintf(part, sizeof part, "%.*s", (int)size, name + at);
        }
        if (size < sizeof part)
            take_part(&found, part);
        at += size + 1;
    }
    resolve(&found, out);
}
