/* spur_list.c - parses the text of a spur list, and writes its rows. */
#include "daemon/format/spur_list.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/one_line.h"
#include "daemon/base/si.h"
#include "daemon/format/table_text.h"

struct parser {
    struct spur_list *out;
    struct table_text table;
    struct table_buffer buffer; /* of out->spur */
};

static const char center[] = "center";

/* ---- the header ------------------------------------------------------------------------- */

static int set_key(struct parser *p, const char *key, const char *value)
{
    struct spur_list *list = p->out;
    const bool serial = strcmp(key, "serial") == 0;
    char *into = serial ? list->serial : list->date;
    const size_t size = serial ? sizeof list->serial : sizeof list->date;
    if (!serial && strcmp(key, "date") != 0)
        return table_text_fail(&p->table, "unknown key '%s': one of serial, date", key);
    if (!*value || *into)
        return table_text_fail(&p->table, "%s %s", key, *value ? "is given twice" : "has no value");
    if (strlen(value) >= size)
        return table_text_fail(&p->table, "%s: more than %zu characters", key, size - 1);
    snprintf(into, size, "%s", value);
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* A number, or "center" with or without a distance. */
static bool set_frequency(struct spur *spur, const char *text)
{
    const size_t length = sizeof center - 1;
    spur->relative = strncmp(text, center, length) == 0;
    if (!spur->relative)
        return si_parse_unit(text, SI_HZ, &spur->hz) == 0 && spur->hz >= 0 && spur->hz <= 1e12;
    const char *distance = text + length;
    if (!*distance)
        return true; /* 0 */
    return (*distance == '+' || *distance == '-') &&
           si_parse_unit(distance, SI_HZ, &spur->hz) == 0 && fabs(spur->hz) <= 1e10;
}

static int set_row(struct parser *p, struct spur *spur, char *text)
{
    const char *frequency = table_text_word(&text), *width = table_text_word(&text);
    const char *note = table_text_skip_blanks(text);
    if (!frequency || !width)
        return table_text_fail(&p->table, "a row is: frequency width note");
    if (!set_frequency(spur, frequency))
        return table_text_fail(&p->table,
                               "frequency: '%s' is neither a number from 0 to 1T Hz, nor center, "
                               "nor a distance from it as in center+1.2M",
                               frequency);
    if (si_parse_unit(width, SI_HZ, &spur->width_hz) < 0 ||
        !(spur->width_hz >= 0 && spur->width_hz <= 1e10))
        return table_text_fail(&p->table, "width: '%s' is not a number from 0 to 10G Hz", width);
    if (strlen(note) >= sizeof spur->note)
        return table_text_fail(&p->table, "note: more than %zu characters", sizeof spur->note - 1);
    snprintf(spur->note, sizeof spur->note, "%s", note);
    if (!is_one_line(spur->note))
        return table_text_fail(&p->table, "note: a control character");
    return 0;
}

static int add_row(struct parser *p, char *text)
{
    struct spur_list *list = p->out;
    struct spur spur = {0};
    int err = set_row(p, &spur, text);
    if (err == 0)
        err = table_text_grow(&p->table, &p->buffer, list->count);
    if (err < 0)
        return err;
    list->spur = p->buffer.array;
    list->spur[list->count++] = spur;
    return 0;
}

int spur_list_parse(struct spur_list *out, const char *text, size_t size, const char *name,
                    struct reason *why)
{
    struct parser p = {.out = out,
                       .table = table_text_of(name, text, size, why),
                       .buffer = {.bytes = sizeof *out->spur, .most = SPURS_MAX}};
    struct table_line line;
    int err = 0, more = 1;
    *out = (struct spur_list){0};
    while (err == 0 && (more = table_text_next(&p.table, &line)) > 0)
        err = line.key ? set_key(&p, line.key, line.text) : add_row(&p, line.text);
    err = more < 0 ? more : err;
    if (err < 0)
        spur_list_finish(out);
    return err;
}

void spur_list_finish(struct spur_list *list)
{
    free(list->spur);
    *list = (struct spur_list){0};
}

/* ---- writing ---------------------------------------------------------------------------- */

static const char *hz_text(double hz, char *into, size_t size)
{
    return si_format(round(hz * 10) / 10, 14, into, size);
}

const char *spur_frequency_text(const struct spur *spur, char into[48])
{
    char hz[32];
    hz_text(spur->hz, hz, sizeof hz);
    if (!spur->relative)
        snprintf(into, 48, "%s", hz);
    else if (fabs(spur->hz) < 0.05)
        snprintf(into, 48, "%s", center);
    else
        snprintf(into, 48, "%s%s%s", center, spur->hz > 0 ? "+" : "", hz);
    return into;
}

void spur_add_row(struct text *out, const struct spur *spur)
{
    char frequency[48], width[32];
    text_add(out, "%-20s %8s  %s\n", spur_frequency_text(spur, frequency),
             hz_text(spur->width_hz, width, sizeof width), spur->note);
}
