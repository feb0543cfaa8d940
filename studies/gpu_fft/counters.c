/* counters.c - the table of events that the QPUs count: on a Raspberry Pi, its GPU's own. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/qpu/qpu_launcher.h"
#include "fft/qpu/qpu_state.h"
#include "studies/gpu_fft/gpu_fft.h"

enum { TEXT = 24, RUNS = 5, COLUMNS = 10 };

static struct cell count_cell(uint64_t count)
{
    return count == UINT64_MAX ? CELL_NONE : CELL_NUMBER((double)count, 6);
}

/* Transforms noise RUNS times; the shortest time in ms, and the events of the last run. */
static int run_length(struct qpu_engine *q, uint32_t log2_n, double *ms, uint64_t *counters)
{
    struct qpu_launcher l;
    const uint32_t n = 1u << log2_n;
    const struct qpu_task task = {.log2_n = log2_n, .frames = 1, .output = QPU_BINS};
    struct fft_iq *noise = malloc(n * sizeof *noise);
    int err = noise ? qpu_launcher_init(&l, &q->device, q->code.bus, &task) : -ENOMEM;
    if (!noise)
        return err;
    noise_fill(noise, n);
    l.counters = counters;
    *ms = (double)INFINITY;
    for (int i = 0; !err && i < RUNS; i++) {
        memset(counters, 0, QPU_COUNTERS * sizeof *counters);
        qpu_launcher_put(&l, 0, 0, noise, n); /* a run overwrites its input */
        const double from = contest_clock(false);
        err = qpu_launcher_run(&l, 1);
        *ms = fmin(*ms, 1e3 * (contest_clock(false) - from));
    }
    qpu_launcher_finish(&l);
    free(noise);
    return err;
}

static int counters_row(struct study *s, struct fft_engine *e, uint32_t log2_n)
{
    const bool emulated = strcmp(fft_engine_name(e), "qpu") != 0;
    uint64_t counters[QPU_COUNTERS];
    double ms;
    char n[TEXT];
    const int err = run_length(e->priv, log2_n, &ms, counters);
    if (err)
        return bench_fail(fft_engine_name(e), strerror(-err));
    snprintf(n, sizeof n, "%u", 1u << log2_n);
    const double document_ms = gpu_fft[log2_n - GPU_FFT_MIN_LOG2].one_ms;
    struct cell cells[COLUMNS] = {CELL_TEXT(n), emulated ? CELL_NONE : CELL_NUMBER(ms, 3),
                                  CELL_NUMBER(document_ms, 3)};
    for (int i = 0; i < QPU_COUNTERS; i++)
        cells[3 + i] = count_cell(counters[i]);
    table_row(&s->tables, cells);
    return 0;
}

int study_gpu_fft_counters(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "ms",
                                          "document, ms",
                                          "idle, cycles",
                                          "executing, cycles",
                                          "stalled by TMUs, cycles",
                                          "instruction cache misses",
                                          "uniform cache misses",
                                          "TMU cache misses",
                                          "L2 cache misses",
                                          NULL};
    const char *wanted = s->options.engine;
    const struct fft_engine_config config = {.name = strcmp(wanted, "auto") ? wanted : "qpu"};
    struct fft_engine *e;
    char why[400];
    table_open(&s->tables, "counters",
               "Of one transform: the shortest of five runs, and what the GPU's performance "
               "counters count, on a Raspberry Pi alone.\nWith --engine qpu-emu what the emulator "
               "counts of the same events.",
               columns);
    int err = fft_engine_open(&e, &config, why, sizeof why);
    if (err) {
        table_row(&s->tables,
                  (struct cell[COLUMNS]){CELL_TEXT(why), CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE,
                                         CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE});
        return 0;
    }
    for (uint32_t log2_n = GPU_FFT_MIN_LOG2; !err && log2_n <= study_gpu_fft_largest(s); log2_n++)
        err = counters_row(s, e, log2_n);
    fft_engine_close(e);
    return err;
}
