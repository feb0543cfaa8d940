/* probe_engine.c - passes every call on to the CPU engine and checks the samples of each span. */
#include "tests/support/dsp/probe_engine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fft/engine.h"

struct probe probe;
static struct engine_ops ops;
static const struct engine_ops *cpu;
static bool armed;

static void witness(const struct fft_spectrum *s, const struct batch *b)
{
    const uint32_t *number = b->span;
    const uint64_t count = (uint64_t)(b->partial.frames - 1) * s->config.hop + s->config.n;
    bool jump = false;
    for (uint64_t i = 0; i < count; i++) {
        jump = jump || number[i] != number[0] + i;
        if (number[i] < probe.size)
            probe.seen[number[i]] = 1;
    }
    probe.jumps += jump;
    probe.batches++;
    probe.frames += b->partial.frames;
}

static void wait_a_millisecond(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static int probe_spectrum_init(struct fft_spectrum *s)
{
    const bool is_slow = armed && probe.slow_n == s->config.n;
    atomic_store(&probe.is_making, is_slow);
    while (is_slow && !atomic_load(&probe.may_finish))
        wait_a_millisecond();
    return armed && probe.no_memory_for == s->config.n ? -ENOMEM : cpu->spectrum_init(s);
}

static int probe_submit(struct fft_spectrum *s, struct batch *b)
{
    if (armed)
        witness(s, b);
    return cpu->submit(s, b);
}

static int probe_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    if (armed && probe.delay_ms)
        nanosleep(&(struct timespec){.tv_nsec = (long)probe.delay_ms * 1000000}, NULL);
    if (armed && probe.fail_after && --probe.fail_after == 0)
        return -EIO;
    return cpu->poll(s, b, timeout_ms);
}

/* Like worker threads, reads the spans in flight until the engine stops. */
static void probe_spectrum_finish(struct fft_spectrum *s)
{
    for (uint64_t i = s->polled; armed && i != s->submitted; i++) {
        witness(s, &s->batches[i % s->config.depth]);
        probe.unfinished++;
    }
    cpu->spectrum_finish(s);
}

static const struct engine_ops *find_cpu(void)
{
    size_t i = 0;
    while (strcmp(fft_engine_list[i]->name, "cpu") != 0)
        i++;
    return fft_engine_list[i];
}

struct fft_engine *probe_open(uint32_t size)
{
    armed = false; /* the samples of the self-test are not counters */
    cpu = find_cpu();
    ops = *cpu;
    ops.name = "probe";
    ops.spectrum_init = probe_spectrum_init;
    ops.submit = probe_submit;
    ops.poll = probe_poll;
    ops.spectrum_finish = probe_spectrum_finish;
    probe_free();
    probe = (struct probe){.seen = calloc(size, 1), .size = size};

    const struct engine_ops *const list[] = {&ops, NULL};
    const struct fft_engine_config config = {.name = "probe", .threads = 1};
    struct fft_engine *e = NULL;
    char why[160];
    const int err = fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why});
    assert(err == 0 && probe.seen);
    (void)err;
    armed = true;
    return e;
}

void probe_free(void)
{
    free(probe.seen);
    probe.seen = NULL;
}

uint64_t probe_count(void)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < probe.size; i++)
        count += probe.seen[i];
    return count;
}
