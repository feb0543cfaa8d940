/* curves.c - which bases and sizes are measured, and the curves of all bases over all sizes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/once.h"

/* ---- --n and --radix ---------------------------------------------------------------------- */

bool study_is_power(uint32_t n, uint32_t base)
{
    while (n % base == 0)
        n /= base;
    return n == 1;
}

static bool listed(const struct counts *list, uint32_t value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == value)
            return true;
    return list->count == 0;
}

bool study_wants_base(const struct study *s, uint32_t n, uint32_t base)
{
    return study_is_power(n, base) && listed(&s->options.radix, base);
}

struct counts study_sizes(const struct study *s, uint32_t least, uint32_t factor, uint32_t most)
{
    struct counts sizes = s->options.n;
    if (sizes.count)
        return sizes;
    for (uint32_t n = least; n <= study_largest(s, most); n *= factor)
        sizes.at[sizes.count++] = n;
    return sizes;
}

const char *study_size_text(uint32_t n, char text[12])
{
    if (study_is_power(n, 2))
        snprintf(text, 12, "2^%d", __builtin_ctz(n));
    else
        snprintf(text, 12, "%u", n);
    return text;
}

/* Returns the first size that no base of --radix makes. 0: there is none. */
static uint32_t size_without_base(const struct study_options *o)
{
    for (uint32_t i = 0; i < o->n.count; i++) {
        bool made = o->radix.count == 0;
        for (uint32_t k = 0; k < o->radix.count; k++)
            made = made || study_is_power(o->n.at[i], o->radix.at[k]);
        if (!made)
            return o->n.at[i];
    }
    return 0;
}

static bool compares_bases(const char *table)
{
    static const char *const tables[] = {"radix", "curves", "model"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(table, tables[i]) == 0)
            return true;
    return false;
}

/* --radix alone asks for the table of bases. */
int study_check_sizes(struct study *s)
{
    struct study_options *o = &s->options;
    const uint32_t odd = size_without_base(o);
    if (o->once)
        return study_check_once(o);
    if (odd) {
        bench_error("--n: %u is a power of no base of --radix", odd);
        return -EINVAL;
    }
    if (o->radix.count && !o->table)
        o->table = "radix";
    if (o->table && compares_bases(o->table))
        return 0;
    for (uint32_t i = 0; i < o->n.count; i++)
        if (!fft_radix_is_smooth(o->n.at[i])) {
            bench_error("--n: %u has a prime factor above 7: only the tables radix, curves and "
                        "model take it",
                        o->n.at[i]);
            return -EINVAL;
        }
    if (!o->radix.count)
        return 0;
    bench_error("--radix: the table %s compares no bases; radix, curves and model do", o->table);
    return -EINVAL;
}

/* ---- curves ------------------------------------------------------------------------------ */

static double base_ns(struct study *s, uint32_t n, uint32_t base)
{
    return study_wants_base(s, n, base) ? 1e9 * study_general_seconds(s, n, base, NULL) / n : NAN;
}

int study_curves(struct study *s)
{
    static const char *const columns[] = {"n, ns a point", "radix 2",  "radix 4",  "radix 8",
                                          "radix 16",      "radix 32", "radix 64", "radix 128",
                                          "radix 256",     NULL};
    const struct counts sizes = study_sizes(s, 1 << 3, 2, 1 << 24);

    table_open(&s->tables, "curves",
               "Figures 18 to 21: the time of every base over all sizes 2^3 to 2^24. The document "
               "draws curves; 32 is the\nbase that it leaves out of table III, because it does not "
               "make 2^24.",
               columns);
    for (uint32_t i = 0; i < sizes.count; i++) {
        struct cell cells[TABLE_COLUMNS];
        char text[12];
        uint32_t column = 0;
        cells[column++] = CELL_TEXT(study_size_text(sizes.at[i], text));
        for (uint32_t base = 2; base <= GENERAL_MAX_RADIX; base *= 2)
            cells[column++] = CELL_NUMBER(base_ns(s, sizes.at[i], base), 3);
        table_row(&s->tables, cells);
    }
    return 0;
}
