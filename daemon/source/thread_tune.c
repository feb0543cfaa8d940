/* thread_tune.c - applies requested settings to the source. */
#include <errno.h>

#include "daemon/source/thread.h"

/* A new request may replace the tuning that the device refused: try it at once. */
void source_thread_read_request(struct source_thread *t)
{
    struct settings settings;
    if (!exchange_requested(t->exchange, &t->request_version, &settings))
        return;
    if (!tuning_equal(&settings.tuning, &t->config.source.tuning))
        t->retry.next_ns = 0;
    t->config.source.tuning = settings.tuning;
    t->config.settings = settings;
}

static void tune(struct source_thread *t, const struct tuning *want)
{
    t->source->why.sentence[0] = '\0';
    const int err = source_tune(t->source, want);
    if (err == 0) {
        t->config.source.tuning = *want;
        source_thread_forward_mark(t);
        exchange_set_stream(t->exchange, &t->source->stream);
        source_thread_set_running(t);
    } else if (err == -EAGAIN) {
        t->config.source.tuning = *want;
        source_thread_close(t);
        t->lost_cause = LOSS_RETUNE;
    } else {
        exchange_set_state(t->exchange, SOURCE_RUNNING, "%s: cannot tune: %s", t->config.ops->name,
                           t->source->why.sentence[0] ? t->source->why.sentence
                                                      : "not supported by this source");
    }
}

static void apply_settings(struct source_thread *t, const struct settings *settings)
{
    t->config.settings = *settings;
    struct tuning want = settings->tuning;
    source_thread_follow_sweep(t, &want);
    if (!tuning_equal(&want, &t->config.source.tuning))
        tune(t, &want);
}

/* Its samples go on in this epoch, for frames of any length. */
static bool stays_the_same(const struct source_thread *t)
{
    return epoch_suits(t->epoch, &t->source->stream, FFT_SPECTRUM_MIN_N);
}

/*
 * Applies a new request. It may close the source. Longer frames, which need a larger ring, wait
 * until their plan is made. -errno: no further epoch is possible.
 */
int source_thread_apply_request(struct source_thread *t)
{
    struct settings settings;
    const bool is_new = exchange_requested(t->exchange, &t->request_version, &settings);
    if (is_new)
        apply_settings(t, &settings);
    if (!is_new && !t->awaits_plan)
        return 0;
    t->awaits_plan = false;
    if (t->source)
        source_thread_set_block(t);
    if (!t->source || epoch_suits(t->epoch, &t->source->stream, source_thread_fft_size(t)))
        return 0;
    t->awaits_plan = stays_the_same(t) && !exchange_is_prepared(t->exchange, t->request_version);
    struct reason why = {0};
    const int err = t->awaits_plan ? 0 : source_thread_new_epoch(t, &why);
    if (err < 0)
        exchange_set_state(t->exchange, SOURCE_FAILED, "%s", why.sentence);
    return err;
}
