/* qpu_queue.c - runs the ARM's work in small steps, and between them restarts the QPUs if they are
 * idle. */
#include "fft/qpu/qpu_queue.h"

#include "fft/monotonic.h"
#include "fft/qpu/qpu_frames.h"

/* The limit of both launchers' frames. The GPU has some 64 MiB, and a new plan may be allocated
 * while the old one is in use. */
enum { MAX_DOUBLED_BYTES = 20 << 20 };

static int64_t now_ms(void)
{
    return fft_now_ns() / 1000000;
}

static struct qpu_launcher *launcher_of(struct qpu_queue *q, uint64_t launch)
{
    return &q->launchers[launch % q->launcher_count];
}

/* ---- the QPUs ------------------------------------------------------------------------------ */

static bool is_running(const struct qpu_queue *q)
{
    return q->started > q->ended;
}

static void wait_for_launch(struct qpu_queue *q, int timeout_ms)
{
    const int ended = qpu_launcher_wait(launcher_of(q, q->ended), timeout_ms);
    q->ended += ended == 1;
    if (ended < 0)
        q->err = ended;
}

/* Starts the next loaded launch if the previous one has ended. */
static void keep_qpus_busy(struct qpu_queue *q)
{
    if (!q->err && is_running(q))
        wait_for_launch(q, 0);
    if (q->err || is_running(q) || q->started == q->loaded)
        return;
    q->err = qpu_launcher_start(launcher_of(q, q->started),
                                q->parts[q->started % q->launcher_count].frames);
    q->started += !q->err;
}

/* ---- the ARM ------------------------------------------------------------------------------- */

static bool can_load(const struct qpu_queue *q)
{
    return q->unpacked < q->submitted && q->loaded - q->folded < q->launcher_count;
}

static void load_launch(struct qpu_queue *q)
{
    const struct batch *b = q->batches[q->unpacked % FFT_SPECTRUM_MAX_DEPTH];
    struct qpu_launcher *l = launcher_of(q, q->loaded);
    const size_t hop_bytes = q->plan->hop * fft_iq_bytes(q->plan->format);
    const char *raw = (const char *)b->span + q->next_frame * hop_bytes;
    const uint32_t left = b->partial.frames - q->next_frame;
    const uint32_t count = left < l->max_frames ? left : l->max_frames;
    for (uint32_t i = 0; i < count; i++) {
        qpu_frames_load(q->plan, raw + i * hop_bytes, b->corrected ? &b->correction : NULL, l, i);
        keep_qpus_busy(q);
    }
    q->parts[q->loaded % q->launcher_count] =
        (struct qpu_batch_part){b->index, count, count == left};
    q->loaded++;
    q->unpacked += count == left;
    q->next_frame = count == left ? 0 : q->next_frame + count;
}

static void fold_launch(struct qpu_queue *q)
{
    const struct qpu_batch_part *part = &q->parts[q->folded % q->launcher_count];
    struct qpu_detectors *into = &q->detectors[part->batch];
    qpu_frames_fold(launcher_of(q, q->folded), &q->power, into);
    if (part->last) {
        qpu_power_end(&q->power, into);
        q->done++;
    }
    q->folded++;
}

/*
 * Loads or folds one launch. Loading comes first if the QPUs are idle or nothing is left to fold.
 * Launches that ended before an error are still folded. False: there is nothing to do until a
 * launch ends.
 */
static bool run_next_step(struct qpu_queue *q)
{
    keep_qpus_busy(q);
    const bool idle = !is_running(q);
    if (!q->err && can_load(q) && (idle || q->folded == q->ended))
        load_launch(q);
    else if (q->folded < q->ended)
        fold_launch(q);
    else
        return false;
    keep_qpus_busy(q);
    return true;
}

/* ---- hooks --------------------------------------------------------------------------------- */

static int init_launchers(struct qpu_queue *q, struct qpu_device *device, uint32_t code)
{
    const int err = qpu_frames_init(&q->launchers[0], device, code, q->plan);
    q->launcher_count = 1;
    if (err || 2 * (q->launchers[0].from.size + q->launchers[0].to.size) > MAX_DOUBLED_BYTES)
        return err;
    if (qpu_frames_init(&q->launchers[1], device, code, q->plan) == 0) {
        q->launcher_count = 2;
        return 0;
    }
    qpu_launcher_finish(&q->launchers[1]); /* use one launcher */
    q->launchers[1] = (struct qpu_launcher){0};
    return 0;
}

int qpu_queue_init(struct qpu_queue *q, struct qpu_device *device, uint32_t code,
                   const struct fft_spectrum_config *plan)
{
    *q = (struct qpu_queue){.plan = plan};
    int err = qpu_power_init(&q->power, plan);
    for (uint32_t i = 0; !err && i < plan->depth; i++)
        err = qpu_detectors_init(&q->detectors[i], plan);
    return err ? err : init_launchers(q, device, code);
}

void qpu_queue_finish(struct qpu_queue *q)
{
    for (int i = 0; i < QPU_LAUNCHERS; i++)
        if (q->launchers[i].device)
            qpu_launcher_wait(&q->launchers[i], -1);
    for (int i = 0; i < QPU_LAUNCHERS; i++)
        qpu_launcher_finish(&q->launchers[i]);
    for (uint32_t i = 0; i < FFT_SPECTRUM_MAX_DEPTH; i++)
        qpu_detectors_finish(&q->detectors[i]);
    qpu_power_finish(&q->power);
}

void qpu_queue_submit(struct qpu_queue *q, const struct batch *b)
{
    q->batches[q->submitted++ % FFT_SPECTRUM_MAX_DEPTH] = b;
    keep_qpus_busy(q);
    while (!q->err && can_load(q)) { /* limited by the launchers, because submit folds nothing */
        load_launch(q);
        keep_qpus_busy(q);
    }
}

static void publish(const struct qpu_queue *q, struct batch *b)
{
    const struct qpu_detectors *t = &q->detectors[b->index];
    b->partial.sum = t->sum;
    b->partial.max = t->max;
    b->partial.min = t->min;
    b->partial.last = t->last;
    b->partial.hits = t->hits;
}

int qpu_queue_poll(struct qpu_queue *q, struct batch *b, int timeout_ms)
{
    const int64_t until = now_ms() + timeout_ms;
    bool late = false;
    while (q->done == q->polled && !late) {
        const bool worked = run_next_step(q);
        const int64_t left = until - now_ms();
        if (!worked && q->err)
            break;
        if (!worked)
            wait_for_launch(q, timeout_ms < 0 ? -1 : left > 0 ? (int)left : 0);
        late = timeout_ms >= 0 && left <= 0;
    }
    if (q->done > q->polled) {
        q->polled++;
        publish(q, b);
        return 1;
    }
    return q->err;
}
