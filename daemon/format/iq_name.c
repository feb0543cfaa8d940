/* iq_name.c - splits the name of a recording and interprets its parts. */
#include "daemon/format/iq_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"

static const struct suffix {
    const char *name;
    enum iq_container container;
    enum fft_iq_format format;
} suffixes[] = {
    {"cu8", IQ_RAW, FFT_IQ_CU8},
    {"data", IQ_RAW, FFT_IQ_CU8},
    {"complex16u", IQ_RAW, FFT_IQ_CU8},
    {"cs8", IQ_RAW, FFT_IQ_CS8},
    {"complex16s", IQ_RAW, FFT_IQ_CS8},
    {"cs16", IQ_RAW, FFT_IQ_CS16},
    {"cf32", IQ_RAW, FFT_IQ_CF32},
    {"cfile", IQ_RAW, FFT_IQ_CF32},
    {"complex", IQ_RAW, FFT_IQ_CF32},
    {"wav", IQ_WAV, FFT_IQ_FORMATS},
    {"wave", IQ_WAV, FFT_IQ_FORMATS},
    {"bwf", IQ_WAV, FFT_IQ_FORMATS},
    {"rf64", IQ_WAV, FFT_IQ_FORMATS},
    {"bw64", IQ_WAV, FFT_IQ_FORMATS},
    {"sigmf", IQ_SIGMF_ARCHIVE, FFT_IQ_FORMATS},
    {"sigmf-meta", IQ_SIGMF_PAIR, FFT_IQ_FORMATS},
    {"sigmf-data", IQ_SIGMF_PAIR, FFT_IQ_FORMATS},
    {"cu4", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs4", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu12", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs12", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu16", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu32", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs32", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu64", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs64", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cf64", IQ_REFUSED, FFT_IQ_FORMATS},
};

enum meaning { PLAIN_MEGA, INFIX, CENTER, RATE, MEANINGS };

/* Units after a number. Case matters only where it must: m is not M. */
static const struct unit {
    const char *text;
    const char *si;
    enum meaning meaning;
    bool any_case;
} units[] = {
    {"M", "M", PLAIN_MEGA, false}, {"G", "G", CENTER, false},  {"k", "k", RATE, true},
    {"Hz", "", CENTER, true},      {"kHz", "k", CENTER, true}, {"MHz", "M", CENTER, true},
    {"GHz", "G", CENTER, true},    {"sps", "", RATE, true},    {"ksps", "k", RATE, true},
    {"Msps", "M", RATE, true},     {"Gsps", "G", RATE, true},
};

enum { PART_MAX = 32 };

/* First value, last value and number of values of each kind. */
struct found {
    double first[MEANINGS], last[MEANINGS];
    int count[MEANINGS];
};

static void note(struct found *f, enum meaning meaning, double value)
{
    if (!(value > 0 && value < 1e12))
        return;
    if (f->count[meaning]++ == 0)
        f->first[meaning] = value;
    f->last[meaning] = value;
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
    note(f, part[whole] == 'M' ? INFIX : part[whole] == 'k' ? RATE : CENTER, value);
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
        note(f, unit->meaning, value);
}

/* Decides which parts are the centre and the rate: the table in iq_name.h. */
static void resolve(const struct found *f, struct iq_name *out)
{
    out->center_hz = f->count[CENTER] ? f->last[CENTER] : NAN;
    out->rate_hz = f->count[RATE] ? f->last[RATE] : 0;
    if (f->count[PLAIN_MEGA]) {
        const bool both = f->count[PLAIN_MEGA] > 1 && !f->count[RATE] && !f->count[INFIX];
        if (isnan(out->center_hz))
            out->center_hz = both ? f->first[PLAIN_MEGA] : f->last[PLAIN_MEGA];
        if (both)
            out->rate_hz = f->last[PLAIN_MEGA];
    }
    if (!f->count[INFIX])
        return;
    if (isnan(out->center_hz) && (f->count[RATE] || f->count[INFIX] > 1))
        out->center_hz = f->first[INFIX];
    if (!f->count[RATE])
        out->rate_hz = f->last[INFIX];
}

static void read_parts(const char *name, size_t length, struct iq_name *out)
{
    struct found found = {0};
    for (size_t at = 0; at < length;) {
        char part[PART_MAX];
        const size_t limit = length - at, run = strcspn(name + at, "_ ");
        const size_t size = run < limit ? run : limit;
        if (size < sizeof part) {
            snprintf(part, sizeof part, "%.*s", (int)size, name + at);
            take_part(&found, part);
        }
        at += size + 1;
    }
    resolve(&found, out);
}

static const struct suffix *find_suffix(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strlen(suffixes[i].name) == length && strncasecmp(suffixes[i].name, text, length) == 0)
            return &suffixes[i];
    }
    return NULL;
}

void iq_name_parse(const char *text, struct iq_name *out)
{
    *out = (struct iq_name){.path = text, .format = FFT_IQ_FORMATS};
    const char *colon = strchr(text, ':');
    const struct suffix *suffix = colon ? find_suffix(text, (size_t)(colon - text)) : NULL;
    if (suffix)
        out->path = colon + 1;
    const char *slash = strrchr(out->path, '/');
    const char *name = slash ? slash + 1 : out->path;
    const char *dot = strrchr(name, '.');
    const struct suffix *own = dot ? find_suffix(dot + 1, strlen(dot + 1)) : NULL;
    const bool extension = own || (dot && strspn(dot + 1, "0123456789") == 0); /* not 433.92M */
    read_parts(name, extension ? (size_t)(dot - name) : strlen(name), out);
    if (!suffix)
        suffix = own;
    if (!suffix)
        return;
    out->container = suffix->container;
    out->format = suffix->format;
    if (suffix->container == IQ_REFUSED)
        snprintf(out->refused, sizeof out->refused, "%s", suffix->name);
}
