/* qpu_launcher.c - allocates a plan's memory, rewrites its uniforms when the number of frames
 * changes, and splits transforms where a launch must not last long. */
#include "fft/qpu/qpu_launcher.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/qpu/qpu_words.h"

/* Input of a launch. With more, the launch overhead is negligible. */
enum { LAUNCH_BYTES = 1 << 20, MAX_LAUNCH_FRAMES = 64 };
/* The slowest case: 4M points through a window take some 1.6 s on a Raspberry Pi 1, an estimate
 * from the published times. */
enum { PS_OF_POINT_AND_PASS = 100000, TIMEOUT_MS = 5000 };

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

/* The launches of a transform: one, or one a pass if all passes may take more than half of the
 * time that the device allows. */
static uint32_t count_parts(const struct qpu_device *device, const struct qpu_plan *plan)
{
    const uint64_t points = (uint64_t)plan->frames << plan->log2_n;
    const uint64_t ms = points * plan->passes * PS_OF_POINT_AND_PASS / 1000000000;
    return device->limit_ms && ms > device->limit_ms / 2 ? plan->passes : 1;
}

static struct qpu_plan plan_of_part(const struct qpu_launcher *l, uint32_t part)
{
    struct qpu_plan plan = l->plan;
    if (l->parts > 1)
        qpu_plan_part(&l->plan, part, &plan);
    return plan;
}

/* The offset of a part's uniforms in bytes. */
static uint32_t part_offset(const struct qpu_launcher *l, uint32_t part)
{
    uint32_t at = 0;
    while (part--) {
        const struct qpu_plan plan = plan_of_part(l, part);
        at += uniforms_offset(&plan, QPU_PLAN_QPUS);
    }
    return at;
}

static int alloc(struct qpu_launcher *l, size_t size, struct qpu_memory *out)
{
    return l->device->ops->alloc(l->device, size, out);
}

static void write_uniforms(struct qpu_launcher *l)
{
    for (uint32_t part = 0; part < l->parts; part++) {
        const struct qpu_plan plan = plan_of_part(l, part);
        char *to = (char *)l->uniforms.arm + part_offset(l, part);
        for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
            qpu_plan_uniforms(&plan, &l->layout, q, l->words);
            qpu_words_put(to + uniforms_offset(&plan, q), l->words,
                          (size_t)4 * plan.uniform_words[q]);
        }
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
    l->parts = l->part = count_parts(device, &l->plan);
    const size_t data = (size_t)l->max_frames * l->plan.frame_bytes;
    err = err ? err : alloc(l, l->plan.table_bytes, &l->tables);
    if (!err && wanted->windowed)
        err = alloc(l, sizeof(float) * ((1u << l->plan.log2_n) + QPU_PLAN_WINDOW_GAP), &l->window);
    err = err ? err : alloc(l, part_offset(l, l->parts), &l->uniforms);
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
        float word;
        qpu_plan_window(&l->plan, window, i, &word, 1);
        word = (float)(gain * (double)word);
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

static int start_part(struct qpu_launcher *l, uint32_t part)
{
    const struct qpu_plan plan = plan_of_part(l, part);
    const uint32_t uniforms = l->uniforms.bus + part_offset(l, part);
    l->part = part;
    l->launch = (struct qpu_launch){.code = l->layout.code,
                                    .qpus = QPU_PLAN_QPUS,
                                    .timeout_ms = TIMEOUT_MS,
                                    .counters = l->counters};
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        l->launch.uniforms[q] = uniforms + uniforms_offset(&plan, q);
    return qpu_launch_start(l->device, &l->launch);
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
    return start_part(l, 0);
}

/* With a time-out, the wait for each part may take as long. */
int qpu_launcher_wait(struct qpu_launcher *l, int timeout_ms)
{
    int ended = qpu_launch_wait(l->device, &l->launch, timeout_ms);
    while (ended == 1 && l->part + 1 < l->parts) {
        const int err = start_part(l, l->part + 1);
        ended = err ? err : qpu_launch_wait(l->device, &l->launch, timeout_ms);
    }
    return ended;
}

int qpu_launcher_run(struct qpu_launcher *l, uint32_t frames)
{
    const int err = qpu_launcher_start(l, frames);
    const int ended = err ? err : qpu_launcher_wait(l, -1);
    return ended < 0 ? ended : 0;
}
