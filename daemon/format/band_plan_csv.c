/* band_plan_csv.c - parses gqrx's CSV: band plans, bookmarks and the colours of their tags. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/format/band_plan.h"
#include "daemon/format/table_text.h"

enum { FIELDS_MAX = 16, LINE_BYTES = 512 };

struct tag {
    char name[BAND_KIND], color[BAND_COLOR];
};

struct parser {
    struct band_plan *plan;
    struct table_text place; /* name, error and number of the line; the lines are read here */
    size_t tag_count;
    struct tag tag[BAND_TAGS_MAX];
    char line[LINE_BYTES];
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts blanks off both ends, in place. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        text[--length] = '\0';
    while (is_blank(*text))
        text++;
    return text;
}

static size_t split(char *line, char separator, char *field[FIELDS_MAX])
{
    size_t count = 0;
    char *at = line;
    while (at && count < FIELDS_MAX) {
        char *end = strchr(at, separator);
        if (end)
            *end = '\0';
        field[count++] = trim(at);
        at = end ? end + 1 : NULL;
    }
    return at ? FIELDS_MAX + 1 : count;
}

static int copy(struct parser *p, const char *what, const char *text, char *into, size_t size)
{
    if (strlen(text) >= size)
        return table_text_fail(&p->place, "%s: more than %zu bytes", what, size - 1);
    snprintf(into, size, "%s", text);
    return 0;
}

static int read_hz(struct parser *p, const char *what, const char *text, double *out)
{
    if (si_parse_unit(text, SI_HZ, out) == 0 && *out >= 0 && *out <= 1e12)
        return 0;
    return table_text_fail(&p->place, "%s: '%s' is not a number of Hz from 0 to 1T", what, text);
}

/* A name, #rrggbb, or #aarrggbb as Qt writes it, whose opacity is left out. */
static int read_color(struct parser *p, const char *text, char into[BAND_COLOR])
{
    static const char hex[] = "0123456789abcdefABCDEF";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strlen(text);
    const bool coded =
        text[0] == '#' && (length == 7 || length == 9) && strspn(text + 1, hex) == length - 1;
    const bool named = length < BAND_COLOR && strspn(text, letters) == length;
    if (!coded && !named)
        return table_text_fail(&p->place, "color: '%s' is neither #rrggbb nor a name", text);
    snprintf(into, BAND_COLOR, "%s%s", coded ? "#" : "", coded ? text + length - 6 : text);
    return 0;
}

static int check_added(struct parser *p, int err, const char *what, int most)
{
    if (err == -E2BIG)
        return table_text_fail(&p->place, "more than %d %s", most, what);
    return err == 0 ? 0 : reason_set(p->place.why, err, "%s: no memory", p->place.name);
}

/* ---- rows ------------------------------------------------------------------------------- */

static int add_tag(struct parser *p, char *field[])
{
    struct tag tag = {0};
    int err = copy(p, "tag", field[0], tag.name, sizeof tag.name);
    if (err == 0)
        err = read_color(p, field[1], tag.color);
    if (err == 0 && p->tag_count == BAND_TAGS_MAX)
        err = table_text_fail(&p->place, "more than %d tags", BAND_TAGS_MAX);
    if (err == 0)
        p->tag[p->tag_count++] = tag;
    return err;
}

static const char *find_color(const struct parser *p, const char *tags)
{
    char copy[BAND_NAME], *field[FIELDS_MAX];
    snprintf(copy, sizeof copy, "%s", tags);
    size_t count = split(copy, ',', field);
    count = count > FIELDS_MAX ? FIELDS_MAX : count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < p->tag_count; j++)
            if (strcmp(field[i], p->tag[j].name) == 0)
                return p->tag[j].color;
    return "";
}

static int add_bookmark(struct parser *p, char *field[])
{
    struct bookmark row = {0};
    int err = read_hz(p, "frequency", field[0], &row.hz);
    if (err == 0 && !*field[1])
        err = table_text_fail(&p->place, "the name is empty");
    if (err == 0)
        err = copy(p, "name", field[1], row.name, sizeof row.name);
    if (err == 0)
        err = copy(p, "modulation", field[2], row.mode, sizeof row.mode);
    if (err == 0 && *field[3])
        err = read_hz(p, "bandwidth", field[3], &row.width_hz);
    if (err == 0)
        err = copy(p, "tags", field[4], row.tags, sizeof row.tags);
    if (err < 0)
        return err;
    snprintf(row.color, sizeof row.color, "%s", find_color(p, row.tags));
    return check_added(p, band_plan_add_bookmark(p->plan, &row), "bookmarks", BOOKMARKS_MAX);
}

static int add_band(struct parser *p, char *field[], size_t count)
{
    struct band row = {0};
    int err = read_hz(p, "low", field[0], &row.low_hz);
    if (err == 0)
        err = read_hz(p, "high", field[1], &row.high_hz);
    if (err == 0)
        err = read_color(p, field[4], row.color);
    if (err == 0 && !*field[5])
        err = table_text_fail(&p->place, "the name is empty");
    if (err == 0)
        err = copy(p, "name", field[5], row.name, sizeof row.name);
    if (err == 0 && count == 9)
        err = copy(p, "use", field[8], row.kind, sizeof row.kind);
    if (err < 0)
        return err;
    if (row.low_hz < row.high_hz)
        return check_added(p, band_plan_add_band(p->plan, &row), "bands", BANDS_MAX);
    if (!p->plan->left_out[0]) /* gqrx's own plan has such a row */
        snprintf(p->plan->left_out, sizeof p->plan->left_out,
                 "%.100s:%zu: the band ends below its start: left out", p->place.name,
                 p->place.line);
    return 0;
}

static int add_row(struct parser *p)
{
    char *field[FIELDS_MAX], *row = trim(p->line);
    const bool semicolons = strchr(row, ';') != NULL;
    if (!*row || *row == '#' || *row == ',') /* spreadsheets write ,,, for an empty line */
        return 0;
    const size_t count = split(row, semicolons ? ';' : ',', field);
    if (semicolons && count == 2)
        return add_tag(p, field);
    if (semicolons && count == 5)
        return add_bookmark(p, field);
    if (!semicolons && (count == 6 || count == 9))
        return add_band(p, field, count);
    return table_text_fail(&p->place,
                           "a row is: frequency ; name ; modulation ; bandwidth ; tags, or low, "
                           "high, mode, step, color, name");
}

static int next_line(struct parser *p)
{
    const size_t left = (size_t)(p->place.end - p->place.at);
    const char *end = memchr(p->place.at, '\n', left);
    const size_t length = end ? (size_t)(end - p->place.at) : left;
    p->place.line++;
    if (length >= sizeof p->line)
        return table_text_fail(&p->place, "the line has more than %zu bytes", sizeof p->line - 1);
    if (memchr(p->place.at, '\0', length))
        return table_text_fail(&p->place, "this is no text");
    memcpy(p->line, p->place.at, length);
    p->line[length] = '\0';
    p->place.at += length + (end ? 1 : 0);
    return 0;
}

int band_plan_add_csv(struct band_plan *plan, const char *text, size_t size, const char *name,
                      struct reason *why)
{
    struct parser *p = calloc(1, sizeof *p);
    if (!p)
        return reason_set(why, -ENOMEM, "%s: no memory", name);
    p->plan = plan;
    p->place = table_text_of(name, text, size, why);
    int err = 0;
    while (err == 0 && p->place.at < p->place.end) {
        err = next_line(p);
        if (err == 0)
            err = add_row(p);
    }
    free(p);
    return err;
}
