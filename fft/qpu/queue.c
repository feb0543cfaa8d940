/* queue.c - one thread; between any two pieces of the ARM's work it looks whether QPUs are idle. */
#include "fft/qpu/queue.h"

#include <time.h>

#include "fft/qpu/frames.h"

/* Of both slots' frames; the GPU has 64 MiB or so, and a plan may be made ready beside the one at
 * work. */
enum { MOST_DOUBLED_BYTES = 20 << 20 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct qpu_work *slot(struct qpu_queue *q, uint64_t launch)
{
    return &q->slots[launch % q->slot_count];
}

/* ---- the QPUs ------------------------------------------------------------------------------ */

static bool runs(const struct qpu_queue *q)
{
    return q->started > q->ended;
}

static void wait(struct qpu_queue *q, int timeout_ms)
{
    const int ended = qpu_work_wait(slot(q, q->ended), timeout_ms);
    q->ended += ended == 1;
    if (ended < 0)
        q->err = ended;
}

/* Never lets the QPUs idle while a launch is loaded. */
static void look(struct qpu_queue *q)
{
    if (!q->err && runs(q))
        wait(q, 0);
    if (q->err || runs(q) || q->started == q->loaded)
        return;
    q->err = qpu_work_start(slot(q, q->started), q->jobs[q->started % q->slot_count].frames);
    q->started += !q->err;
}

/* ---- the ARM ------------------------------------------------------------------------------- */

static bool can_load(const struct qpu_queue *q)
{
    return q->unpacked < q->submitted && q->loaded - q->folded < q->slot_count;
}

static void load(struct qpu_queue *q)
{
    const struct batch *b = q->batches[q->unpacked % FFT_SPECTRUM_MAX_DEPTH];
    struct qpu_work *w = slot(q, q->loaded);
    const size_t hop_bytes = q->plan->hop * fft_iq_bytes(q->plan->format);
    const char *raw = (const char *)b->span + q->next * hop_bytes;
    const uint32_t left = b->partial.frames - q->next;
    const uint32_t count = left < w->most_frames ? left : w->most_frames;
    for (uint32_t i = 0; i < count; i++) {
        qpu_frames_load(q->plan, raw + i * hop_bytes, w, i);
        look(q);
    }
    q->jobs[q->loaded % q->slot_count] = (struct qpu_job){b->index, count, count == left};
    q->loaded++;
    q->unpacked += count == left;
    q->next = count == left ? 0 : q->next + count;
}

static void fold(struct qpu_queue *q)
{
    const struct qpu_job *job = &q->jobs[q->folded % q->slot_count];
    struct qpu_traces *into = &q->traces[job->batch];
    qpu_frames_fold(slot(q, q->folded), &q->power, into);
    if (job->last) {
        qpu_power_end(&q->power, into);
        q->done++;
    }
    q->folded++;
}

/*
 * The next piece of work; false: there is none until a launch ends. Idle QPUs come first. What had
 * ended before an error is folded all the same.
 */
static bool work(struct qpu_queue *q)
{
    look(q);
    const bool idle = !runs(q);
    if (!q->err && can_load(q) && (idle || q->folded == q->ended))
        load(q);
    else if (q->folded < q->ended)
        fold(q);
    else
        return false;
    look(q);
    return true;
}

/* ---- hooks --------------------------------------------------------------------------------- */

static int init_slots(struct qpu_queue *q, struct qpu_device *device, uint32_t code)
{
    const int err = qpu_frames_init(&q->slots[0], device, code, q->plan);
    q->slot_count = 1;
    if (err || 2 * (q->slots[0].from.size + q->slots[0].to.size) > MOST_DOUBLED_BYTES)
        return err;
    if (qpu_frames_init(&q->slots[1], device, code, q->plan) == 0) {
        q->slot_count = 2;
        return 0;
    }
    qpu_work_finish(&q->slots[1]); /* then without */
    q->slots[1] = (struct qpu_work){0};
    return 0;
}

int qpu_queue_init(struct qpu_queue *q, struct qpu_device *device, uint32_t code,
                   const struct fft_spectrum_plan *plan)
{
    *q = (struct qpu_queue){.plan = plan};
    int err = qpu_power_init(&q->power, plan);
    for (uint32_t i = 0; !err && i < plan->depth; i++)
        err = qpu_traces_init(&q->traces[i], plan);
    return err ? err : init_slots(q, device, code);
}

void qpu_queue_finish(struct qpu_queue *q)
{
    for (int i = 0; i < QPU_SLOTS; i++)
        if (q->slots[i].device)
            qpu_work_wait(&q->slots[i], -1);
    for (int i = 0; i < QPU_SLOTS; i++)
        qpu_work_finish(&q->slots[i]);
    for (uint32_t i = 0; i < FFT_SPECTRUM_MAX_DEPTH; i++)
        qpu_traces_finish(&q->traces[i]);
    qpu_power_finish(&q->power);
}

void qpu_queue_submit(struct qpu_queue *q, const struct batch *b)
{
    q->batches[q->submitted++ % FFT_SPECTRUM_MAX_DEPTH] = b;
    look(q);
    while (!q->err && can_load(q)) { /* no more than the slots hold: nothing is folded here */
        load(q);
        look(q);
    }
}

static void publish(const struct qpu_queue *q, struct batch *b)
{
    const struct qpu_traces *t = &q->traces[b->index];
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
        const bool worked = work(q);
        const int64_t left = until - now_ms();
        if (!worked && q->err)
            break;
        if (!worked)
            wait(q, timeout_ms < 0 ? -1 : left > 0 ? (int)left : 0);
        late = timeout_ms >= 0 && left <= 0;
    }
    if (q->done > q->polled) {
        q->polled++;
        publish(q, b);
        return 1;
    }
    return q->err;
}
