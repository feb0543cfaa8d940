/* option_refusal.c - finds the value that a refused one probably stands for. */
#include "daemon/option/option_refusal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/option/foreign_name.h"
#include "fft/fft.h"

static bool accepts(const struct config_option *o, const char *text)
{
    struct config_option alone = *o;
    char scratch[256] __attribute__((aligned(16)));
    alone.offset = 0;
    return o->size <= sizeof scratch && option_parse(&alone, text, scratch) == 0;
}

/* The nearest word of "a, b, c(X)" without those that have a parameter. */
static bool suggest_word(const char *list, const char *text, char *into, size_t size)
{
    char typed[NEAR_NAME_MAX + 1], word[NEAR_NAME_MAX + 1];
    unsigned best = NEAR_NAME_FAR;
    if (!near_name_fold(text, typed))
        return false;
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        const unsigned now = strchr(word, '(') ? NEAR_NAME_FAR : near_name_distance(typed, word);
        if (now < best) {
            best = now;
            snprintf(into, size, "%s", word);
        }
        at += length;
    }
    return best < NEAR_NAME_FAR;
}

/* Of all words for yes and no, the nearest one, as yes or no. */
static bool suggest_flag(const char *text, char *into, size_t size)
{
    bool value;
    const struct config_option flag = {.kind = OPTION_FLAG, .fallback = "no"};
    if (!suggest_word("yes, no, true, false, on, off", text, into, size))
        return false;
    if (option_parse(&flag, into, &value) == 0)
        snprintf(into, size, "%s", value ? "yes" : "no");
    return true;
}

static bool suggest_choice(const struct config_option *o, const char *text, char *into, size_t size)
{
    static const char one_of[] = "one of ";
    if (o->kind == OPTION_FLAG)
        return suggest_flag(text, into, size);
    if (o->choices)
        return suggest_word(o->choices, text, into, size);
    return o->expected && strncmp(o->expected, one_of, sizeof one_of - 1) == 0 &&
           suggest_word(o->expected + sizeof one_of - 1, text, into, size);
}

/* Replaces the first `from`. "100,5 MHz" and "100 mhz" are likely mistakes. */
static bool suggest_character(const struct config_option *o, const char *text, char *into,
                              size_t size)
{
    static const char pairs[][2] = {{',', '.'}, {'m', 'M'}, {'g', 'G'}};
    if (o->kind != OPTION_NUMBER && o->kind != OPTION_COUNT && o->kind != OPTION_BYTES)
        return false;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *at = strchr(text, pairs[i][0]);
        if (!at || strlen(text) >= size)
            continue;
        snprintf(into, size, "%s", text);
        into[at - text] = pairs[i][1];
        if (accepts(o, into))
            return true;
    }
    return false;
}

/* Text before and after the value: an address without a port, a driver without its key. */
static bool suggest_complete(const struct config_option *o, const char *text, char *into,
                             size_t size)
{
    static const struct {
        const char *key, *before, *after;
    } forms[] = {
        {"listen", "", ":8010"}, {"listen", "unix:", ""}, {"allow-origin", "https://", ""},
        {"nats", "nats://", ""}, {"hub", "nats://", ""},
    };
    const bool word = isalpha((unsigned char)*text) && !strpbrk(text, ":/");
    if (strcmp(o->key, "device") == 0 && word && snprintf(into, size, "driver=%s", text) > 0)
        return accepts(o, into);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const int length = snprintf(into, size, "%s%s%s", forms[i].before, text, forms[i].after);
        if (strcmp(o->key, forms[i].key) == 0 && (size_t)length < size && accepts(o, into))
            return true;
    }
    return false;
}

/* "30m" -> "30min", "7 days" -> "7d", "1w" -> "7d". Neither "1M" nor "1mo" is a minute. */
static bool suggest_time(const struct config_option *o, const char *text, char *into, size_t size)
{
    char *end;
    const double number = strtod(text, &end);
    const char *word = end + strspn(end, " ");
    const char unit = *word;
    if (o->unit != SI_SECONDS || end == text || !unit || !strchr("smhdw", unit) ||
        strncmp(word, "mo", 2) == 0)
        return false;
    snprintf(into, size, "%.10g%s", unit == 'w' ? 7 * number : number,
             unit == 'm'   ? "min"
             : unit == 'w' ? "d"
                           : (char[]){unit, '\0'});
    return accepts(o, into);
}

/* "http://127.0.0.1:8010/" -> "127.0.0.1:8010", "https://a/" -> "https://a" */
static bool suggest_trimmed(const struct config_option *o, const char *text, char *into,
                            size_t size)
{
    static const char scheme[] = "http://";
    const bool url = strcmp(o->key, "listen") == 0 && strncmp(text, scheme, 7) == 0;
    if (strcmp(o->key, "listen") != 0 && strcmp(o->key, "allow-origin") != 0)
        return false;
    snprintf(into, size, "%s", url ? text + 7 : text);
    const size_t length = strlen(into);
    if (length && into[length - 1] == '/')
        into[length - 1] = '\0';
    return accepts(o, into);
}

/* rtl_power's -f LOW:HIGH:BIN: a range is a span. */
static bool suggest_span(const struct config_option *o, const char *text, char *into, size_t size)
{
    char part[3][32] = {"", "", ""};
    double hz[3] = {0, 0, 0};
    if (strcmp(o->key, "center") != 0 ||
        sscanf(text, "%31[^:]:%31[^:]:%31[^:]", part[0], part[1], part[2]) < 2)
        return false;
    for (int i = 0; i < 3; i++)
        if (part[i][0] && si_parse_unit(part[i], SI_HZ, &hz[i]) < 0)
            return false;
    const int length = snprintf(into, size, "--span %s:%s%s%s", part[0], part[1],
                                part[2][0] ? " --rbw " : "", part[2]);
    return hz[0] < hz[1] && length > 0 && (size_t)length < size;
}

static bool suggest_power_of_two(const struct config_option *o, const char *text, char *into,
                                 size_t size)
{
    double value;
    if (o->check != option_check_power_of_two || si_parse_unit(text, o->unit, &value) < 0 ||
        value < FFT_SPECTRUM_MIN_N || value > FFT_SPECTRUM_MAX_N)
        return false;
    snprintf(into, size, "%.0f", exp2(round(log2(value))));
    return true;
}

static bool suggest_foreign(const struct config_option *o, const char *text, char *into,
                            size_t size)
{
    char typed[NEAR_NAME_MAX + 1];
    if (!near_name_fold(text, typed))
        return false;
    const char *ours = foreign_name(o->key, typed);
    snprintf(into, size, "%s", ours ? ours : "");
    return ours != NULL;
}

static bool suggest_value(const struct config_option *o, const char *text, char *into, size_t size)
{
    typedef bool suggest_function(const struct config_option *, const char *, char *, size_t);
    static suggest_function *const ways[] = {
        suggest_span,     suggest_foreign, suggest_choice,    suggest_time,
        suggest_complete, suggest_trimmed, suggest_character, suggest_power_of_two};
    for (size_t i = 0; *text && i < sizeof ways / sizeof ways[0]; i++)
        if (ways[i](o, text, into, size))
            return true;
    return false;
}

char *option_refusal(const struct config_option *o, const char *text)
{
    char expected[256], near[128], hint[160] = "", *refusal = NULL;
    option_expected(o, expected, sizeof expected);
    if (suggest_value(o, text, near, sizeof near))
        snprintf(hint, sizeof hint, " (did you mean %s?)", near);
    const bool choice = strncmp(expected, "one of ", 7) == 0;
    const int length =
        choice ? asprintf(&refusal, "unknown %s '%s': %s%s", o->key, text, expected, hint)
               : asprintf(&refusal, "bad value '%s': expected %s%s", text, expected, hint);
    return length < 0 ? NULL : refusal;
}
