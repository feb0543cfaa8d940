/* iq_name_style.c - finds times, and what gqrx and the KiwiSDR write into names without units. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/unix_time.h"
#include "daemon/format/recording/iq_name_parts.h"

/* Letters of the date are one digit each; '_' is '_', ':' or '-'. gqrx writes UTC without a Z. */
static const struct form {
    const char *text;
    bool compact; /* as HDSDR writes it; others are ISO 8601 as the KiwiSDR writes it */
} forms[] = {
    {"YYYYMMDD_hhmmssZ", true},
    {"YYYYMMDDThhmmssZ", false},
    {"YYYY-MM-DDThh_mm_ssZ", false},
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
            const size_t size = match(forms[i].text, name + at, length - at, &out->time_ns);
            if (size == 0)
                continue;
            out->has_time = true;
            if (!forms[i].compact)
                read_kiwi(name + at + size, length - at - size, out);
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

/* "gqrx_20240101_120000_433920000_2400000_fc": centre and rate in Hz, cf32. */
static void read_gqrx(const char *name, size_t length, struct iq_name *out)
{
    const size_t fc = last_part(name, length);
    if (fc < 2 || length - fc != 2 || memcmp(name + fc, "fc", 2) != 0)
        return;
    const size_t rate_at = last_part(name, fc - 1);
    const size_t center_at = rate_at > 0 ? last_part(name, rate_at - 1) : 0;
    double rate = 0, center = 0;
    if (rate_at == 0 ||
        !take_number(name + rate_at, fc - 1 - rate_at, IQ_NAME_RATE_MAX_HZ, &rate) ||
        !take_number(name + center_at, rate_at - 1 - center_at, IQ_NAME_CENTER_MAX_HZ, &center))
        return;
    out->center_hz = center;
    out->rate_hz = rate;
    out->container = IQ_RAW;
    out->format = FFT_IQ_CF32;
    const size_t date = sizeof gqrx_form - 1;
    if (center_at >= date && (center_at == date || at_word(name, center_at - date)))
        out->has_time |= match(gqrx_form, name + center_at - date, date, &out->time_ns) > 0;
}

void iq_name_read_style(const char *name, size_t length, struct iq_name *out)
{
    read_time(name, length, out);
    read_gqrx(name, length, out);
}
