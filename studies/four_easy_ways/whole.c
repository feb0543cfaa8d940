/* whole.c - tables I and II, of whole programs, and each library's largest size. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/four_easy_ways/document.h"
#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/libraries.h"
#include "studies/four_easy_ways/once.h"

enum { RUNS = 3 /* as in the document */ };
static const double long_run_s = 20;

static bool have_kiss(void)
{
    struct kiss k;
    const bool have = kiss_open(&k);
    kiss_close(&k);
    return have;
}

static bool is_installed(const struct study *s, const char *library)
{
    if (strncmp(library, "fftw", 4) == 0)
        return s->fftw;
    return strcmp(library, "kiss") != 0 || have_kiss();
}

/* The mean of three runs, or one that takes long. NaN: not installed, or failed. -EIO: wrong. */
static int whole_seconds(const struct study *s, const char *library, uint32_t n, double *seconds)
{
    double sum = 0, once = NAN;
    int runs = 0, status = is_installed(s, library) ? ONCE_DONE : ONCE_FAILED;
    while (status == ONCE_DONE && runs < (s->options.quick ? 1 : RUNS) &&
           !(runs > 0 && once > long_run_s)) {
        status = once_run(s, library, n, 0, &once);
        sum += once;
        runs++;
    }
    *seconds = status == ONCE_DONE ? sum / runs : NAN;
    return status < 0 ? status : status == ONCE_WRONG ? -EIO : 0;
}

/* Fills the table's cells from the second one. */
static int measure(const struct study *s, const char *const *libraries, uint32_t n,
                   struct cell *cells)
{
    int err = 0;
    for (uint32_t i = 0; err == 0 && libraries[i]; i++) {
        double seconds;
        err = whole_seconds(s, libraries[i], n, &seconds);
        cells[i + 1] = CELL_NUMBER(seconds, 3);
    }
    return err;
}

enum { LIBRARIES = 4, FIRST_DOCUMENTED = 1 + LIBRARIES, MOST_DOCUMENTED = 5 };

/* A row for each size: the libraries' times, then the document's cells, which `document` fills. */
static int print_rows(struct study *s, const char *const *libraries,
                      void (*document)(uint32_t n, struct cell *cells))
{
    const struct counts sizes = study_sizes(s, 1 << 3, 2, 1 << 24);
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < sizes.count; i++) {
        char text[12];
        struct cell cells[FIRST_DOCUMENTED + MOST_DOCUMENTED] = {
            CELL_TEXT(study_size_text(sizes.at[i], text))};
        document(sizes.at[i], cells + FIRST_DOCUMENTED);
        err = measure(s, libraries, sizes.at[i], cells);
        if (err == 0)
            table_row(&s->tables, cells);
    }
    return err;
}

static void document_origin_cells(uint32_t n, struct cell *cells)
{
    const struct document_origin d = document_origin(n);
    cells[0] = CELL_NUMBER(d.radix2, 4);
    cells[1] = CELL_NUMBER(d.imsl, 4);
    cells[2] = CELL_NUMBER(d.nag, 4);
    cells[3] = CELL_NUMBER(d.scsl, 4);
    cells[4] = CELL_NUMBER(d.fftw, 4);
}

static void document_sp2_cells(uint32_t n, struct cell *cells)
{
    const struct document_sp2 d = document_sp2(n);
    cells[0] = CELL_NUMBER(d.radix2, 4);
    cells[1] = CELL_NUMBER(d.essl, 4);
    cells[2] = CELL_NUMBER(d.fftw, 5);
}

int study_table_1(struct study *s)
{
    static const char *const columns[] = {"n, seconds",
                                          "radix 2",
                                          "engine",
                                          "FFTW MEASURE",
                                          "KISS FFT",
                                          "document, own",
                                          "document, IMSL",
                                          "document, NAG",
                                          "document, SCSL",
                                          "document, FFTW",
                                          NULL};
    static const char *const libraries[] = {"radix", "engine", "fftw-measure", "kiss", NULL};

    table_open(
        &s->tables, "table-1",
        "Table I, on the Origin 2000: \"we time the execution of the entire executable, "
        "which includes the creation of the\n"
        "FFTW plan\". Here: a process from start to end, the mean of three. IMSL and NAG are "
        "commercial, SCSL is part of IRIX:\n"
        "not measured here.",
        columns);
    return print_rows(s, libraries, document_origin_cells);
}

int study_table_2(struct study *s)
{
    static const char *const columns[] = {"n, seconds",     "radix 2",        "engine",
                                          "FFTW ESTIMATE",  "no transform",   "document, own",
                                          "document, ESSL", "document, FFTW", NULL};
    static const char *const libraries[] = {"radix", "engine", "fftw-estimate", "nothing", NULL};

    table_open(&s->tables, "table-2",
               "Table II, on the SP-2: whole programs; a missing figure failed there. ESSL is "
               "commercial: not measured here.\n"
               "FFTW's plan is estimated here, and a program without a transform shows what the "
               "process itself takes.",
               columns);
    return print_rows(s, libraries, document_sp2_cells);
}

/* ---- the largest size ---------------------------------------------------------------------- */

enum { LIMIT_MIB = 64 /* the SUN 20's memory */, QUICK_LIMIT_MIB = 16, FIRST = 1 << 12 };

/* The largest size before failure on the document's machines; 0: not measured there. */
static const struct limit {
    const char *name, *library; /* NULL: not measured here */
    double origin, sp2, sparc;
    const char *why;
} limits[] = {
    {"radix 2", "radix", 1 << 24, 1 << 23, 1 << 24, NULL},
    {"engine", "engine", 0, 0, 0, NULL},
    {"FFTW", "fftw-estimate", 1 << 24, 1 << 22, 1 << 23, "not installed"},
    {"KISS FFT", "kiss", 0, 0, 0, "not installed"},
    {"IMSL", NULL, 1 << 24, 0, 0, "commercial"},
    {"NAG", NULL, 1 << 24, 0, 0, "commercial"},
    {"SCSL", NULL, 1 << 24, 0, 0, "part of IRIX"},
    {"ESSL", NULL, 0, 1 << 21, 0, "commercial"},
};

/* Returns the largest power of two that succeeds; 0: none. -EIO: a wrong result. */
static int largest_size(const struct study *s, const char *library, size_t bytes, uint32_t *largest)
{
    double seconds;
    *largest = 0;
    for (uint32_t n = FIRST; n <= FFT_TRANSFORM_MAX_POINTS; n *= 2) {
        const int status = once_run(s, library, n, bytes, &seconds);
        if (status != ONCE_DONE)
            return status < 0 ? status : status == ONCE_WRONG ? -EIO : 0;
        *largest = n;
    }
    return 0;
}

static int largest_row(struct study *s, const struct limit *l, uint32_t mib)
{
    const bool measured = l->library && is_installed(s, l->library);
    uint32_t n = 0;
    const int err = measured ? largest_size(s, l->library, (size_t)mib << 20, &n) : 0;
    if (err == 0)
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT(l->name), CELL_NUMBER(measured ? (double)mib : NAN, 4),
                                  CELL_NUMBER(measured ? (double)n : NAN, 10),
                                  CELL_NUMBER(l->origin ? l->origin : NAN, 10),
                                  CELL_NUMBER(l->sp2 ? l->sp2 : NAN, 10),
                                  CELL_NUMBER(l->sparc ? l->sparc : NAN, 10),
                                  measured ? CELL_NONE : CELL_TEXT(l->why)});
    return err;
}

int study_largest_sizes(struct study *s)
{
    static const char *const columns[] = {
        "library",        "memory, MiB",     "largest n",    "document, Origin",
        "document, SP-2", "document, SPARC", "not measured", NULL};
    const uint32_t mib = s->options.quick ? QUICK_LIMIT_MIB : LIMIT_MIB;
    int err = 0;

    table_open(&s->tables, "largest",
               "\"We were able to run successfully for a vector 4 194 304 elements larger\": the "
               "largest power of two before a failure.\n"
               "On the Origin 2000 none failed to 2^24. Here a process may have as much memory as "
               "the SUN 20; it needs 16 bytes a\n"
               "point for input and output.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof limits / sizeof limits[0]; i++)
        err = largest_row(s, &limits[i], mib);
    return err;
}
