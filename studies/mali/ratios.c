/* ratios.c - tables of forms that differ in one thing, for several sizes. */
#include "studies/mali/mali.h"

#include <stdio.h>

enum { SIZES = 7, RATIOS = 2, QUICK_SIZES = 3 };

/* A size can ask for a form with fewer radices. */
struct size {
    uint32_t n, largest; /* 0: the forms' own value */
};

static const struct size powers[SIZES] = {{256, 0},     {1024, 0},    {4096, 0},   {16384, 0},
                                          {1 << 16, 0}, {1 << 18, 0}, {1 << 20, 0}};
static const struct size long_rows[SIZES] = {{4096, 0},    {1 << 16, 0}, {1 << 17, 0}, {1 << 18, 0},
                                             {1 << 20, 0}, {1 << 22, 0}, {1 << 24, 0}};
static const struct size first_radices[SIZES] = {{1 << 16, 2}, {59049, 8}, {1 << 16, 4},
                                                 {78125, 8},   {16807, 8}, {1 << 15, 8}};

static const struct ratio_table {
    const char *name, *said;
    const struct size *sizes;
    unsigned parts;
    bool single;  /* one row, as in the document, and as many rows as fill the arrays; false: the
                     latter only */
    bool is_long; /* its lengths may exceed the rows that fill the arrays, and are not shortened */
    struct mali_form forms[MALI_CONTESTANTS]; /* ended by largest == 0 */
    const char *columns[TABLE_COLUMNS + 1];   /* ended by NULL */
    double document;                          /* the document's ratio; 0: none */
    uint32_t document_from;                   /* for lengths above this one */
    int ratios[RATIOS][2];                    /* the time of one form divided by that of another */
    int errors[RATIOS];                       /* of these forms */
} tables[] = {
    {.name = "twiddles",
     .said = "\"With these 2 simple optimizations, we are able to improve the performance of "
             "this kernel by a factor of ~1.6/1.7x.\" The kernels between stages alone, "
             "radices to 4: with the whole index, with ky alone, with the constant hoisted, "
             "and with a table.",
     .sizes = powers,
     .parts = MALI_TWIDDLE,
     .single = true,
     .forms = {{4, MALI_NAIVE, MALI_VLOAD, 1},
               {4, MALI_SHORT, MALI_VLOAD, 1},
               {4, MALI_HOISTED, MALI_VLOAD, 1},
               {4, MALI_OWN_TABLE, MALI_VLOAD, 1}},
     .columns = {"points x rows", "naive us", "ky us", "hoisted us", "table us", "document ratio",
                 "naive:ky", "naive:hoisted", "error hoisted", "error table"},
     .document = 1.6,
     .ratios = {{0, 1}, {0, 2}},
     .errors = {2, 3}},
    {.name = "merged",
     .said = "\"The speed-up becomes considerable (~1.5x) already for small N.\" Twiddles "
             "(hoisted) and radices to 4 in separate kernels and in one; and merged with a "
             "table.",
     .sizes = powers,
     .parts = MALI_ALL,
     .single = true,
     .forms = {{4, MALI_HOISTED, MALI_VLOAD, 1},
               {4, MALI_MERGED, MALI_VLOAD, 1},
               {4, MALI_MERGED_TABLE, MALI_VLOAD, 1}},
     .columns = {"points x rows", "separate us", "merged us", "table us", "document ratio",
                 "separate:merged", "separate:table", "error merged", "error table"},
     .document = 1.5,
     .ratios = {{0, 1}, {0, 2}},
     .errors = {1, 2}},
    {.name = "radix",
     .said =
         "\"1.7x better performance for N greater than 4096\" of radix 4 against radix 2 alone; "
         "merged kernels.",
     .sizes = powers,
     .parts = MALI_ALL,
     .single = true,
     .forms = {{2, MALI_MERGED, MALI_VLOAD, 1},
               {4, MALI_MERGED, MALI_VLOAD, 1},
               {8, MALI_MERGED, MALI_VLOAD, 1}},
     .columns = {"points x rows", "radix 2 us", "radix 4 us", "radix 8 us", "document 2:4", "2:4",
                 "2:8", "error 2", "error 8"},
     .document = 1.7,
     .document_from = 4096,
     .ratios = {{0, 1}, {0, 2}},
     .errors = {0, 2}},
    {.name = "radix-tables",
     .said = "The same with roots from tables.",
     .sizes = powers,
     .parts = MALI_ALL,
     .single = true,
     .forms = {{2, MALI_MERGED_TABLE, MALI_VLOAD, 1},
               {4, MALI_MERGED_TABLE, MALI_VLOAD, 1},
               {8, MALI_MERGED_TABLE, MALI_VLOAD, 1}},
     .columns = {"points x rows", "radix 2 us", "radix 4 us", "radix 8 us", "2:4", "2:8", "error 2",
                 "error 8"},
     .ratios = {{0, 1}, {0, 2}},
     .errors = {0, 2}},
    {.name = "first",
     .said = "First stages alone, of radices 2, 3, 4, 5, 7, 8: with the code of later stages; "
             "with vector loads of floats, as in the document; with loads of float4, for even "
             "radices.",
     .sizes = first_radices,
     .parts = MALI_FIRST,
     .forms = {{8, MALI_MERGED, MALI_STRIDED, 1},
               {8, MALI_MERGED, MALI_VLOAD, 1},
               {8, MALI_MERGED, MALI_WIDE, 1}},
     .columns = {"points x rows", "strided us", "vload us", "float4 us", "strided:vload",
                 "strided:float4", "error strided", "error float4"},
     .ratios = {{0, 1}, {0, 2}},
     .errors = {0, 2}},
    {.name = "vectors",
     .said = "One column a work-item (float2) and two (float4); with the document's angles "
             "and with tables. Radices to 4.",
     .sizes = powers,
     .parts = MALI_ALL,
     .single = true,
     .forms = {{4, MALI_MERGED, MALI_VLOAD, 1},
               {4, MALI_MERGED, MALI_WIDE, 2},
               {4, MALI_MERGED_TABLE, MALI_VLOAD, 1},
               {4, MALI_MERGED_TABLE, MALI_WIDE, 2}},
     .columns = {"points x rows", "angle x1 us", "angle x2 us", "table x1 us", "table x2 us",
                 "angle x1:x2", "table x1:x2", "error angle x2", "error table x2"},
     .ratios = {{0, 1}, {2, 3}},
     .errors = {1, 3}},
    {.name = "vectorised",
     .said = "\"For large 1D FFT transforms (greater than 65536 samples), performance "
             "improvements over 7x are observed\" (neiltan, the article before part 1). Radix 2 "
             "with tables: a float at a time, a point (float2), two columns (float4); and radix 8 "
             "with two columns.",
     .sizes = long_rows,
     .parts = MALI_ALL,
     .single = true,
     .is_long = true,
     .forms = {{2, MALI_MERGED_TABLE, MALI_STRIDED, 0},
               {2, MALI_MERGED_TABLE, MALI_STRIDED, 1},
               {2, MALI_MERGED_TABLE, MALI_WIDE, 2},
               {8, MALI_MERGED_TABLE, MALI_WIDE, 2}},
     .columns = {"points x rows", "scalar us", "float2 us", "float4 us", "radix 8 us",
                 "document ratio", "scalar:float4", "scalar:radix 8", "error scalar",
                 "error radix 8"},
     .document = 7,
     .document_from = 65536,
     .ratios = {{0, 2}, {0, 3}},
     .errors = {0, 3}},
    {.name = "roots",
     .said = "All roots of a butterfly from a table, or the first root and its powers. Loads "
             "and stores limit Mali: 17 steps instead of 23 for two butterflies of radix 8.",
     .sizes = powers,
     .parts = MALI_ALL,
     .single = true,
     .forms = {{8, MALI_MERGED_TABLE, MALI_VLOAD, 1},
               {8, MALI_MERGED_TABLE, MALI_WIDE, 2},
               {8, MALI_MERGED_CHAIN, MALI_VLOAD, 1},
               {8, MALI_MERGED_CHAIN, MALI_WIDE, 2}},
     .columns = {"points x rows", "table x1 us", "table x2 us", "chain x1 us", "chain x2 us",
                 "x1 table:chain", "x2 table:chain", "error table x2", "error chain x2"},
     .ratios = {{0, 2}, {1, 3}},
     .errors = {1, 3}},
};

static int print_row(struct mali_study *s, const struct ratio_table *t, const struct size *size,
                     uint32_t rows)
{
    struct mali_form forms[MALI_CONTESTANTS] = {{0}};
    struct mali_result results[MALI_CONTESTANTS];
    struct cell cells[TABLE_COLUMNS];
    const struct mali_batch batch = {size->n, rows, 0};
    struct radices radices;
    char label[48];
    uint32_t count = 0, at = 0;
    for (; count < MALI_CONTESTANTS && t->forms[count].largest; count++) {
        forms[count] = t->forms[count];
        if (size->largest)
            forms[count].largest = size->largest;
    }
    const int err = mali_study_rows(s, &batch, forms, count, t->parts, results);
    if (err != 0)
        return err;
    snprintf(label, sizeof label, "%u x %u", size->n, rows);
    if (t->parts == MALI_FIRST && mali_factor(&radices, size->n, forms[0].largest))
        snprintf(label, sizeof label, "radix %u: %u x %u", radices.at[0], size->n, rows);
    cells[at++] = CELL_TEXT(label);
    for (uint32_t i = 0; i < count; i++)
        cells[at++] = CELL_NUMBER(1e6 * results[i].seconds, 4);
    if (t->document > 0)
        cells[at++] = size->n > t->document_from ? CELL_NUMBER(t->document, 2) : CELL_NONE;
    for (int i = 0; i < RATIOS; i++)
        cells[at++] =
            CELL_NUMBER(results[t->ratios[i][0]].seconds / results[t->ratios[i][1]].seconds, 3);
    for (int i = 0; i < RATIOS; i++)
        cells[at++] = CELL_NUMBER(results[t->errors[i]].error, 2);
    table_row(&s->study->tables, cells);
    return 0;
}

/* For --quick: a smaller power of the same prime. */
static uint32_t quick_length(uint32_t n)
{
    enum { LONGEST = 4096 };
    const uint32_t prime = n % 7 == 0 ? 7 : n % 5 == 0 ? 5 : n % 3 == 0 ? 3 : 2;
    while (n > LONGEST)
        n /= prime;
    return n;
}

static int print_table(struct mali_study *s, const struct ratio_table *t)
{
    const bool quick = s->study->options.quick;
    int err = 0;
    table_open(&s->study->tables, t->name, t->said, t->columns);
    for (int i = 0; err == 0 && i < SIZES && t->sizes[i].n; i++) {
        const struct size size = {quick && !t->is_long ? quick_length(t->sizes[i].n)
                                                       : t->sizes[i].n,
                                  t->sizes[i].largest};
        if (size.n > (t->is_long ? s->longest : s->points) ||
            (quick && t->single && i >= QUICK_SIZES))
            break; /* quick: only the first sizes */
        if (t->single)
            err = print_row(s, t, &size, 1);
        if (err == 0 && (!t->single || size.n < s->points))
            err = print_row(s, t, &size, s->points / size.n);
    }
    return err;
}

int mali_study_ratios(struct mali_study *s)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < sizeof tables / sizeof tables[0]; i++)
        if (study_wants(s->study, tables[i].name))
            err = print_table(s, &tables[i]);
    return err;
}
