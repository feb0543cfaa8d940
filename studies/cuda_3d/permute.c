/* permute.c - the table of axis orders. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/cuda_3d/cuda_study.h"

enum { POINT_BYTES = sizeof(struct fft_iq) };

void study_permutation(struct study_launch *l, uint32_t n, const uint32_t order[3])
{
    const uint32_t apart[3] = {n * n, n, 1}, tiles = (n + STUDY_TILE - 1) / STUDY_TILE;
    const uint32_t wide = (n + STUDY_TILE * STUDY_TILE_ROWS - 1) / (STUDY_TILE * STUDY_TILE_ROWS);
    *l = (struct study_launch){.module = "permute",
                               .kernel = "permute",
                               .grid = {tiles, tiles, n},
                               .block = STUDY_TILE * STUDY_TILE_ROWS,
                               .shared = STUDY_TILE * (STUDY_TILE + 1) * POINT_BYTES};
    struct study_permute_args *a = &l->args.permute;
    a->fast = order[2];
    for (int i = 0; i < 3; i++) {
        a->n[i] = n;
        a->from_apart[i] = apart[i];
        a->to_apart[order[i]] = apart[i];
    }
    if (order[2] == 2) {
        l->grid[0] = wide;
        l->grid[1] = n;
    }
}

struct permute_work {
    struct cuda_study *study;
    struct study_launch launch;
};

static int permute_enqueue(void *user)
{
    const struct permute_work *w = user;
    return study_launch(w->study, &w->launch);
}

/* Counts the points of the box that are not where the order says. */
static uint64_t count_misplaced(const struct study_permute_args *a, const struct fft_iq *in,
                                const struct fft_iq *out)
{
    uint64_t misplaced = 0;
    for (size_t z = 0; z < a->n[0]; z++)
        for (size_t y = 0; y < a->n[1]; y++)
            for (size_t x = 0; x < a->n[2]; x++) {
                const size_t from = z * a->from_apart[0] + y * a->from_apart[1] + x;
                const size_t to = z * a->to_apart[0] + y * a->to_apart[1] + x * a->to_apart[2];
                misplaced += in[from].re != out[to].re || in[from].im != out[to].im;
            }
    return misplaced;
}

/* misplaced: the share of the points, 0 .. 1. */
static int compare_box(struct cuda_study *s, const struct study_permute_args *a, double *misplaced)
{
    const size_t points = (size_t)a->n[0] * a->n[1] * a->n[2], bytes = points * POINT_BYTES;
    struct fft_iq *in = malloc(bytes), *out = malloc(bytes);
    int err = in && out ? 0 : -ENOMEM;
    if (err == 0)
        err = gpu_read(s->study->gpu, in, s->from, bytes);
    if (err == 0)
        err = gpu_read(s->study->gpu, out, s->to, bytes);
    if (err == 0)
        *misplaced = (double)count_misplaced(a, in, out) / (double)points;
    free(out);
    free(in);
    return err;
}

static int permute_row(struct cuda_study *s, uint32_t n, const uint32_t order[3], double copied)
{
    struct permute_work w = {.study = s};
    const size_t bytes = (size_t)n * n * n * POINT_BYTES;
    const struct study_work work = {permute_enqueue, &w, s->to, bytes, false};
    char text[24];
    double seconds = NAN, misplaced = NAN;
    study_permutation(&w.launch, n, order);
    w.launch.args.permute.from = s->from;
    w.launch.args.permute.to = s->to;
    int err = study_cuda_measure(s, &work, &seconds);
    if (err == 0)
        err = compare_box(s, &w.launch.args.permute, &misplaced);
    snprintf(text, sizeof text, "[%u][%u][%u]", order[0], order[1], order[2]);
    table_row(&s->study->tables,
              (struct cell[]){CELL_TEXT(text), CELL_NUMBER(2e-9 * (double)bytes / seconds, 4),
                              CELL_NUMBER(100 * copied / seconds, 3), CELL_NUMBER(misplaced, 2)});
    study_cuda_judge(s, "permute", text, misplaced, 0);
    return err;
}

int study_cuda_permute(struct cuda_study *s)
{
    static const char *const columns[] = {"[0][1][2] becomes", "GB/s moved", "of a copy, %",
                                          "misplaced", NULL};
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint32_t n = s->study->options.quick ? 128 : 512;
    double copied = NAN;
    int err = study_cuda_copy_seconds(s, (size_t)n * n * n * POINT_BYTES, &copied);
    table_open(&s->study->tables, "permute",
               "The optimised transposition of NVIDIA's samples in three dimensions: it copies "
               "whole lines without bank conflicts.",
               columns);
    for (int i = 0; err == 0 && i < 6; i++)
        err = permute_row(s, n, orders[i], copied);
    return err;
}
