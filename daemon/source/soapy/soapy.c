/*
 * soapy.c - the source for every radio that SoapySDR supports.
 *
 * The driver has its own threads; the source thread only reads. An overflow, a corrupt packet or a
 * gap in the time stamps does not end the stream. It becomes the mark of the next samples, with the
 * number of lost samples if the time stamps show it. A stream without samples is restarted once. If
 * that fails, or on a stream error, the caller reopens the device.
 */
#include <SoapySDR/Constants.h>
#include <SoapySDR/Device.h>
#include <SoapySDR/Errors.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/source/problem_log.h"
#include "daemon/source/soapy/soapy_clock.h"
#include "daemon/source/soapy/soapy_device.h"
#include "daemon/source/soapy/soapy_options.h"
#include "daemon/source/soapy/soapy_reference.h"
#include "daemon/source/soapy/soapy_settings.h"
#include "daemon/source/soapy/soapy_stream.h"
#include "daemon/source/soapy/soapy_tuning.h"
#include "daemon/source/source.h"

/*
 * After a change of tuning, the queued samples are discarded (at most 1 s, because some queues
 * never run empty), and 20 ms more: a PLL locks within a few ms, and a transfer in flight holds a
 * few ms (7 ms for an RTL-SDR at 2.4 MS/s).
 */
static const double drain_seconds = 1, settle_seconds = 0.02;
static const uint64_t one_ms = 1000000;
static const uint64_t restart_ns = 1000000000; /* without samples */
/* A radio clock within this distance of Unix time is Unix time. Any other shows intervals only. */
static const int64_t same_clock_ns = 60000000000;

struct soapy {
    SoapySDRDevice *device;
    struct soapy_stream stream;
    bool shared; /* with an abandoned source: soapy_device.h */
    struct tuning requested;
    struct soapy_clock clock;
    int64_t epoch_ns;           /* Unix time of the radio's time 0, once clock.known */
    struct source_mark pending; /* for the next samples */
    uint64_t drain, settle;     /* samples to discard: at most, while queued; then always */
    uint64_t fed_ns;            /* time of the last samples */
    bool started, restarted;    /* the stream was started; again since the last samples */
    bool ignores_stamps;        /* they run at another rate than the samples */
    struct problem_log problems;
};

/* Results of readStream that do not end the stream. All other errors do. */
static const struct {
    int code;
    enum loss cause;
    const char *what;
} problems[] = {
    {SOAPY_SDR_OVERFLOW, LOSS_OVERFLOW, "overflow"},
    {SOAPY_SDR_CORRUPTION, LOSS_GAP, "corrupt packet"},
    {SOAPY_SDR_TIME_ERROR, LOSS_GAP, "time error"},
    {SOAPY_SDR_UNDERFLOW, LOSS_GAP, "underflow"},
};

/* Keeps the first cause: later events before the next samples belong to the same mark. */
static void add_interruption(struct soapy *soapy, enum loss cause)
{
    if (!soapy->pending.set || soapy->pending.cause == LOSS_CAUSES)
        soapy->pending.cause = cause;
    soapy->pending.set = true;
}

static int activate(struct source *s)
{
    struct soapy *soapy = s->priv;
    const int code = SoapySDRDevice_activateStream(soapy->device, soapy->stream.handle, 0, 0, 0);
    if (code != 0)
        return soapy_fail(s, code, "activate stream");
    soapy->fed_ns = clock_now_ns();
    return 0;
}

static void note_rate(struct source *s, double wanted_hz)
{
    char wanted[32], given[32];
    const double given_hz = s->stream.tuning.rate_hz;
    const size_t at = strlen(s->stream.about);
    if (wanted_hz <= 0 || fabs(given_hz - wanted_hz) <= 1e-6 * wanted_hz)
        return;
    si_format(wanted_hz, 10, wanted, sizeof wanted);
    si_format(given_hz, 10, given, sizeof given);
    log_warn("%s: wanted %s samples/s, it gives %s", s->stream.about, wanted, given);
    snprintf(s->stream.about + at, sizeof s->stream.about - at, " (wanted %s, gives %s samples/s)",
             wanted, given);
}

static int configure(struct source *s)
{
    struct soapy *soapy = s->priv;
    soapy->requested = s->config->tuning;
    int err = soapy_reference_apply(s, soapy->device);
    if (err == 0)
        err = soapy_settings_apply(s, soapy->device, soapy->requested.settings, NULL);
    if (err == 0)
        err = soapy_tuning_check(s, soapy->device, &soapy->requested);
    if (err == 0)
        err = soapy_tuning_apply(s, soapy->device, &soapy->requested, NULL);
    if (err < 0)
        return err;
    soapy_tuning_report(s, soapy->device, &soapy->requested);
    if (!(s->stream.tuning.rate_hz > 0))
        return source_fail(s, -EINVAL, "rate not given, and %s has none set", s->stream.about);
    note_rate(s, soapy->requested.rate_hz);
    soapy_options_read(s, soapy->device);
    return 0;
}

static int64_t epoch_of(int64_t radio_ns)
{
    const int64_t offset = (int64_t)((uint64_t)clock_unix_ns() - (uint64_t)radio_ns);
    return offset > -same_clock_ns && offset < same_clock_ns ? 0 : offset;
}

static int soapy_init(struct source *s)
{
    struct soapy *soapy = s->priv;
    int err = soapy_device_open(s, &soapy->device, &soapy->shared);
    if (err == 0)
        err = configure(s);
    if (err == 0)
        err = soapy_stream_setup(s, soapy->device, &soapy->stream);
    if (err < 0)
        return soapy->shared
                   ? source_fail(s, -EBUSY, "%s is still held by a stuck reader", s->stream.about)
                   : err;
    soapy_clock_init(&soapy->clock, s->stream.tuning.rate_hz);
    s->stream.hardware_time = SoapySDRDevice_hasHardwareTime(soapy->device, "");
    s->stream.start_ns = clock_unix_ns();
    return 0;
}

/* From now on the host's clock is used, as for a radio without time stamps. */
static void ignore_stamps(struct source *s, double rate)
{
    struct soapy *soapy = s->priv;
    snprintf(s->warning, sizeof s->warning,
             "%.60s: its time stamps run %.4g times as fast as its samples, which agree with the "
             "system's clock: fftd ignores the stamps and the losses that they showed",
             s->stream.about, rate);
    soapy->ignores_stamps = true;
    soapy->clock.known = false;
    s->stream.hardware_time = false;
    add_interruption(soapy, LOSS_CAUSES);
}

static void warn_of_absurd(struct source *s)
{
    const struct soapy *soapy = s->priv;
    const uint64_t one_in = soapy_clock_absurd(&soapy->clock);
    if (one_in > 0 && !s->warning[0])
        snprintf(s->warning, sizeof s->warning,
                 "%.60s: about one in %llu of its time stamps is absurd (it jumps from those "
                 "before and after it): fftd ignores these",
                 s->stream.about, (unsigned long long)one_in);
}

/*
 * The first stamp fixes the origin of the clock. It belongs to the sample `age_ns` ago. False: the
 * stamp is not used.
 */
static bool take_stamp(struct source *s, int64_t stamp_ns, int64_t age_ns)
{
    struct soapy *soapy = s->priv;
    const bool first = !soapy->clock.known;
    const int64_t lost = soapy_clock_stamp(&soapy->clock, stamp_ns, (int64_t)clock_now_ns());
    const double wrong_rate = soapy_clock_wrong_rate(&soapy->clock);
    warn_of_absurd(s);
    if (wrong_rate != 0)
        ignore_stamps(s, wrong_rate);
    if (wrong_rate != 0 || lost == SOAPY_CLOCK_ASIDE)
        return false;
    if (first || lost == SOAPY_CLOCK_SET)
        soapy->epoch_ns = epoch_of(stamp_ns + age_ns);
    if (lost != 0)
        add_interruption(soapy, LOSS_GAP);
    if (lost > 0)
        soapy->pending.lost += (uint64_t)lost;
    s->stream.hardware_time = true;
    return true;
}

/* Accounts for samples that were read. Returns 0 if they are discarded. */
static int64_t arrived(struct source *s, uint32_t samples, int flags, int64_t stamp_ns)
{
    struct soapy *soapy = s->priv;
    const int64_t age_ns = llround(samples * 1e9 / s->stream.tuning.rate_hz);
    const bool has_time =
        flags & SOAPY_SDR_HAS_TIME && !soapy->ignores_stamps && take_stamp(s, stamp_ns, age_ns);
    soapy_clock_count(&soapy->clock, samples);
    soapy->fed_ns = clock_now_ns();
    soapy->restarted = false;
    uint64_t *discard = soapy->drain ? &soapy->drain : &soapy->settle;
    if (*discard > 0) {
        *discard -= samples;
        soapy->pending.lost += samples;
        return 0;
    }
    s->mark = soapy->pending;
    soapy->pending = (struct source_mark){0};
    s->mark.has_time = s->mark.set && (has_time || !soapy->clock.known);
    s->mark.time_ns = has_time ? soapy->epoch_ns + stamp_ns : clock_unix_ns() - age_ns;
    /* An overflow follows these samples. The end of a burst is no loss: time stamps show gaps. */
    if (flags & SOAPY_SDR_END_ABRUPT)
        add_interruption(soapy, LOSS_OVERFLOW);
    return samples;
}

static int no_samples(struct source *s, int code)
{
    struct soapy *soapy = s->priv;
    if (code == 0 || code == SOAPY_SDR_TIMEOUT)
        return 0;
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        if (problems[i].code == code) {
            add_interruption(soapy, problems[i].cause);
            problem_log_warn(&soapy->problems, "soapy: %s (SoapySDR %d)", problems[i].what, code);
            return 0;
        }
    }
    soapy_fail(s, code, "read");
    return code == SOAPY_SDR_NOT_SUPPORTED ? -ENOTSUP : -EIO;
}

/* Restarts the stream once: some drivers deliver nothing after a fault until then. */
static int restart_if_silent(struct source *s)
{
    struct soapy *soapy = s->priv;
    const uint64_t silent_ns = clock_now_ns() - soapy->fed_ns;
    if (silent_ns < restart_ns || soapy->restarted)
        return 0;
    log_warn("%s gives no samples: starting its stream again", s->stream.about);
    SoapySDRDevice_deactivateStream(soapy->device, soapy->stream.handle, 0, 0);
    add_interruption(soapy, LOSS_GAP);
    soapy->restarted = true;
    return activate(s);
}

/*
 * Starts the stream at the first read: the radio must not overflow while the caller creates the
 * ring after init. The mark of the first samples has their time.
 */
static int start(struct source *s)
{
    struct soapy *soapy = s->priv;
    if (soapy->started)
        return 0;
    soapy->started = true;
    add_interruption(soapy, LOSS_CAUSES);
    return activate(s);
}

/* Sleeps if the driver returned at once, to avoid a busy loop. */
static int handle_empty_read(struct source *s, uint64_t since_ns)
{
    struct soapy *soapy = s->priv;
    if (soapy->drain > 0) {
        soapy->drain = 0;
        return 0;
    }
    if (clock_now_ns() - since_ns < one_ms)
        nanosleep(&(struct timespec){.tv_nsec = (long)one_ms}, NULL);
    return restart_if_silent(s);
}

/* Calls readStream once. Returns samples, 0 or -errno. */
static int64_t read_once(struct source *s, void *into, uint32_t samples, uint64_t left_ns)
{
    struct soapy *soapy = s->priv;
    long long stamp_ns = 0;
    int flags = 0;
    const uint64_t before = clock_now_ns();
    const uint64_t discard = soapy->drain ? soapy->drain : soapy->settle;
    const long timeout_us = soapy->drain ? 0 : (long)(left_ns / 1000);
    if (discard > 0 && discard < samples)
        samples = (uint32_t)discard;
    if (samples > SOAPY_STREAM_SAMPLES)
        samples = SOAPY_STREAM_SAMPLES;
    const int got = soapy_stream_read(&soapy->stream, into, samples, timeout_us, &flags, &stamp_ns);
    if (got > 0 && (uint32_t)got > samples)
        return source_fail(s, -EIO, "%s returned %d samples of %u", s->stream.about, got, samples);
    if (got > 0)
        return arrived(s, (uint32_t)got, flags, stamp_ns);
    const int err = no_samples(s, got);
    return err < 0 ? err : handle_empty_read(s, before);
}

static int64_t soapy_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uint64_t now = clock_now_ns();
    int64_t got = 0;
    const int err = start(s);
    if (err < 0)
        return err;
    do {
        got = read_once(s, into, samples, now < until ? until - now : 0);
        now = clock_now_ns();
    } while (got == 0 && now < until);
    return got;
}

static bool same(const struct tuning *a, const struct tuning *b)
{
    const bool center = a->center_hz == b->center_hz || isnan(a->center_hz);
    return center && a->ppm == b->ppm && a->converter_hz == b->converter_hz &&
           a->bandwidth_hz == b->bandwidth_hz && strcmp(a->gain, b->gain) == 0 &&
           strcmp(a->antenna, b->antenna) == 0 && strcmp(a->settings, b->settings) == 0;
}

static void settle(struct source *s)
{
    struct soapy *soapy = s->priv;
    soapy->pending.set = soapy->pending.tuning_changed = true;
    soapy->pending.cause = LOSS_RETUNE; /* other pending events are part of it */
    soapy->drain = (uint64_t)llround(drain_seconds * s->stream.tuning.rate_hz);
    soapy->settle = (uint64_t)llround(settle_seconds * s->stream.tuning.rate_hz);
}

static int soapy_tune(struct source *s, const struct tuning *want)
{
    struct soapy *soapy = s->priv;
    if (want->rate_hz > 0 && want->rate_hz != soapy->requested.rate_hz)
        return -EAGAIN;
    if (same(want, &soapy->requested))
        return 0;
    int err = soapy_settings_check(s, soapy->device, want->settings);
    if (err == 0)
        err = soapy_tuning_check(s, soapy->device, want);
    if (err < 0)
        return err;
    err = soapy_settings_apply(s, soapy->device, want->settings, soapy->requested.settings);
    if (err == 0)
        err = soapy_tuning_apply(s, soapy->device, want, &soapy->requested);
    if (err == 0)
        soapy->requested = *want;
    soapy_tuning_report(s, soapy->device, &soapy->requested);
    settle(s);
    return err;
}

static void soapy_finish(struct source *s)
{
    struct soapy *soapy = s->priv;
    soapy_stream_close(&soapy->stream);
    if (soapy->device)
        soapy_bias_tee_off(s, soapy->device, soapy->requested.settings);
    soapy_device_close(soapy->device);
}

const struct source_ops source_soapy = {
    .name = "soapy",
    .about = "a radio, through SoapySDR",
    .priv_size = sizeof(struct soapy),
    .live = true,
    .init = soapy_init,
    .read = soapy_read,
    .tune = soapy_tune,
    .list = soapy_device_list,
    .finish = soapy_finish,
};
