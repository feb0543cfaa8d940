/* launcher.c - allocates a plan's memory, and rewrites its uniforms when the number of frames
 * changes. */
#include "fft/qpu/launcher.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/qpu/words.h"

/* Input of a launch. With more, the launch overhead is negligible. */
enum { LAUNCH_BYTES = 1 << 20, MAX_LAUNCH_FRAMES = 64 };
/* The longest transform takes 0.8 s. */
enum { TIMEOUT_MS = 2000 };

/* For columns a multiple of QPU_PLAN_ROWS. */
static uint32_t frames_of_launch(const struct qpu_plan *plan, uint32_t wanted)
{
    const uint32_t by = plan->output == QPU_COLUMNS ? QPU_PLAN_ROWS : 1;
    uint32_t frames = LAUNCH_BYTES / plan->frame_bytes;
    frames = frames < MAX_LAUNCH_FRAMES ? frames : MAX_LAUNCH_FRAMES;
    frames = frames < wanted ? frames : wanted;
    return frames > by ? frames / by * by : by;
}

/* The offset of QPU q's uniforms in bytes. Each QPU's start in a cache line of their own. */
static uint32_t uniforms_offset(const struct qpu_plan *plan, uint32_t q)
{
    uint32_t at = 0;
    while (q--)
        at += (4 * plan->uniform_words[q] + 63) / 64 * 64;
    return at;
}

static int alloc(struct qpu_launcher *l, size_t size, struct qpu_memory *out)
{
    return l->device->ops->alloc(l->device, size, out);
}

static void write_uniforms(struct qpu_launcher *l)
{
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
        qpu_plan_uniforms(&l->plan, &l->layout, q, l->words);
        qpu_words_put((char *)l->uniforms.arm + uniforms_offset(&l->plan, q), l->words,
                      4 * l->plan.uniform_words[q]);
    }
}

static int write_tables(struct qpu_launcher *l)
{
    float *tables = calloc(1, l->plan.table_bytes);
    if (!tables)
        return -ENOMEM;
    qpu_plan_tables(&l->plan, tables);
    qpu_words_put(l->tables.arm, tables, l->plan.table_bytes);
    free(tables);
    return 0;
}

int qpu_launcher_init(struct qpu_launcher *l, struct qpu_device *device, uint32_t code,
                      const struct qpu_task *wanted)
{
    *l = (struct qpu_launcher){.device = device, .task = *wanted};
    l->task.frames = wanted->output == QPU_COLUMNS ? QPU_PLAN_ROWS : 1;
    int err = qpu_plan_init(&l->plan, &l->task);
    if (err)
        return err;
    l->max_frames = l->task.frames = frames_of_launch(&l->plan, wanted->frames);
    err = qpu_plan_init(&l->plan, &l->task);
    const size_t data = (size_t)l->max_frames * l->plan.frame_bytes;
    err = err ? err : alloc(l, l->plan.table_bytes, &l->tables);
    if (!err && wanted->windowed)
        err = alloc(l, sizeof(float) << l->plan.log2_n, &l->window);
    err = err ? err : alloc(l, uniforms_offset(&l->plan, QPU_PLAN_QPUS), &l->uniforms);
    err = err ? err : alloc(l, data, &l->from);
    err = err ? err : alloc(l, data, &l->to);
    if (err)
        return err;
    l->layout = (struct qpu_layout){code, l->tables.bus, l->from.bus, l->to.bus, l->window.bus};
    l->words = calloc(uniforms_offset(&l->plan, QPU_PLAN_QPUS), 1); /* enough for any QPU's */
    if (!l->words)
        return -ENOMEM;
    write_uniforms(l);
    return write_tables(l);
}

void qpu_launcher_finish(struct qpu_launcher *l)
{
    struct qpu_memory *const all[] = {&l->to, &l->from, &l->uniforms, &l->window, &l->tables};
    if (l->device)
        qpu_launch_wait(l->device, &l->launch, -1);
    for (int i = 0; l->device && i < 5; i++)
        l->device->ops->free(l->device, all[i]);
    free(l->words);
}

void qpu_launcher_window(const struct qpu_launcher *l, const float *window)
{
    const double gain = qpu_plan_gain(&l->plan);
    for (uint32_t i = 0; i < 1u << l->plan.log2_n; i++) {
        const float word = (float)(gain * (double)window[i]);
        qpu_words_put((float *)l->window.arm + i, &word, sizeof word);
    }
}

static char *frame_at(const struct qpu_launcher *l, const struct qpu_memory *memory, uint32_t frame)
{
    return (char *)memory->arm + (size_t)frame * l->plan.frame_bytes;
}

void qpu_launcher_put(const struct qpu_launcher *l, uint32_t frame, uint32_t at,
                      const struct fft_iq *from, uint32_t count)
{
    qpu_words_put(frame_at(l, &l->from, frame) + at * sizeof *from, from, count * sizeof *from);
}

static const char *result_at(const struct qpu_launcher *l, uint32_t frame)
{
    return frame_at(l, qpu_plan_in_place(&l->plan) ? &l->from : &l->to, frame);
}

void qpu_launcher_get(const struct qpu_launcher *l, uint32_t frame, uint32_t at, struct fft_iq *to,
                      uint32_t count)
{
    qpu_words_get(to, result_at(l, frame) + at * sizeof *to, count * sizeof *to);
}

void qpu_launcher_powers(const struct qpu_launcher *l, uint32_t frame, uint32_t at, float *to,
                         uint32_t count)
{
    qpu_words_get(to, result_at(l, frame) + at * sizeof *to, count * sizeof *to);
}

int qpu_launcher_start(struct qpu_launcher *l, uint32_t frames)
{
    if (frames != l->plan.frames) {
        l->task.frames = frames;
        int err = qpu_plan_init(&l->plan, &l->task);
        if (err)
            return err;
        write_uniforms(l);
    }
    l->launch = (struct qpu_launch){.code = l->layout.code,
                                    .qpus = QPU_PLAN_QPUS,
                                    .points = (uint64_t)frames << l->plan.log2_n,
                                    .timeout_ms = TIMEOUT_MS};
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        l->launch.uniforms[q] = l->uniforms.bus + uniforms_offset(&l->plan, q);
    return qpu_launch_start(l->device, &l->launch);
}

int qpu_launcher_wait(struct qpu_launcher *l, int timeout_ms)
{
    return qpu_launch_wait(l->device, &l->launch, timeout_ms);
}

int qpu_launcher_run(struct qpu_launcher *l, uint32_t frames)
{
    const int err = qpu_launcher_start(l, frames);
    const int ended = err ? err : qpu_launcher_wait(l, -1);
    return ended < 0 ? ended : 0;
}
