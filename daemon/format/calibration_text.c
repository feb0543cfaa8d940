/* calibration_text.c - parses the text of a calibration table, and edits it. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/format/calibration.h"

enum { LINE_MAX_BYTES = 256, WORDS = 4 };

/* Required keys come first. */
enum key { SERIAL, DATE, UNCERTAINTY, REQUIRED, IMPEDANCE = REQUIRED, PPM, KEYS };

static const char *const key_names[KEYS] = {"serial", "date", "uncertainty", "impedance", "ppm"};

struct parser {
    struct calibration *out;
    const char *name;
    size_t line;           /* being read, from 1 */
    size_t key_line[KEYS]; /* 0: not given */
    size_t room;           /* of out->row */
    char text[LINE_MAX_BYTES];
    char *error;
    size_t error_size;
};

static int fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct parser *p, const char *format, ...)
{
    char why[320];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    for (char *at = why; *at; at++) /* one line, whatever the file contains */
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    return reason_set(p->error, p->error_size, -EINVAL, "%s:%zu: %s", p->name, p->line, why);
}

/* ---- words ------------------------------------------------------------------------------ */

static char *skip_blanks(char *at)
{
    while (isblank((unsigned char)*at))
        at++;
    return at;
}

/* The next word, in double quotes or not, cut out in place. NULL: none, or an open quote. */
static char *next_word(char **at)
{
    char *word = skip_blanks(*at);
    char *end;
    if (*word == '"') {
        end = strchr(++word, '"');
        if (!end)
            return NULL;
    } else {
        end = word + strcspn(word, " \t");
        if (end == word)
            return NULL;
    }
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/* Cuts off a comment, which starts outside of quotes, and blanks. Returns the beginning. */
static char *strip(char *text)
{
    bool quoted = false;
    char *end = text;
    for (; *end && (quoted || *end != '#'); end++)
        quoted ^= *end == '"';
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return skip_blanks(text);
}

/* ---- the header ------------------------------------------------------------------------- */

static int set_text(struct parser *p, enum key key, char *into, size_t size, const char *value)
{
    if (strlen(value) >= size)
        return fail(p, "%s: more than %zu characters", key_names[key], size - 1);
    snprintf(into, size, "%s", strcmp(value, "-") == 0 ? "" : value);
    return 0;
}

static int set_number(struct parser *p, enum key key, const char *value)
{
    struct calibration *c = p->out;
    double number;
    if (key == UNCERTAINTY && strcmp(value, "-") == 0)
        return 0;
    if (key == UNCERTAINTY) {
        if (si_parse_unit(value, SI_DB, &number) < 0 || !(number >= 0 && number <= 100))
            return fail(p, "uncertainty: '%s' is not a number of dB from 0 to 100, or -", value);
        c->uncertainty_db = number;
    } else if (key == PPM) {
        if (si_parse_unit(value, SI_PPM, &number) < 0 || !(fabs(number) <= 1000))
            return fail(p, "ppm: '%s' is not a number from -1000 to 1000", value);
        c->ppm = number;
    } else if (si_parse(value, &number) < 0 || fabs(number - 50) > 0) {
        return fail(p, "impedance: '%s': fftd knows 50 ohm only", value);
    }
    return 0;
}

static int set_key(struct parser *p, const char *name, const char *value)
{
    int key = 0;
    while (key < KEYS && strcmp(key_names[key], name) != 0)
        key++;
    if (key == KEYS)
        return fail(p, "unknown key '%s': one of serial, date, uncertainty, impedance, ppm", name);
    if (p->key_line[key])
        return fail(p, "%s is given in line %zu already", name, p->key_line[key]);
    if (!*value)
        return fail(p, "%s has no value", name);
    p->key_line[key] = p->line;
    if (key == SERIAL)
        return set_text(p, SERIAL, p->out->serial, sizeof p->out->serial, value);
    if (key == DATE)
        return set_text(p, DATE, p->out->date, sizeof p->out->date, value);
    return set_number(p, (enum key)key, value);
}

/* ---- rows ------------------------------------------------------------------------------- */

static bool set_gain(struct calibration_row *row, const char *text)
{
    row->gain_db = NAN;
    if (strcmp(text, "-") == 0)
        return true;
    if (si_parse_unit(text, SI_DB, &row->gain_db) == 0)
        return true;
    row->gain_db = NAN;
    if (!strchr(text, '=') || strlen(text) >= sizeof row->gain)
        return false;
    memcpy(row->gain, text, strlen(text) + 1);
    return true;
}

static int set_row(struct parser *p, struct calibration_row *row, char *const word[WORDS])
{
    if (si_parse_unit(word[0], SI_HZ, &row->hz) < 0 || !(row->hz >= 0 && row->hz <= 1e12))
        return fail(p, "frequency: '%s' is not a number from 0 to 1T Hz", word[0]);
    if (!set_gain(row, word[1]))
        return fail(p, "gain: '%s' is neither -, dB, nor dB for each element", word[1]);
    if (strlen(word[2]) >= sizeof row->antenna)
        return fail(p, "antenna: more than %zu characters", sizeof row->antenna - 1);
    if (strcmp(word[2], "-") != 0)
        memcpy(row->antenna, word[2], strlen(word[2]) + 1);
    if (si_parse_unit(word[3], SI_DB, &row->offset_db) < 0 || !(fabs(row->offset_db) <= 1000))
        return fail(p, "offset: '%s' is not a number of dB from -1000 to 1000", word[3]);
    return 0;
}

static int grow(struct parser *p)
{
    struct calibration *c = p->out;
    if (c->count == CALIBRATION_ROWS_MAX)
        return fail(p, "more than %d rows", CALIBRATION_ROWS_MAX);
    if (c->count < p->room)
        return 0;
    const size_t room = p->room ? 2 * p->room : 16;
    struct calibration_row *grown = realloc(c->row, room * sizeof *grown);
    if (!grown)
        return reason_set(p->error, p->error_size, -ENOMEM, "%s: no memory", p->name);
    c->row = grown;
    p->room = room;
    return 0;
}

static int check_header(struct parser *p)
{
    for (int key = 0; key < REQUIRED; key++)
        if (!p->key_line[key])
            return fail(p, "the header has no %s", key_names[key]);
    return 0;
}

static int split(struct parser *p, char *text, char *word[WORDS])
{
    for (int i = 0; i < WORDS; i++) {
        word[i] = next_word(&text);
        if (!word[i])
            return fail(p, "a row is: frequency gain antenna offset");
    }
    text = skip_blanks(text);
    return *text ? fail(p, "'%s' after the offset", text) : 0;
}

static int add_row(struct parser *p, char *text)
{
    char *word[WORDS];
    struct calibration_row row = {.line = p->line};
    int err = check_header(p);
    if (err == 0)
        err = split(p, text, word);
    if (err == 0)
        err = set_row(p, &row, word);
    if (err == 0)
        err = grow(p);
    if (err == 0)
        p->out->row[p->out->count++] = row;
    return err;
}

/* ---- groups ----------------------------------------------------------------------------- */

/* Gain and antenna; NAN is lower than all numbers. */
static int compare_groups(const struct calibration_row *a, const struct calibration_row *b)
{
    const int gain = strcmp(a->gain, b->gain), antenna = strcmp(a->antenna, b->antenna);
    const double ga = isnan(a->gain_db) ? -INFINITY : a->gain_db;
    const double gb = isnan(b->gain_db) ? -INFINITY : b->gain_db;
    if (gain)
        return gain;
    return antenna ? antenna : (ga > gb) - (ga < gb);
}

static int compare_rows(const void *x, const void *y)
{
    const struct calibration_row *a = x, *b = y;
    const int group = compare_groups(a, b);
    if (group)
        return group;
    const int hz = (a->hz > b->hz) - (a->hz < b->hz);
    return hz ? hz : (a->line > b->line) - (a->line < b->line);
}

static int make_groups(struct parser *p)
{
    struct calibration *c = p->out;
    if (c->count > 0)
        qsort(c->row, c->count, sizeof *c->row, compare_rows);
    for (size_t i = c->count; i > 0; i--) {
        struct calibration_row *row = &c->row[i - 1];
        const bool same = i < c->count && compare_groups(row, row + 1) == 0;
        row->group_end = same ? row[1].group_end : i;
        if (same && !(row->hz < row[1].hz)) {
            p->line = row[1].line;
            return fail(p, "the same frequency, gain and antenna as in line %zu", row->line);
        }
    }
    return 0;
}

/* ---- the whole text --------------------------------------------------------------------- */

/* Copies the line at `at` into p->text. *next: the line after it. */
static int copy_line(struct parser *p, const char *at, const char *end, const char **next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const size_t length = (size_t)((newline ? newline : end) - at);
    *next = newline ? newline + 1 : end;
    p->line++;
    if (length >= sizeof p->text)
        return fail(p, "longer than %zu characters", sizeof p->text - 1);
    if (memchr(at, '\0', length))
        return fail(p, "this is not text");
    memcpy(p->text, at, length);
    p->text[length] = '\0';
    return 0;
}

/* "key = value", where the key is a word of letters; all else is a row. */
static int parse_line(struct parser *p)
{
    char *text = strip(p->text);
    if (!*text)
        return 0;
    char *const end = text + strspn(text, "abcdefghijklmnopqrstuvwxyz");
    char *equals = skip_blanks(end);
    if (end == text || *equals != '=')
        return add_row(p, text);
    *end = '\0';
    return set_key(p, text, skip_blanks(equals + 1));
}

int calibration_parse(struct calibration *out, const char *text, size_t size, const char *name,
                      char *error, size_t error_size)
{
    struct parser p = {.out = out, .name = name, .error = error, .error_size = error_size};
    const char *const end = text + size;
    int err = 0;
    *out = (struct calibration){.uncertainty_db = NAN, .ppm = NAN};
    for (const char *at = text; err == 0 && at < end;) {
        err = copy_line(&p, at, end, &at);
        if (err == 0)
            err = parse_line(&p);
    }
    if (err == 0)
        err = check_header(&p);
    if (err == 0)
        err = make_groups(&p);
    out->date_line = p.key_line[DATE];
    if (err < 0)
        calibration_finish(out);
    return err;
}
