/* mask_text.c - parses the points of a mask. */
#include "daemon/format/mask_text.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/format/table_text.h"

struct parser {
    struct mask_text *out;
    struct table_text table;
    bool has_frequency, has_level;
};

bool mask_limit_valid(const struct mask_limit *limit)
{
    const size_t count = limit->count;
    for (size_t i = 1; i < count; i++)
        if (limit->point[i].hz < limit->point[i - 1].hz)
            return false;
    return count == 0 || limit->point[count - 1].hz > limit->point[0].hz;
}

/* ---- the header ------------------------------------------------------------------------- */

/* The index of the word; -1: it is none of them. */
static int choose(const char *word, const char *const *choices, int count)
{
    int i = count - 1;
    while (i >= 0 && strcmp(word, choices[i]) != 0)
        i--;
    return i;
}

static int set_key(struct parser *p, const char *key, const char *value)
{
    static const char *const frequencies[] = {"absolute", "offset"};
    static const char *const levels[] = {"dBFS", "dBc", "dBm"};
    const bool frequency = strcmp(key, "frequency") == 0;
    bool *given = frequency ? &p->has_frequency : &p->has_level;
    if (!frequency && strcmp(key, "level") != 0)
        return table_text_fail(&p->table, "unknown key '%s': one of frequency, level", key);
    if (*given)
        return table_text_fail(&p->table, "%s is given twice", key);
    const int choice = frequency ? choose(value, frequencies, 2) : choose(value, levels, 3);
    if (choice < 0)
        return table_text_fail(&p->table, "%s: '%s' is none of %s", key, value,
                               frequency ? "absolute, offset" : "dBFS, dBc, dBm");
    *given = true;
    if (frequency)
        p->out->offset = choice == 1;
    else
        p->out->level = (enum mask_level)choice;
    return 0;
}

/* ---- points ----------------------------------------------------------------------------- */

static int set_point(struct parser *p, struct mask_limit *limit, const char *frequency,
                     const char *level)
{
    double hz, db;
    if (si_parse_unit(frequency, SI_HZ, &hz) < 0 || !(fabs(hz) <= 1e12))
        return table_text_fail(&p->table, "frequency: '%s' is not a number of Hz up to 1T",
                               frequency);
    if (si_parse_unit(level, SI_DB, &db) < 0 || !(fabs(db) <= 400))
        return table_text_fail(&p->table, "level: '%s' is not a number from -400 to 400", level);
    if (limit->count == MASK_POINTS_MAX)
        return table_text_fail(&p->table, "more than %d points", MASK_POINTS_MAX);
    if (limit->count > 0 && hz < limit->point[limit->count - 1].hz)
        return table_text_fail(&p->table, "the frequency is below that of the point before");
    limit->point[limit->count].hz = hz;
    limit->point[limit->count++].db = db;
    return 0;
}

static int add_point(struct parser *p, char *text)
{
    const char *side = table_text_word(&text), *frequency = table_text_word(&text);
    const char *level = table_text_word(&text);
    text = table_text_skip_blanks(text);
    if (!side || !frequency || !level || *text)
        return table_text_fail(&p->table, "a point is: upper or lower, frequency, level");
    if (strcmp(side, "upper") == 0)
        return set_point(p, &p->out->upper, frequency, level);
    if (strcmp(side, "lower") == 0)
        return set_point(p, &p->out->lower, frequency, level);
    return table_text_fail(&p->table, "'%s' is neither upper nor lower", side);
}

static int check_limits(struct parser *p)
{
    const struct mask_text *m = p->out;
    if (m->upper.count + m->lower.count == 0)
        return table_text_fail(&p->table, "there is no point");
    if (!mask_limit_valid(&m->upper) || !mask_limit_valid(&m->lower))
        return table_text_fail(&p->table, "the %s limit needs points at two frequencies",
                               mask_limit_valid(&m->upper) ? "lower" : "upper");
    return 0;
}

int mask_text_parse(struct mask_text *out, const char *text, size_t size, const char *name,
                    struct reason *why)
{
    struct parser p = {.out = out, .table = table_text_of(name, text, size, why)};
    struct table_line line;
    int err = 0, more = 1;
    memset(out, 0, sizeof *out);
    while (err == 0 && (more = table_text_next(&p.table, &line)) > 0)
        err = line.key ? set_key(&p, line.key, line.text) : add_point(&p, line.text);
    err = more < 0 ? more : err;
    return err < 0 ? err : check_limits(&p);
}
