/* work.c - memory of a launch, and its uniforms, which are written anew when the frames' count
 * changes. */
#include "fft/qpu/work.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/qpu/words.h"

enum {
    LAUNCH_BYTES = 1 << 20,
    MAX_LAUNCH_FRAMES = 64
};                          /* of input; beyond, a launch costs nothing */
enum { TIMEOUT_MS = 2000 }; /* the longest transform takes 0.8 s */

/* Columns: rows come by QPU_PLAN_ROWS. */
static uint32_t frames_of_launch(const struct qpu_plan *plan, uint32_t wanted)
{
    const uint32_t by = plan->output == QPU_COLUMNS ? QPU_PLAN_ROWS : 1;
    uint32_t frames = LAUNCH_BYTES / plan->frame_bytes;
    frames = frames < MAX_LAUNCH_FRAMES ? frames : MAX_LAUNCH_FRAMES;
    frames = frames < wanted ? frames : wanted;
    return frames > by ? frames / by * by : by;
}

/* Where each QPU's uniforms begin: a line of the cache each, so that none is shared. */
static uint32_t uniforms_at(const struct qpu_plan *plan, uint32_t q)
{
    uint32_t at = 0;
    while (q--)
        at += (4 * plan->uniform_words[q] + 63) / 64 * 64;
    return at;
}

static int alloc(struct qpu_work *w, size_t size, struct qpu_memory *out)
{
    return w->device->ops->alloc(w->device, size, out);
}

static void write_uniforms(struct qpu_work *w)
{
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
        qpu_plan_uniforms(&w->plan, &w->layout, q, w->words);
        qpu_words_put((char *)w->uniforms.arm + uniforms_at(&w->plan, q), w->words,
                      4 * w->plan.uniform_words[q]);
    }
}

static int write_tables(struct qpu_work *w)
{
    float *tables = calloc(1, w->plan.table_bytes);
    if (!tables)
        return -ENOMEM;
    qpu_plan_tables(&w->plan, tables);
    qpu_words_put(w->tables.arm, tables, w->plan.table_bytes);
    free(tables);
    return 0;
}

int qpu_work_init(struct qpu_work *w, struct qpu_device *device, uint32_t code,
                  const struct qpu_task *wanted)
{
    *w = (struct qpu_work){.device = device, .task = *wanted};
    w->task.frames = wanted->output == QPU_COLUMNS ? QPU_PLAN_ROWS : 1;
    int err = qpu_plan_init(&w->plan, &w->task);
    if (err)
        return err;
    w->most_frames = w->task.frames = frames_of_launch(&w->plan, wanted->frames);
    err = qpu_plan_init(&w->plan, &w->task);
    const size_t data = (size_t)w->most_frames * w->plan.frame_bytes;
    err = err ? err : alloc(w, w->plan.table_bytes, &w->tables);
    if (!err && wanted->windowed)
        err = alloc(w, sizeof(float) << w->plan.log2_n, &w->window);
    err = err ? err : alloc(w, uniforms_at(&w->plan, QPU_PLAN_QPUS), &w->uniforms);
    err = err ? err : alloc(w, data, &w->from);
    err = err ? err : alloc(w, data, &w->to);
    if (err)
        return err;
    w->layout = (struct qpu_layout){code, w->tables.bus, w->from.bus, w->to.bus, w->window.bus};
    w->words = calloc(uniforms_at(&w->plan, QPU_PLAN_QPUS), 1); /* more than any one QPU's */
    if (!w->words)
        return -ENOMEM;
    write_uniforms(w);
    return write_tables(w);
}

void qpu_work_finish(struct qpu_work *w)
{
    struct qpu_memory *const all[] = {&w->to, &w->from, &w->uniforms, &w->window, &w->tables};
    if (w->device)
        qpu_launch_wait(w->device, &w->launch, -1);
    for (int i = 0; w->device && i < 5; i++)
        w->device->ops->free(w->device, all[i]);
    free(w->words);
}

void qpu_work_window(const struct qpu_work *w, const float *window)
{
    const double gain = qpu_plan_gain(&w->plan);
    for (uint32_t i = 0; i < 1u << w->plan.log2_n; i++) {
        const float word = (float)(gain * (double)window[i]);
        qpu_words_put((float *)w->window.arm + i, &word, sizeof word);
    }
}

static char *frame_at(const struct qpu_work *w, const struct qpu_memory *memory, uint32_t frame)
{
    return (char *)memory->arm + (size_t)frame * w->plan.frame_bytes;
}

void qpu_work_put(const struct qpu_work *w, uint32_t frame, uint32_t at, const struct fft_iq *from,
                  uint32_t count)
{
    qpu_words_put(frame_at(w, &w->from, frame) + at * sizeof *from, from, count * sizeof *from);
}

static const char *result_at(const struct qpu_work *w, uint32_t frame)
{
    return frame_at(w, qpu_plan_in_place(&w->plan) ? &w->from : &w->to, frame);
}

void qpu_work_get(const struct qpu_work *w, uint32_t frame, uint32_t at, struct fft_iq *to,
                  uint32_t count)
{
    qpu_words_get(to, result_at(w, frame) + at * sizeof *to, count * sizeof *to);
}

void qpu_work_powers(const struct qpu_work *w, uint32_t frame, uint32_t at, float *to,
                     uint32_t count)
{
    qpu_words_get(to, result_at(w, frame) + at * sizeof *to, count * sizeof *to);
}

int qpu_work_start(struct qpu_work *w, uint32_t frames)
{
    if (frames != w->plan.frames) {
        w->task.frames = frames;
        int err = qpu_plan_init(&w->plan, &w->task);
        if (err)
            return err;
        write_uniforms(w);
    }
    w->launch = (struct qpu_launch){.code = w->layout.code,
                                    .qpus = QPU_PLAN_QPUS,
                                    .points = (uint64_t)frames << w->plan.log2_n,
                                    .timeout_ms = TIMEOUT_MS};
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        w->launch.uniforms[q] = w->uniforms.bus + uniforms_at(&w->plan, q);
    return qpu_launch_start(w->device, &w->launch);
}

int qpu_work_wait(struct qpu_work *w, int timeout_ms)
{
    return qpu_launch_wait(w->device, &w->launch, timeout_ms);
}

int qpu_work_run(struct qpu_work *w, uint32_t frames)
{
    const int err = qpu_work_start(w, frames);
    const int ended = err ? err : qpu_work_wait(w, -1);
    return ended < 0 ? ended : 0;
}
