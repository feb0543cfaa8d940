/* calibration_text.c - parses the text of a calibration table. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/format/calibration.h"
#include "daemon/format/table_text.h"

enum { WORDS = 4 };

/* Required keys come first. */
enum key { SERIAL, DATE, UNCERTAINTY, REQUIRED, IMPEDANCE = REQUIRED, PPM, KEYS };

static const char *const key_names[KEYS] = {"serial", "date", "uncertainty", "impedance", "ppm"};

struct parser {
    struct calibration *out;
    struct table_text table;
    size_t key_line[KEYS];      /* 0: not given */
    struct table_buffer buffer; /* of out->row */
};

/* ---- the header ------------------------------------------------------------------------- */

static int set_text(struct parser *p, enum key key, char *into, size_t size, const char *value)
{
    if (strlen(value) >= size)
        return table_text_fail(&p->table, "%s: more than %zu characters", key_names[key], size - 1);
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
            return table_text_fail(
                &p->table, "uncertainty: '%s' is not a number of dB from 0 to 100, or -", value);
        c->uncertainty_db = number;
    } else if (key == PPM) {
        if (si_parse_unit(value, SI_PPM, &number) < 0 || !(fabs(number) <= 1000))
            return table_text_fail(&p->table, "ppm: '%s' is not a number from -1000 to 1000",
                                   value);
        c->ppm = number;
    } else if (si_parse(value, &number) < 0 || fabs(number - 50) > 0) {
        return table_text_fail(&p->table, "impedance: '%s': fftd knows 50 ohm only", value);
    }
    return 0;
}

static int set_key(struct parser *p, const char *name, const char *value)
{
    int key = 0;
    while (key < KEYS && strcmp(key_names[key], name) != 0)
        key++;
    if (key == KEYS)
        return table_text_fail(
            &p->table, "unknown key '%s': one of serial, date, uncertainty, impedance, ppm", name);
    if (p->key_line[key])
        return table_text_fail(&p->table, "%s is given in line %zu already", name,
                               p->key_line[key]);
    if (!*value)
        return table_text_fail(&p->table, "%s has no value", name);
    p->key_line[key] = p->table.line;
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
        return table_text_fail(&p->table, "frequency: '%s' is not a number from 0 to 1T Hz",
                               word[0]);
    if (!set_gain(row, word[1]))
        return table_text_fail(&p->table, "gain: '%s' is neither -, dB, nor dB for each element",
                               word[1]);
    if (strlen(word[2]) >= sizeof row->antenna)
        return table_text_fail(&p->table, "antenna: more than %zu characters",
                               sizeof row->antenna - 1);
    if (strcmp(word[2], "-") != 0)
        memcpy(row->antenna, word[2], strlen(word[2]) + 1);
    if (si_parse_unit(word[3], SI_DB, &row->offset_db) < 0 || !(fabs(row->offset_db) <= 1000))
        return table_text_fail(&p->table, "offset: '%s' is not a number of dB from -1000 to 1000",
                               word[3]);
    return 0;
}

static int check_header(struct parser *p)
{
    for (int key = 0; key < REQUIRED; key++)
        if (!p->key_line[key])
            return table_text_fail(&p->table, "the header has no %s", key_names[key]);
    return 0;
}

static int split(struct parser *p, char *text, char *word[WORDS])
{
    for (int i = 0; i < WORDS; i++) {
        word[i] = table_text_word(&text);
        if (!word[i])
            return table_text_fail(&p->table, "a row is: frequency gain antenna offset");
    }
    text = table_text_skip_blanks(text);
    return *text ? table_text_fail(&p->table, "'%s' after the offset", text) : 0;
}

static int add_row(struct parser *p, char *text)
{
    char *word[WORDS];
    struct calibration_row row = {.line = p->table.line};
    int err = check_header(p);
    if (err == 0)
        err = split(p, text, word);
    if (err == 0)
        err = set_row(p, &row, word);
    if (err == 0)
        err = table_text_grow(&p->table, &p->buffer, p->out->count);
    if (err < 0)
        return err;
    p->out->row = p->buffer.array;
    p->out->row[p->out->count++] = row;
    return 0;
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
            p->table.line = row[1].line;
            return table_text_fail(&p->table, "the same frequency, gain and antenna as in line %zu",
                                   row->line);
        }
    }
    return 0;
}

/* ---- the whole text --------------------------------------------------------------------- */

int calibration_parse(struct calibration *out, const char *text, size_t size, const char *name,
                      struct reason *why)
{
    struct parser p = {.out = out,
                       .table = table_text_of(name, text, size, why),
                       .buffer = {.bytes = sizeof *out->row, .most = CALIBRATION_ROWS_MAX}};
    struct table_line line;
    int err = 0, more = 1;
    *out = (struct calibration){.uncertainty_db = NAN, .ppm = NAN};
    while (err == 0 && (more = table_text_next(&p.table, &line)) > 0)
        err = line.key ? set_key(&p, line.key, line.text) : add_row(&p, line.text);
    err = more < 0 ? more : err;
    if (err == 0)
        err = check_header(&p);
    if (err == 0)
        err = make_groups(&p);
    out->date_line = p.key_line[DATE];
    out->ppm_line = p.key_line[PPM];
    if (err < 0)
        calibration_finish(out);
    return err;
}
