/* opencl_measure.c - times candidate plans and keeps the fastest one in the cache. */
#include "fft/opencl/opencl_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/monotonic.h"
#include "fft/opencl/opencl_batch_queue.h"

enum { CANDIDATES = 4, TRIES = 5, TIMEOUT_MS = 10000 };

/* Returns the shortest time of a full batch in nanoseconds, < 0 if it failed. The first try warms
 * up and does not count. */
static int64_t time_batch(struct opencl_device *device, const struct fft_spectrum_config *plan,
                          const struct opencl_choice *choice, const void *span)
{
    struct opencl_batch_queue queue;
    struct batch batch = {.span = span, .partial = {.frames = plan->max_frames}};
    int64_t best = -1;
    int err = opencl_batch_queue_init(&queue, device, plan, choice, (struct fft_reason){NULL, 0});
    for (int try = 0; err == 0 && try <= TRIES; try++) {
        const int64_t began = fft_now_ns();
        err = opencl_batch_queue_submit(&queue, &batch);
        if (err == 0)
            err = opencl_batch_queue_poll(&queue, &batch, TIMEOUT_MS) == 1 ? 0 : -1;
        const int64_t duration = fft_now_ns() - began;
        if (try > 0 && err == 0 && (best < 0 || duration < best))
            best = duration;
    }
    opencl_batch_queue_finish(&queue);
    return err < 0 ? -1 : best;
}

/* Any samples will do that make no denormals. */
static void *make_span(const struct fft_spectrum_config *plan)
{
    const size_t bytes =
        ((size_t)(plan->max_frames - 1) * plan->hop + plan->n) * fft_iq_bytes(plan->format);
    unsigned char *span = malloc(bytes);
    for (size_t i = 0; span && i < bytes; i++)
        span[i] = (unsigned char)(i * 7919 >> 3 & 63);
    return span;
}

/*
 * The best choice so far with the powers of one root as twiddles, for a GPU without local memory,
 * which waits for loads. (With Mesa's compiler a pass of radix 8 on a Mali-G52 needs 1.44 cycles of
 * loads and stores for each point with a table, 1.06 with one root. The error doubles.) Returns
 * false where this alternative does not apply.
 */
static bool powers_of_a_root(const struct opencl_choice *best, const struct opencl_profile *p,
                             const struct fft_spectrum_config *plan, struct opencl_choice *out)
{
    struct opencl_spectrum s;
    *out = *best;
    out->roots = 1;
    return p->type == OPENCL_GPU && !p->local_is_fast &&
           opencl_spectrum_plan(&s, p, plan, out) == 0 && s.choice.roots;
}

static bool measure_all(struct opencl_choice *out, struct opencl_device *device,
                        const struct fft_spectrum_config *plan)
{
    struct opencl_choice choice;
    const uint32_t half = out->half;
    int64_t best = -1;
    void *span = make_span(plan);
    for (uint32_t i = 0; span && i < CANDIDATES &&
                         opencl_spectrum_candidate(&device->profile, plan, half, i, &choice);
         i++) {
        const int64_t duration = time_batch(device, plan, &choice, span);
        if (duration >= 0 && (best < 0 || duration < best)) {
            best = duration;
            *out = choice;
        }
    }
    const struct opencl_choice tables = *out;
    if (best >= 0 && powers_of_a_root(&tables, &device->profile, plan, &choice)) {
        const int64_t duration = time_batch(device, plan, &choice, span);
        if (duration >= 0 && duration < best)
            *out = choice;
    }
    free(span);
    return best >= 0;
}

void opencl_measure(struct opencl_choice *out, struct opencl_device *device,
                    const struct fft_spectrum_config *plan)
{
    char spec[160], text[128];
    size_t bytes;
    const struct opencl_key key = {{device->identity, device->profile.name, spec, NULL}};
    const struct fft_density *density = &plan->density;
    snprintf(spec, sizeof spec,
             "measured: n %u, hop %u, frames %u, format %d, detectors %u, density %ux%u, half %u",
             plan->n, plan->hop, plan->max_frames, (int)plan->format, plan->detectors,
             density->columns, density->levels, out->half);
    char *known = opencl_cache_load(device->cache, &key, &bytes);
    const bool found = known && opencl_choice_parse(out, known);
    free(known);
    if (found || !measure_all(out, device, plan))
        return;
    const int length = opencl_choice_print(out, text, sizeof text);
    if (length > 0 && (size_t)length < sizeof text)
        opencl_cache_store(device->cache, &key, text, (size_t)length);
}
