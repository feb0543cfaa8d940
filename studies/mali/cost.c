/* cost.c - the table of passes and operations, by factors: counted, not measured. */
#include <stdio.h>

#include "studies/mali/mali.h"
#include "studies/mali/mixed.h"

enum { TEXT = 96 };

static double operations(const struct mixed_cost *c)
{
    return c->multiplications + c->additions;
}

static struct mixed factors_of(uint32_t n, uint32_t largest)
{
    struct mixed m = {0};
    struct radices radices;
    if (mali_factor(&radices, n, largest))
        for (; m.count < radices.count; m.count++)
            m.radix[m.count] = radices.at[m.count];
    return m;
}

/* As "8^2 x 4". */
static void write_factors(char *text, const struct mixed *m)
{
    int at = 0;
    for (uint32_t s = 0, same; s < m->count; s += same) {
        for (same = 1; s + same < m->count && m->radix[s + same] == m->radix[s];)
            same++;
        at += snprintf(text + at, (size_t)(TEXT - at), "%s%u", s ? " x " : "", m->radix[s]);
        if (same > 1)
            at += snprintf(text + at, (size_t)(TEXT - at), "^%u", same);
    }
}

static void print_row(struct mali_study *s, uint32_t n, uint32_t largest)
{
    const struct mixed m = factors_of(n, largest);
    uint32_t power = 1;
    char text[TEXT];
    while (power < n)
        power *= 2;
    const struct mixed padded = factors_of(power, largest);
    const struct mixed_cost cost = mixed_cost(&m), direct = mixed_direct(n),
                            there = mixed_cost(&padded);
    write_factors(text, &m);
    table_row(&s->study->tables,
              (struct cell[]){CELL_NUMBER(n, 9), CELL_TEXT(text), CELL_NUMBER(cost.passes, 3),
                              CELL_NUMBER(cost.multiplications, 12),
                              CELL_NUMBER(cost.additions, 12),
                              CELL_NUMBER(operations(&direct) / operations(&cost), 3),
                              CELL_NUMBER(operations(&there) / operations(&cost), 3)});
}

int mali_study_cost(struct mali_study *s)
{
    static const char *const columns[] = {"points",          "radices",   "passes",
                                          "multiplications", "additions", "direct:this",
                                          "padded:this",     NULL};
    static const uint32_t powers[] = {256, 4096, 1 << 16, 1 << 20, 1 << 24},
                          others[] = {1000, 5040, 100000};
    table_open(&s->study->tables, "cost",
               "Part 1: a direct sum takes 4 N^2 multiplications. Passes and real operations of "
               "mixed radices, the operations of a direct sum, and those of the next power of two "
               "in multiples of them.",
               columns);
    for (int i = 0; i < 5; i++)
        for (uint32_t largest = 2; largest <= 8; largest *= 2)
            print_row(s, powers[i], largest);
    for (int i = 0; i < 3; i++)
        print_row(s, others[i], 8);
    return 0;
}
