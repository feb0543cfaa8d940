/* admission.c - adds up the memory of a plan and compares it with what there is. */
#include "daemon/dsp/admission.h"

#include <errno.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/dsp/dsp_plan.h"
#include "daemon/line/line_ring.h"
#include "daemon/line/percentile.h"
#include "daemon/system/memory.h"

/* For browsers and all that is small; and per bin for the row of an output: sum, power and text. */
static const uint64_t reserve_bytes = 16 << 20, row_bytes = 8 + 4 + 12;

/* Three new lines are made before the old ones go, the others after that. */
static uint64_t line_growth(const struct line_shape *active, const struct line_shape *shape)
{
    const uint64_t all = line_ring_bytes(shape);
    const uint64_t old = active->n ? line_ring_bytes(active) : 0;
    const uint64_t first = line_ring_first_bytes(shape);
    if (all == old)
        return 0;
    return all > old + first ? all - old : first;
}

/* Hits of each worker, of each batch in flight, and of the fold, which has 64 bits for each. */
static uint64_t density_bytes(const struct fft_spectrum_config *plan, uint32_t threads)
{
    const uint64_t cells = density_cells(&plan->density);
    const uint64_t workers = threads ? threads : uv_available_parallelism();
    return cells * (4 * (workers + plan->depth) + 8);
}

uint64_t admission_bytes(const struct admission *a, const struct settings *w,
                         const struct stream *stream)
{
    struct fft_spectrum_config spectrum;
    struct sweep_plan sweep;
    plan_describe(&spectrum, w, stream, a->detectors);
    plan_sweep(&sweep, w, stream);
    const struct line_shape shape = plan_line_shape(&spectrum, w, stream->tuning.rate_hz, &sweep);
    const uint64_t row = shape.n == a->active.n ? 0 : shape.n * (row_bytes + a->measure_bin_bytes);
    const uint64_t device = a->device ? fft_spectrum_device_bytes(a->device, &spectrum) : 0;
    const uint64_t percentiles =
        a->measure_percentiles * (uint64_t)percentile_bytes(shape.n, &shape.density);
    const uint64_t window = w->n * sizeof(float) + panorama_bytes(&sweep, a->detectors);
    return a->ring_bytes + a->archive_bytes + window + fft_spectrum_bytes(&a->engine, &spectrum) +
           density_bytes(&spectrum, a->engine.threads) + row + device + percentiles +
           line_growth(&a->active, &shape);
}

int admission_check(const struct admission *a, const struct settings *w,
                    const struct stream *stream, struct reason *why)
{
    const uint64_t bytes = admission_bytes(a, w, stream) + reserve_bytes;
    const struct memory_limits limits = memory_limits();
    if (bytes <= limits.available)
        return 0;
    if (settings_sweeps(w))
        return reason_key(why, -ENOMEM, "span",
                          "span: fft-size %u at %.10g samples/s needs %llu MiB of memory; %s has "
                          "%llu MiB left",
                          w->n, stream->tuning.rate_hz, (unsigned long long)(bytes >> 20),
                          limits.owner, (unsigned long long)(limits.available >> 20));
    return reason_set(
        why, -ENOMEM,
        "fft-size %u at %.10g samples/s needs %llu MiB of memory; %s has %llu MiB left", w->n,
        stream->tuning.rate_hz, (unsigned long long)(bytes >> 20), limits.owner,
        (unsigned long long)(limits.available >> 20));
}
