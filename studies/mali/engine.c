/* engine.c - the table that compares the document's pipeline, an improved one of the same steps,
 * and the engine's transform. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/mali/mali.h"

enum { DOCUMENT, STEPS, ENGINE, CONTESTANTS };

struct engine_work {
    struct fft_engine *engine;
    struct fft_transform *transform;
    struct fft_buffer *in, *out;
};

static int enqueue(void *user)
{
    const struct engine_work *w = user;
    return fft_transform_execute_buffers(w->transform, w->in, w->out);
}

static int finish(void *user)
{
    return fft_engine_wait(((const struct engine_work *)user)->engine);
}

static int fill(struct mali_study *s, struct engine_work *w, size_t bytes)
{
    void *at;
    int err = fft_buffer_create(&w->in, w->engine, bytes);
    if (err == 0)
        err = fft_buffer_create(&w->out, w->engine, bytes);
    if (err == 0)
        err = fft_buffer_map(w->in, FFT_BUFFER_WRITE, &at);
    if (err != 0)
        return err;
    memcpy(at, s->noise, bytes);
    return fft_buffer_unmap(w->in);
}

static int check(struct mali_study *s, struct engine_work *w, uint32_t n, double *error)
{
    void *at;
    int err = enqueue(w);
    if (err == 0)
        err = fft_buffer_map(w->out, FFT_BUFFER_READ, &at);
    if (err != 0)
        return err;
    err = mali_study_hold(s, at, n, error);
    const int late = fft_buffer_unmap(w->out);
    return err < 0 ? err : late;
}

static int prepare(struct mali_study *s, struct engine_work *w, uint32_t n, uint32_t rows,
                   double *error)
{
    const struct fft_transform_config plan = {
        .type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {n}, .batch = rows, .on_buffers = true};
    char why[200];
    int err = fft_transform_create(&w->transform, w->engine, &plan, why, sizeof why);
    if (err < 0)
        return bench_fail("engine", why);
    err = fill(s, w, (size_t)n * rows * sizeof(struct fft_iq));
    return err < 0 ? err : check(s, w, n, error);
}

static int print_row(struct mali_study *s, struct fft_engine *engine, uint32_t n, uint32_t rows)
{
    static const struct mali_form forms[] = {{4, MALI_MERGED, MALI_VLOAD, 1},
                                             {8, MALI_MERGED_TABLE, MALI_WIDE, 2}};
    const struct mali_batch batch = {n, rows, 0};
    struct mali *m = calloc(2, sizeof *m);
    struct engine_work w = {.engine = engine};
    struct ocl_work works[CONTESTANTS] = {
        {.enqueue = mali_enqueue}, {.enqueue = mali_enqueue}, {enqueue, &w, 0, finish}};
    double errors[CONTESTANTS];
    char label[32];
    int err = m ? prepare(s, &w, n, rows, &errors[ENGINE]) : -ENOMEM;
    for (int i = 0; err == 0 && i < ENGINE; i++) {
        works[i].user = &m[i];
        err = mali_init(&m[i], s->ocl, &forms[i], &batch, s->in, s->out);
        if (err == 0)
            err = mali_enqueue(&m[i]);
        if (err == 0)
            err = mali_study_error(s, n, &errors[i]);
    }
    if (err == 0)
        err = ocl_seconds(s->ocl, works, CONTESTANTS, s->study->options.quick);
    snprintf(label, sizeof label, "%u x %u", n, rows);
    if (err == 0)
        table_row(&s->study->tables,
                  (struct cell[]){CELL_TEXT(label), CELL_NUMBER(1e6 * works[0].seconds, 4),
                                  CELL_NUMBER(1e6 * works[1].seconds, 4),
                                  CELL_NUMBER(1e6 * works[2].seconds, 4),
                                  CELL_NUMBER(works[0].seconds / works[2].seconds, 3),
                                  CELL_NUMBER(works[1].seconds / works[2].seconds, 3),
                                  CELL_NUMBER(errors[0], 2), CELL_NUMBER(errors[1], 2),
                                  CELL_NUMBER(errors[2], 2)});
    for (int i = 0; m && i < ENGINE; i++)
        if (m[i].ocl)
            mali_finish(&m[i]);
    free(m);
    fft_transform_destroy(w.transform);
    fft_buffer_destroy(w.in);
    fft_buffer_destroy(w.out);
    return err;
}

/* Opens the engine on the same device, by its index in the list of all devices. */
static int open_engine(struct mali_study *s)
{
    const struct study_options *o = &s->study->options;
    const char *name = strcmp(o->engine, "auto") == 0 ? "opencl" : o->engine;
    const struct fft_engine_config config = {.name = name, .options = o->engine_options};
    char why[400];
    const int err = fft_engine_open(&s->study->engine, &config, why, sizeof why);
    return err < 0 ? bench_fail("engine", why) : 0;
}

int mali_study_engine(struct mali_study *s)
{
    static const char *const columns[] = {
        "points x rows", "document us",    "steps us",    "engine us",    "document:engine",
        "steps:engine",  "error document", "error steps", "error engine", NULL};
    static const uint32_t sizes[] = {256, 1024, 4096, 1 << 14, 1 << 16, 1 << 18, 1 << 20};
    int err = open_engine(s);
    table_open(&s->study->tables, "engine",
               "The document's steps (merged, radices to 4, vector loads); the same steps with "
               "tables, radices to 8 and two columns a work-item; the engine's transform.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] <= s->points)
            err = print_row(s, s->study->engine, sizes[i], s->points / sizes[i]);
    return err;
}
