/* iq_name.c - container, sample format, centre, rate and time from the name of a recording. */
#include "daemon/format/recording/iq_name.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"

/* Larger values are taken for something else: the radio spectrum ends at 300 GHz. */
#define IQ_NAME_CENTER_MAX_HZ 300e9
#define IQ_NAME_RATE_MAX_HZ   10e9

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
    double second_hz; /* such a number after it */
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
    else if (meaning == CENTER)
        f->second_hz = value;
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

/* "1.455000e+08": plain Hz. Returns false without an exponent. */
static bool take_exponent(const char *text, double *out)
{
    const size_t digits = number_length(text);
    const char *at = text + digits;
    if (digits == 0 || (*at != 'e' && *at != 'E'))
        return false;
    at += at[1] == '+' ? 2 : 1;
    const size_t exponent = strspn(at, "0123456789");
    if (exponent == 0 || exponent > 2 || at[exponent] != 0)
        return false;
    *out = strtod(text, NULL);
    return true;
}

/* Letters before a plain number of Hz: "f1.455000e+08", "fc433920000", "fs2000000". */
static bool take_letters(struct found *f, const char *part)
{
    static const struct {
        const char *letters;
        enum meaning meaning;
    } table[] = {{"f", CENTER}, {"fc", CENTER}, {"cf", CENTER}, {"freq", CENTER},
                 {"s", RATE},   {"fs", RATE},   {"sr", RATE},   {"rate", RATE}};
    const size_t length = strcspn(part, "0123456789");
    const char *text = part + length;
    double value = 0;
    const bool whole = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) >= 5;
    if (!take_exponent(text, &value) && !whole)
        return false;
    value = whole ? strtod(text, NULL) : value;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strlen(table[i].letters) == length && strncasecmp(part, table[i].letters, length) == 0)
            note(f, table[i].meaning, value, false);
    }
    return true;
}

static void take_part(struct found *f, const char *part)
{
    char number[PART_MAX + 4];
    const size_t length = number_length(part);
    double value = 0;
    if (length == 0) {
        take_letters(f, part);
        return;
    }
    if (take_exponent(part, &value)) {
        note(f, MEGA, value, false);
        return;
    }
    if (take_infix(f, part, length))
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
    if (f->rate_hz == 0 && f->megas == 0 && f->second_hz < f->center_hz / 2 &&
        f->second_hz <= RATE_USUAL_HZ)
        out->rate_hz = f->second_hz; /* "100MHz_250kHz" */
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

/* "433,92MHz": as some languages write it. */
static void set_decimal_points(char *part)
{
    for (char *at = part; *at; at++) {
        if (*at == ',' && at > part && isdigit((unsigned char)at[-1]) &&
            isdigit((unsigned char)at[1]))
            *at = '.';
    }
}

/* Words for formats in names; those of one component are read as I and Q in turn. */
static const struct iq_sample *find_word(const char *part)
{
    static const char *const words[][2] = {
        {"uint8", "cu8"},   {"int8", "cs8"},      {"int16", "cs16"}, {"int16le", "cs16"},
        {"s16le", "cs16"},  {"sc16", "cs16"},     {"ci16", "cs16"},  {"float32", "cf32"},
        {"f32le", "cf32"},  {"fc32", "cf32"},     {"32fc", "cf32"},  {"complex64", "cf32"},
        {"sc16le", "cs16"}, {"float32le", "cf32"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(words[i][0], part) == 0)
            return iq_sample_find(words[i][1]);
    }
    return iq_sample_find(part);
}

/* "capture_cf32.iq": of a name without a suffix that says it, the last such part does. */
static void take_format(const char *part, struct iq_name *out)
{
    const struct iq_sample *sample = find_word(part);
    if (!sample)
        return;
    out->container = IQ_RAW;
    out->sample = sample;
}

/* Sets centre and rate from numbers with units. */
static void read_values(const char *name, size_t length, struct iq_name *out)
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
        if (size < sizeof part) {
            set_decimal_points(part);
            take_part(&found, part);
            take_format(part, out);
        }
        at += size + 1;
    }
    resolve(&found, out);
}

/* Letters of the date are one digit each; '_' is '_', ':' or '-'. gqrx writes UTC without a Z. */
static const struct form {
    const char *text;
    enum { PLAIN, KIWI, MILLISECONDS } after; /* a centre as the KiwiSDR writes it, or "_147" */
} forms[] = {
    {"YYYYMMDD_hhmmssZ", PLAIN},
    {"YYYYMMDD_hhmmssz", PLAIN}, /* rsp-recorder */
    {"YYYYMMDDThhmmssZ", KIWI},
    {"YYYY-MM-DDThh_mm_ssZ", KIWI},
    {"YYYY-MM-DDThh_mm_ss_", MILLISECONDS}, /* SDRangel, in UTC */
};
static const char gqrx_form[] = "YYYYMMDD_hhmmss_";

/* Returns the length of a date of this form at `text`, 0: none there. */
static size_t match(const char *form, const char *text, size_t limit, int64_t *time_ns)
{
    static const char letters[] = "YMDhms";
    int parts[sizeof letters] = {0};
    const size_t length = strlen(form);
    if (limit < length)
        return 0;
    for (size_t i = 0; i < length; i++) {
        const char *letter = strchr(letters, form[i]);
        if (letter && !isdigit((unsigned char)text[i]))
            return 0;
        if (letter)
            parts[letter - letters] = parts[letter - letters] * 10 + text[i] - '0';
        else if (form[i] == '_' ? !strchr("_:-", text[i]) : text[i] != form[i])
            return 0;
    }
    const struct unix_date date = {.year = parts[0],
                                   .month = parts[1],
                                   .day = parts[2],
                                   .hour = parts[3],
                                   .minute = parts[4],
                                   .second = parts[5]};
    return unix_time_ns(&date, time_ns) == 0 ? length : 0;
}

/* A plain number that begins at `text` and ends with the name or before a separator. */
static bool take_number(const char *text, size_t limit, double most, double *out)
{
    size_t size = 0;
    char number[24];
    while (size < limit && (isdigit((unsigned char)text[size]) || text[size] == '.'))
        size++;
    if (size == 0 || size >= sizeof number || (size < limit && text[size] != '_'))
        return false;
    memcpy(number, text, size);
    number[size] = 0;
    *out = strtod(number, NULL);
    return *out > 0 && *out <= most;
}

/* "20240101T120000Z_77500_iq" is in Hz, "2024-01-01T12_00_00Z_7100.00_iq" in kHz. */
static void read_kiwi(const char *text, size_t limit, struct iq_name *out)
{
    double value = 0;
    if (limit < 2 || text[0] != '_' ||
        !take_number(text + 1, limit - 1, IQ_NAME_CENTER_MAX_HZ, &value))
        return;
    const size_t digits = strspn(text + 1, "0123456789");
    if (text[1 + digits] == '.' && digits < limit - 1)
        value *= 1e3;
    if (value <= IQ_NAME_CENTER_MAX_HZ)
        out->center_hz = value;
}

static bool at_word(const char *name, size_t at)
{
    return at == 0 || !isdigit((unsigned char)name[at - 1]);
}

static void read_time(const char *name, size_t length, struct iq_name *out)
{
    for (size_t at = 0; at < length; at++) {
        for (size_t i = 0; i < sizeof forms / sizeof forms[0] && at_word(name, at); i++) {
            int64_t time_ns = 0;
            const size_t size = match(forms[i].text, name + at, length - at, &time_ns);
            const char *after = name + at + size;
            const bool has_ms = strspn(after, "0123456789") == 3;
            if (size == 0 || (forms[i].after == MILLISECONDS && !has_ms))
                continue;
            out->has_time = true;
            out->time_ns = time_ns;
            if (forms[i].after == KIWI)
                read_kiwi(after, length - at - size, out);
            if (forms[i].after == MILLISECONDS)
                out->time_ns += strtol(after, NULL, 10) * INT64_C(1000000);
            return;
        }
    }
}

/* The start of the last part before `end`, parts being separated by '_'. */
static size_t last_part(const char *name, size_t end)
{
    while (end > 0 && name[end - 1] != '_')
        end--;
    return end;
}

/* What gqrx and SigDigger write behind two numbers in Hz; both write cf32. */
static const struct tail {
    const char *text;
    bool rate_first; /* else the centre */
    bool has_time;   /* in gqrx_form, before the numbers */
} tails[] = {{"_fc", false, true}, {"_float32_iq", true, false}};

static void read_tail(const char *name, size_t length, const struct tail *tail, struct iq_name *out)
{
    const size_t size = strlen(tail->text), end = length > size ? length - size : 0;
    if (end == 0 || memcmp(name + end, tail->text, size) != 0)
        return;
    const size_t second = last_part(name, end);
    const size_t first = second > 0 ? last_part(name, second - 1) : 0;
    double numbers[2] = {0, 0};
    if (second == 0 ||
        !take_number(name + first, second - 1 - first, IQ_NAME_CENTER_MAX_HZ, &numbers[0]) ||
        !take_number(name + second, end - second, IQ_NAME_CENTER_MAX_HZ, &numbers[1]) ||
        numbers[!tail->rate_first] > IQ_NAME_RATE_MAX_HZ)
        return;
    out->center_hz = numbers[tail->rate_first];
    out->rate_hz = numbers[!tail->rate_first];
    out->container = IQ_RAW;
    out->sample = iq_sample_find("cf32");
    const size_t date = sizeof gqrx_form - 1;
    if (tail->has_time && first >= date && (first == date || at_word(name, first - date)))
        out->has_time |= match(gqrx_form, name + first - date, date, &out->time_ns) > 0;
}

/*
 * SatDump: "2024-01-01_12-00-00_2400000SPS_137100000Hz", in UTC, perhaps with "-345" for ms. For
 * some time it wrote "-1691258565.534000" in their place.
 */
static bool read_satdump(const char *name, size_t length, struct iq_name *out)
{
    static const char form[] = "YYYY-MM-DD_hh_mm_ss";
    int64_t time_ns = 0;
    const size_t date = match(form, name, length, &time_ns);
    if (date == 0)
        return false;
    const size_t extra = name[date] == '-' ? 1 + strspn(name + date + 1, "0123456789.") : 0;
    const char *rate = name + date + extra;
    const size_t digits = *rate == '_' ? strspn(rate + 1, "0123456789") : 0;
    if (digits == 0 || strncmp(rate + 1 + digits, "SPS_", 4) != 0)
        return false;
    out->has_time = true;
    out->time_ns = time_ns + (extra == 4 ? strtol(name + date + 1, NULL, 10) * 1000000 : 0);
    return true;
}

/* Suffixes that SatDump gives to complex samples; elsewhere they may be real ones. */
static void take_satdump_suffix(const char *suffix, struct iq_name *out)
{
    static const char *const table[][2] = {{"s8", "cs8"}, {"s16", "cs16"}, {"f32", "cf32"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcasecmp(suffix, table[i][0]) == 0) {
            out->container = IQ_RAW;
            out->sample = iq_sample_find(table[i][1]);
        }
    }
}

/* SDR4space: "XW-2A_20220201-084845_F145.660_SR22050", in MHz and Hz; the rate is read already. */
static void read_sdr4space(const char *name, size_t length, struct iq_name *out)
{
    const size_t rate = last_part(name, length);
    const size_t center = rate > 0 ? last_part(name, rate - 1) : 0;
    double mhz = 0;
    if (center > 0 && strncmp(name + rate, "SR", 2) == 0 && name[center] == 'F' &&
        take_number(name + center + 1, rate - 1 - (center + 1), IQ_NAME_CENTER_MAX_HZ / 1e6, &mhz))
        out->center_hz = mhz * 1e6;
}

/* SDRTrunk: "20230819_064211_451250000_System_Site_29_baseband", a centre in Hz. */
static void read_sdrtrunk(const char *name, size_t length, struct iq_name *out)
{
    static const char end[] = "_baseband";
    int64_t unused = 0;
    double center = 0;
    const size_t size = sizeof end - 1, date = match(gqrx_form, name, length, &unused);
    if (date > 0 && length > date + size && memcmp(name + length - size, end, size) == 0 &&
        take_number(name + date, length - date, IQ_NAME_CENTER_MAX_HZ, &center))
        out->center_hz = center;
}

/* CubicSDR's modem I/Q: "145.500_2024-01-01_12-00-00", in MHz; the time is local. */
static void read_cubicsdr(const char *name, size_t length, struct iq_name *out)
{
    const size_t digits = number_length(name);
    int64_t unused = 0;
    double mhz = 0;
    if (digits > 4 && digits < length && name[digits - 4] == '.' &&
        match("_YYYY-MM-DD_hh_mm_ss", name + digits, length - digits, &unused) > 0 &&
        take_number(name, length, IQ_NAME_CENTER_MAX_HZ / 1e6, &mhz))
        out->center_hz = mhz * 1e6;
}

/* pcmrecord of ka9q-radio: "7100k2024-01-01T12:00:00.5Z", in kHz and UTC. */
static void read_pcmrecord(const char *name, size_t length, struct iq_name *out)
{
    static const char form[] = "kYYYY-MM-DDThh_mm_ss.";
    const size_t digits = strspn(name, "0123456789"), size = sizeof form - 1;
    int64_t time_ns = 0;
    if (digits == 0 || length != digits + size + 2 || name[length - 1] != 'Z' ||
        match(form, name + digits, size, &time_ns) == 0 ||
        !isdigit((unsigned char)name[length - 2]))
        return;
    const double hz = strtod(name, NULL) * 1e3;
    out->center_hz = hz > 0 && hz <= IQ_NAME_CENTER_MAX_HZ ? hz : NAN;
    out->rate_hz = 0; /* "7100k2024" is none */
    out->has_time = true;
    out->time_ns = time_ns + (name[length - 2] - '0') * INT64_C(100000000);
}

/*
 * Raw files that name their content: "iq_pcm16_ch1_cf800000_sr2000000_dt20251123-154313z" of
 * rsp-recorder, as WavViewDX expects, and "20240101-120000_name_HACKRF_100MHz_2MSps" of RF
 * Analyzer.
 */
static void read_content(const char *name, size_t length, struct iq_name *out)
{
    static const struct {
        const char *begin, *part, *sample;
    } table[] = {{"iq_pcm16_ch1_", "_cf", "cs16"},
                 {NULL, "_HACKRF_", "cs8"},
                 {NULL, "_RTLSDR_", "cu8"},
                 {NULL, "_AIRSPY_", "cs16"},
                 {NULL, "_HYDRASDR_", "cs16"}};
    int64_t unused = 0;
    const bool dated = match(gqrx_form, name, length, &unused) > 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0] && out->rate_hz > 0; i++) {
        const char *begin = table[i].begin;
        if (strstr(name, table[i].part) &&
            (begin ? strncmp(name, begin, strlen(begin)) == 0 : dated)) {
            out->container = IQ_RAW;
            out->sample = iq_sample_find(table[i].sample);
        }
    }
}

/* Sets the time, and what programs write without a unit. */
static void read_style(const char *name, size_t length, struct iq_name *out)
{
    read_content(name, length, out);
    read_time(name, length, out);
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
        read_tail(name, length, &tails[i], out);
    read_sdr4space(name, length, out);
    read_sdrtrunk(name, length, out);
    read_cubicsdr(name, length, out);
    read_pcmrecord(name, length, out);
}

static const struct suffix {
    const char *name;
    enum iq_container container;
    const char *sample; /* of IQ_RAW */
} suffixes[] = {
    {"uc8", IQ_RAW, "cu8"},
    {"data", IQ_RAW, "cu8"},
    {"complex16u", IQ_RAW, "cu8"},
    {"sc8", IQ_RAW, "cs8"},
    {"c8", IQ_RAW, "cs8"},
    {"complex16s", IQ_RAW, "cs8"},
    {"sc16", IQ_RAW, "cs16"},
    {"c16", IQ_RAW, "cs16"},
    {"complex32s", IQ_RAW, "cs16"},
    {"fc32", IQ_RAW, "cf32"},
    {"32fc", IQ_RAW, "cf32"},
    {"cfile", IQ_RAW, "cf32"},
    {"complex", IQ_RAW, "cf32"},
    {"uc16", IQ_RAW, "cu16"},
    {"sc24", IQ_RAW, "cs24"},
    {"c24", IQ_RAW, "cs24"},
    {"sc32", IQ_RAW, "cs32"},
    {"fc64", IQ_RAW, "cf64"},
    {"complex64", IQ_RAW, "cf32"},
    {"complex128", IQ_RAW, "cf64"},
    {"wav", IQ_WAV, NULL},
    {"wave", IQ_WAV, NULL},
    {"bwf", IQ_WAV, NULL},
    {"rf64", IQ_WAV, NULL},
    {"bw64", IQ_WAV, NULL},
    {"w64", IQ_WAV, NULL},
    {"ddc", IQ_WAV, NULL},
    {"sdriq", IQ_SDRIQ, NULL},
    {"sigmf", IQ_SIGMF_ARCHIVE, NULL},
    {"sigmf-meta", IQ_SIGMF_PAIR, NULL},
    {"sigmf-data", IQ_SIGMF_PAIR, NULL},
    {"cu4", IQ_REFUSED, NULL},
    {"cs4", IQ_REFUSED, NULL},
    {"cu12", IQ_REFUSED, NULL},
    {"cu64", IQ_REFUSED, NULL},
    {"cs64", IQ_REFUSED, NULL},
    {"complex32u", IQ_RAW, "cu16"},
};

/* Other suffixes are names of sample formats. Returns false if this one is not known. */
static bool find_suffix(const char *text, size_t length, struct suffix *out)
{
    char name[PART_MAX];
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        *out = suffixes[i];
        if (strlen(out->name) == length && strncasecmp(out->name, text, length) == 0)
            return true;
    }
    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const struct iq_sample *sample = iq_sample_find(name);
    if (sample)
        *out = (struct suffix){sample->name, IQ_RAW, sample->name};
    return sample != NULL;
}

/* Without what file managers and browsers add to the name of a copy: " (1)", " - Copy". */
static size_t without_copy(const char *name, size_t length)
{
    static const char copy[] = " - Copy";
    const size_t size = sizeof copy - 1;
    size_t at = length;
    if (length > 3 && name[length - 1] == ')') {
        for (at = length - 1; at > 0 && isdigit((unsigned char)name[at - 1]);)
            at--;
        if (at < length - 1 && at > 1 && name[at - 1] == '(')
            return name[at - 2] == ' ' ? at - 2 : at - 1;
    }
    return length > size && strncasecmp(name + length - size, copy, size) == 0 ? length - size
                                                                               : length;
}

void iq_name_parse(const char *text, struct iq_name *out)
{
    *out = (struct iq_name){.path = text, .center_hz = NAN};
    const char *colon = strchr(text, ':');
    struct suffix suffix, own;
    const bool forced = colon && find_suffix(text, (size_t)(colon - text), &suffix);
    if (forced)
        out->path = colon + 1;
    const char *slash = strrchr(out->path, '/');
    const char *name = slash ? slash + 1 : out->path;
    const char *dot = strrchr(name, '.');
    const bool has_own = dot && find_suffix(dot + 1, strlen(dot + 1), &own);
    const bool extension = has_own || (dot && strspn(dot + 1, "0123456789") == 0); /* not 433.92M */
    const size_t length = without_copy(name, extension ? (size_t)(dot - name) : strlen(name));
    read_values(name, length, out);
    read_style(name, length, out);
    if (read_satdump(name, length, out) && extension)
        take_satdump_suffix(dot + 1, out);
    if (!forced && !has_own)
        return;
    if (!forced)
        suffix = own;
    out->container = suffix.container;
    out->sample = suffix.container == IQ_RAW ? iq_sample_find(suffix.sample) : NULL;
    if (suffix.container == IQ_REFUSED)
        snprintf(out->refused, sizeof out->refused, "%s", suffix.name);
}
