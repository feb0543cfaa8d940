/* sim.c - the simulated radio: a known scene, with faults on request. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/source/pacer.h"
#include "daemon/source/sim/sim_args.h"
#include "daemon/source/sim/transmitters.h"
#include "daemon/source/source.h"

#define NEVER UINT64_MAX

static const double world_noise_dbfs = -50, transmitter_dbfs = -20;

struct sim {
    struct sim_args args;
    void *block; /* [period] samples, of the world its noise as cf32; NULL: counted, not copied */
    struct sim_reception reception; /* of the world */
    struct sim_transmitters transmitters;
    uint64_t settle; /* samples that are lost after a change of the centre */
    uint32_t period;
    uint64_t at;                            /* number of the next sample, lost ones included */
    uint64_t overflow_every, overflow_lost; /* samples; every 0: never */
    uint64_t overflow_at, vanish_at, stall_at, hang_at;
    struct pacer pacer;
};

static int check(struct source *s, const struct sim *sim)
{
    const double rate = s->stream.tuning.rate_hz, offset = sim->args.scene.offset_hz;
    if (!(rate >= 1 && rate <= 1e10))
        return source_fail(s, -EINVAL, "sim: a sample rate of %g is not possible", rate);
    if (isinf(s->stream.tuning.center_hz))
        return source_fail(s, -EINVAL, "sim: a centre of %g is not possible",
                           s->stream.tuning.center_hz);
    if (sim->args.scene.kind == SIM_COUNTER && s->stream.format != FFT_IQ_CS16)
        return source_fail(s, -EINVAL, "sim: scene=counter is cs16 only");
    if (sim->args.in_place && sim->args.scene.kind >= SIM_COUNTER)
        return source_fail(s, -EINVAL, "sim: copy=no needs a scene that repeats, not the %s",
                           sim->args.scene.kind == SIM_COUNTER ? "counter"
                           : sim->args.scene.kind == SIM_WORLD ? "world"
                                                               : "transmitters");
    if (fabs(offset) > rate / 2)
        return source_fail(s, -EINVAL, "sim: --device offset=%g: beyond half the rate of %g",
                           offset, rate);
    return 0;
}

static uint64_t samples_in(double seconds, double rate_hz)
{
    return isnan(seconds) ? NEVER : (uint64_t)llround(seconds * rate_hz);
}

static void plan_faults(struct sim *sim, double rate_hz)
{
    const struct sim_args *args = &sim->args;
    const uint64_t every = samples_in(args->overflow_every_s, rate_hz);
    sim->overflow_every = every == 0 ? 1 : every;
    sim->overflow_at = sim->overflow_every;
    sim->overflow_lost =
        (uint64_t)llround(isnan(args->overflow_lost) ? rate_hz / 100 : args->overflow_lost);
    sim->settle = isnan(args->settle_s) ? 0 : samples_in(args->settle_s, rate_hz);
    sim->vanish_at = samples_in(args->vanish_after_s, rate_hz);
    sim->stall_at = samples_in(args->stall_after_s, rate_hz);
    sim->hang_at = samples_in(args->hang_after_s, rate_hz);
}

/* Without realtime, time starts in 1970, so that repeated runs are identical. */
static void describe(struct source *s)
{
    const struct tuning *requested = &s->config->tuning;
    s->stream.full_scale = fft_iq_full_scale(s->stream.format);
    s->stream.tuning = *requested;
    if (requested->rate_hz == 0)
        s->stream.tuning.rate_hz = 2.4e6;
    if (isnan(requested->center_hz))
        s->stream.tuning.center_hz = 100e6;
    s->stream.gain_db = 0;
    s->stream.simulated = true;
    s->stream.start_ns = s->config->realtime ? clock_unix_ns() : 0;
    snprintf(s->stream.about, sizeof s->stream.about, "simulated radio (%s)",
             fft_iq_name(s->stream.format));
    const struct sim *sim = s->priv;
    snprintf(s->stream.serial, sizeof s->stream.serial, "%s", sim->args.serial);
}

static bool is_world(const struct sim *sim)
{
    return sim->args.scene.kind == SIM_WORLD;
}

static bool is_transmitters(const struct sim *sim)
{
    return sim->args.scene.kind >= SIM_CHANNELS;
}

static void make_transmitters(struct sim *sim, double rate_hz)
{
    const struct sim_scene *scene = &sim->args.scene;
    const double level = isnan(scene->level_dbfs) ? transmitter_dbfs : scene->level_dbfs;
    sim_transmitters_init(&sim->transmitters, rate_hz);
    if (scene->kind == SIM_CHANNELS)
        sim_transmitters_add_all(&sim->transmitters, level);
    else
        sim_transmitters_add(&sim->transmitters, (enum sim_service)(scene->kind - SIM_SENSOR),
                             isnan(scene->offset_hz) ? 0 : scene->offset_hz, level);
    sim->transmitters.noise = sim->block;
    sim->transmitters.period = sim->period;
}

static void receive(struct source *s)
{
    struct sim *sim = s->priv;
    const struct tuning *t = &s->stream.tuning;
    if (is_world(sim))
        sim_world_receive(&sim->args.world, t->center_hz, t->rate_hz, &sim->reception);
}

/* Renders the block of the scene, or the noise of the world and between transmitters. */
static int render(struct source *s)
{
    struct sim *sim = s->priv;
    struct sim_scene scene = sim->args.scene;
    enum fft_iq_format format = s->stream.format;
    if (scene.kind == SIM_COUNTER)
        return 0;
    if (is_world(sim) || is_transmitters(sim)) {
        format = FFT_IQ_CF32;
        scene.kind = SIM_NOISE;
        scene.level_dbfs = isnan(scene.noise_dbfs) ? world_noise_dbfs : scene.noise_dbfs;
    }
    sim->block = malloc(sim->period * fft_iq_bytes(format));
    if (!sim->block)
        return source_fail(s, -ENOMEM, "sim: no memory for the scene");
    sim_render(&scene, s->stream.tuning.rate_hz, format, sim->block);
    sim->reception.noise = sim->block;
    sim->reception.period = sim->period;
    receive(s);
    if (is_transmitters(sim))
        make_transmitters(sim, s->stream.tuning.rate_hz);
    return 0;
}

static int sim_init(struct source *s)
{
    struct sim *sim = s->priv;
    const char *format = s->config->format;
    s->stream.format = FFT_IQ_CS16;
    if (format && fft_iq_parse(format, &s->stream.format) < 0)
        return source_fail(s, -EINVAL, "sim: --format %s: only cu8, cs8, cs16 and cf32", format);
    int err = sim_args_parse(s->config->device, &sim->args, &s->why);
    if (err < 0)
        return err;
    if (s->config->sweeps && !sim->args.has_scene)
        sim->args.scene.kind = SIM_WORLD;
    describe(s);
    err = check(s, sim);
    if (err < 0)
        return err;
    const double rate_hz = s->stream.tuning.rate_hz;
    plan_faults(sim, rate_hz);
    sim->period = sim_period(rate_hz);
    err = render(s);
    sim->args.in_place = sim->args.in_place && !s->config->tuning.invert; /* read exchanges them */
    if (err == 0 && sim->args.in_place) {
        s->stream.cycle = sim->block;
        s->stream.cycle_samples = sim->period;
    }
    return err;
}

/* At the first read, not at init: creating the ring in between may take long. */
static void start_clock(struct source *s)
{
    struct sim *sim = s->priv;
    pacer_start(&sim->pacer, s->stream.tuning.rate_hz, clock_now_ns());
    s->mark = (struct source_mark){
        .set = true, .cause = LOSS_CAUSES, .has_time = true, .time_ns = clock_unix_ns()};
}

static void overflow(struct source *s)
{
    struct sim *sim = s->priv;
    s->mark = (struct source_mark){.set = true, .cause = LOSS_OVERFLOW, .lost = sim->overflow_lost};
    sim->at += sim->overflow_lost;
    sim->pacer.given += sim->overflow_lost;
    sim->overflow_at = sim->at + sim->overflow_every;
}

static void hang(void)
{
    for (;;)
        pause();
}

static int stall(int timeout_ms)
{
    const struct timespec wait = {.tv_sec = timeout_ms / 1000,
                                  .tv_nsec = timeout_ms % 1000 * 1000000L};
    nanosleep(&wait, NULL);
    return 0;
}

/* Samples until the next fault, at most `samples`. Faults occur between reads. */
static uint32_t until_fault(const struct sim *sim, uint32_t samples)
{
    const uint64_t faults[] = {sim->overflow_at, sim->vanish_at, sim->stall_at, sim->hang_at};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (faults[i] - sim->at < samples)
            samples = (uint32_t)(faults[i] - sim->at);
    }
    return samples;
}

static void copy(const struct sim *sim, void *into, uint32_t samples, size_t sample_bytes)
{
    for (uint32_t done = 0; done < samples;) {
        const uint32_t from = (uint32_t)((sim->at + done) & (sim->period - 1));
        const uint32_t run =
            sim->period - from < samples - done ? sim->period - from : samples - done;
        memcpy((char *)into + done * sample_bytes, (const char *)sim->block + from * sample_bytes,
               run * sample_bytes);
        done += run;
    }
}

static void write_samples(const struct sim *sim, void *into, uint32_t samples, size_t sample_bytes)
{
    if (sim->args.in_place)
        return; /* they are in the ring */
    if (sim->block)
        copy(sim, into, samples, sample_bytes);
    else
        sim_count(sim->at, samples, into);
}

static int64_t sim_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    struct sim *sim = s->priv;
    if (s->config->realtime && sim->pacer.start_ns == 0)
        start_clock(s);
    if (sim->at >= sim->hang_at)
        hang();
    if (sim->at >= sim->stall_at)
        return stall(timeout_ms);
    if (sim->at >= sim->vanish_at)
        return source_fail(s, -EIO, "sim: vanished, as asked for");
    if (sim->at >= sim->overflow_at)
        overflow(s);
    samples = until_fault(sim, samples);
    if (s->config->realtime)
        samples = pacer_wait(&sim->pacer, samples, timeout_ms);
    if (is_world(sim))
        sim_reception_render(&sim->reception, sim->at, samples, s->stream.format, into);
    else if (is_transmitters(sim))
        sim_transmitters_render(&sim->transmitters, sim->at, samples, s->stream.format, into);
    else
        write_samples(sim, into, samples, fft_iq_bytes(s->stream.format));
    sim->at += samples;
    sim->pacer.given += samples;
    return samples;
}

/* A PLL that locks: its samples are lost. */
static void settle(struct source *s)
{
    struct sim *sim = s->priv;
    s->mark = (struct source_mark){
        .set = true, .cause = LOSS_RETUNE, .lost = sim->settle, .tuning_changed = true};
    sim->at += sim->settle;
    sim->pacer.given += sim->settle;
}

/*
 * All scenes but the world move with the centre: only the reported frequency changes. Gain,
 * correction, filter and antenna are reported, but do not change the documented levels.
 */
static int sim_tune(struct source *s, const struct tuning *want)
{
    struct tuning *have = &s->stream.tuning;
    if (want->rate_hz != 0 && want->rate_hz != have->rate_hz)
        return -EAGAIN;
    struct tuning next = *want;
    next.rate_hz = have->rate_hz;
    if (isnan(want->center_hz))
        next.center_hz = have->center_hz;
    if (isinf(next.center_hz))
        return source_fail(s, -ENOTSUP, "sim: a centre of %g is not possible", next.center_hz);
    if (next.center_hz != have->center_hz)
        settle(s);
    *have = next;
    receive(s);
    return 0;
}

static void sim_finish(struct source *s)
{
    struct sim *sim = s->priv;
    free(sim->block);
}

const struct source_ops source_sim = {
    .name = "sim",
    .about = "a simulated radio: known signals, no hardware",
    .priv_size = sizeof(struct sim),
    .live = true,
    .init = sim_init,
    .read = sim_read,
    .tune = sim_tune,
    .finish = sim_finish,
};
