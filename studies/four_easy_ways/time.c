/* time.c - the tables of times by size, with and without planning. */
#include <math.h>
#include <stdio.h>

#include "studies/four_easy_ways/document.h"
#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/work.h"

/* The last row's size and times; 0: there is no last row. */
struct doubling {
    uint32_t n;
    double radix2, engine, document;
};

static void doubling_row(struct study *s, struct work *w, struct doubling *last)
{
    const struct doubling now = {w->n, study_general_seconds(s, w->n, 2, NULL),
                                 study_seconds(s, work_engine_again, w),
                                 document_origin(w->n).radix2};
    const bool half = 2 * last->n == w->n;
    char text[12];
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(study_size_text(w->n, text)), CELL_NUMBER(now.radix2, 3),
                              CELL_NUMBER(half ? now.radix2 / last->radix2 : NAN, 3),
                              CELL_NUMBER(now.engine, 3),
                              CELL_NUMBER(half ? now.engine / last->engine : NAN, 3),
                              CELL_NUMBER(now.document, 3),
                              CELL_NUMBER(half ? now.document / last->document : NAN, 3)});
    *last = now;
}

int study_doubling(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "radix 2, s",
                                          "to the half",
                                          "engine, s",
                                          "engine, to the half",
                                          "document, s",
                                          "document, to the half",
                                          NULL};
    const struct counts sizes = study_sizes(s, 1 << 3, 2, 1 << 24);
    struct doubling last = {0};
    int err = 0;

    table_open(&s->tables, "doubling",
               "Table I: \"a doubling of time when the vector size is doubled for all vector "
               "sizes\". The columns are the general radix\n"
               "with base 2, the engine's transform, and the document's program on the Origin "
               "2000.",
               columns);
    for (uint32_t i = 0; err == 0 && i < sizes.count; i++) {
        struct work w;
        err = work_init(&w, s, sizes.at[i]);
        if (err == 0)
            doubling_row(s, &w, &last);
        work_finish(&w);
    }
    return err;
}

static void plan_row(struct study *s, struct work *w)
{
    char text[12];
    table_row(&s->tables, (struct cell[]){CELL_TEXT(study_size_text(w->n, text)),
                                          CELL_NUMBER(study_seconds(s, work_general_anew, w), 3),
                                          CELL_NUMBER(study_seconds(s, work_engine_anew, w), 3),
                                          CELL_NUMBER(study_seconds(s, work_engine_again, w), 3),
                                          CELL_NUMBER(work_fftw_anew_seconds(w, FFTW_ESTIMATE), 3),
                                          CELL_NUMBER(work_fftw_anew_seconds(w, FFTW_MEASURE), 3),
                                          CELL_NUMBER(work_fftw_again_seconds(w), 3),
                                          CELL_NUMBER(document_origin(w->n).radix2, 3),
                                          CELL_NUMBER(document_origin(w->n).fftw, 4)});
}

int study_plan(struct study *s)
{
    static const char *const columns[] = {
        "n, seconds",    "general, anew",  "engine, anew",  "engine, again",  "ESTIMATE, anew",
        "MEASURE, anew", "MEASURE, again", "document, own", "document, FFTW", NULL};
    const struct counts sizes = study_sizes(s, 1 << 4, 16, 1 << 24);
    int err = 0;

    table_open(&s->tables, "plan",
               "Table I: the whole program, \"which includes the creation of the FFTW plan\", "
               "on the Origin 2000: 13 times as fast\n"
               "as FFTW at 2^24. Anew: planning included; again: the plan is reused. One "
               "transform; FFTW's columns are by effort.",
               columns);
    for (uint32_t i = 0; err == 0 && i < sizes.count; i++) {
        struct work w;
        err = work_init(&w, s, sizes.at[i]);
        if (err == 0)
            plan_row(s, &w);
        work_finish(&w);
    }
    return err;
}
