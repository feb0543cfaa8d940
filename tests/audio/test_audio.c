/* test_audio.c - receivers of a ring: what listeners share, gaps, listeners that lag or leave. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/audio/audio.h"
#include "daemon/audio/audio_listener.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channels.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/epoch/iq_tap.h"

#define PI        3.14159265358979323846
#define RATE      240e3
#define CENTER    433.92e6
#define STATION   433.95e6
#define TONE      1000.0
#define DEVIATION 3000.0
/* The rated 5 kHz are -3 dBFS: amplitude, full scale 1. */
#define AMPLITUDE (0.70794578438 * DEVIATION / 5000)

struct fixture {
    struct channel_options options;
    struct channels *channels;
    struct audio *audio;
    struct epoch *epoch;
    uint64_t position, lost;
};

static void wake(void *user)
{
    struct fixture *f = user;
    audio_wake(f->audio);
}

static void begin(struct fixture *f, bool lossless)
{
    struct reason why = {0};
    struct stream stream = {.format = FFT_IQ_CF32, .full_scale = 1};
    stream.tuning.rate_hz = RATE;
    stream.tuning.center_hz = CENTER;
    f->options.most = 4;
    const struct channels_config channels = {
        .options = &f->options, .lossless = lossless, .ready = wake, .user = f};
    assert_int_equal(channels_create(&f->channels, &channels, &why), 0);
    const struct audio_config audio = {.channels = f->channels, .lossless = lossless};
    assert_int_equal(audio_create(&f->audio, &audio, &why), 0);
    const struct epoch_config epoch = {.n = 64, .ring_bytes = 8 * UINT64_C(65536)};
    assert_int_equal(epoch_create(&f->epoch, &stream, &epoch, &why), 0);
    iq_ring_set_lossless(f->epoch->ring, lossless);
    iq_tap_begin(channels_tap(f->channels), f->epoch);
}

static void finish(struct fixture *f)
{
    iq_ring_close(f->epoch->ring);
    iq_tap_end(channels_tap(f->channels));
    iq_reader_leave(&f->epoch->reader, f->epoch->ring);
    audio_stop(f->audio);
    channels_destroy(f->channels);
    audio_destroy(f->audio);
    epoch_unref(f->epoch);
}

/* The station: FM of a sine, phase 0 at sample 0. */
static void write_station(struct fixture *f, uint64_t samples)
{
    while (samples > 0) {
        const uint32_t now = samples < 480 ? (uint32_t)samples : 480;
        struct fft_iq *into = NULL;
        struct iq_mark mark;
        while (!into)
            into = iq_ring_write_begin(f->epoch->ring, 1000);
        for (uint32_t i = 0; i < now; i++) {
            const double t = (double)(f->position + f->lost + i) / RATE;
            const double angle = 2 * PI * fmod((STATION - CENTER) * t, 1) +
                                 DEVIATION / TONE * sin(2 * PI * TONE * t);
            into[i] = (struct fft_iq){0.5F * (float)cos(angle), 0.5F * (float)sin(angle)};
        }
        iq_ring_write_end(f->epoch->ring, now);
        f->position += now;
        samples -= now;
        iq_reader_advance(&f->epoch->reader, f->epoch->ring, f->position);
        while (iq_ring_pop_mark(f->epoch->ring, &mark))
            continue;
    }
}

/* Loses samples before the next ones. */
static void lose(struct fixture *f, uint64_t samples)
{
    struct iq_mark mark = {0};
    mark.lost[LOSS_OVERFLOW] = samples;
    mark.events[LOSS_OVERFLOW] = 1;
    iq_ring_mark(f->epoch->ring, &mark);
    f->lost += samples;
}

static struct audio_request request(const char *codec)
{
    return (struct audio_request){.center_hz = STATION,
                                  .demod = {.ops = demod_find("nfm"), .flat = true},
                                  .codec = audio_codec_find(codec),
                                  .waits = true};
}

static struct audio_listener *listen_to(struct fixture *f, const struct audio_request *q)
{
    struct audio_listener *l = NULL;
    struct reason why = {0};
    if (audio_listen(f->audio, q, &l, &why) < 0)
        fail_msg("%s", why.sentence);
    return l;
}

/* The next `count` frames of f32. The test fails if none come for a minute. */
static void read_frames(struct audio_listener *l, float *into, size_t count)
{
    for (size_t have = 0, waited = 0; have < count;) {
        const void *data;
        const ssize_t bytes = audio_listener_data(l, &data);
        assert_true(bytes >= 0 && waited < 60000);
        const size_t frames = (size_t)bytes / sizeof *into;
        const size_t used = frames < count - have ? frames : count - have;
        memcpy(into + have, data, used * sizeof *into);
        audio_listener_skip(l, used * sizeof *into);
        have += used;
        waited += used == 0;
        if (used == 0)
            usleep(1000);
    }
}

/* Amplitude of the tone, and the time that its maxima are late (s), by a sum over whole periods. */
static double tone_of(const float *x, size_t count, double rate_hz, double *late_s)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < count; i++) {
        re += (double)x[i] * cos(2 * PI * fmod(TONE * (double)i / rate_hz, 1));
        im += (double)x[i] * sin(2 * PI * fmod(TONE * (double)i / rate_hz, 1));
    }
    *late_s = atan2(im, re) / (2 * PI * TONE);
    return 2 * hypot(re, im) / (double)count;
}

/* ---- sharing -------------------------------------------------------------------------------- */

static void equal_requests_share_a_demodulator_and_what_is_encoded(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct audio_state s;
    struct audio_info info[4];
    begin(&f, false);
    struct audio_request f32 = request("f32"), s16 = request("s16"), wav = request("wav");
    struct audio_request slow = f32, other = f32;
    slow.rate_hz = 8e3;
    other.demod.width_hz = 8e3;
    struct audio_listener *all[] = {listen_to(&f, &f32), listen_to(&f, &f32), listen_to(&f, &s16),
                                    listen_to(&f, &wav), listen_to(&f, &slow)};
    audio_state(f.audio, &s);
    assert_int_equal(s.receivers, 1);
    assert_int_equal(s.encodings, 3); /* f32, s16, f32 at 8 kHz */
    assert_int_equal(s.listeners, 5);
    struct audio_listener *one = listen_to(&f, &other);
    assert_int_equal(audio_list(f.audio, info, 4), 2);
    assert_int_equal(info[0].listeners, 5);
    assert_int_equal(info[1].listeners, 1);
    assert_true(audio_has(f.audio, &other));
    other.rate_hz = 9e3;
    assert_false(audio_has(f.audio, &other)); /* another encoding */
    other.rate_hz = 0;
    audio_leave(one);
    for (size_t i = 0; i < 5; i++)
        audio_leave(all[i]);
    for (int i = 0; i < 60000; i++) {
        audio_state(f.audio, &s);
        if (s.receivers == 0)
            break;
        usleep(1000);
    }
    assert_int_equal(s.receivers, 0);
    assert_int_equal(s.listeners, 0);
    assert_int_equal(s.listeners_total, 6);
    assert_false(audio_has(f.audio, &other));
    finish(&f);
}

/* ---- audio ---------------------------------------------------------------------------------- */

static void a_tone_has_its_amplitude_for_each_of_two_who_are_waited_for(void **state)
{
    (void)state;
    enum { SECONDS = 4, SKIPPED = 3000, PERIODS = 800 };
    struct fixture f = {0};
    begin(&f, true);
    struct audio_request q = request("f32");
    struct audio_listener *one = listen_to(&f, &q), *two = listen_to(&f, &q);
    const double rate_hz = one->framing.rate_hz;
    const size_t frames = SKIPPED + (size_t)(PERIODS / TONE * rate_hz), again = frames / 3;
    float *x = calloc(frames, sizeof *x), *y = calloc(frames, sizeof *y);
    double late_s;
    /* In turns: the writer waits for both, and the ring has little room. */
    for (size_t at = 0, written = 0; at < 3; at++) {
        for (; written < (at + 1) * SECONDS * (size_t)RATE / 12; written += 480)
            write_station(&f, 480);
        read_frames(one, x + at * again, again);
        read_frames(two, y + at * again, again);
    }
    assert_memory_equal(x, y, 3 * again * sizeof *x);
    const double amplitude = tone_of(x + SKIPPED, frames - SKIPPED - 3, rate_hz, &late_s);
    assert_true(fabs(20 * log10(amplitude / AMPLITUDE)) < 0.1);
    free(x);
    free(y);
    audio_leave(one);
    audio_leave(two);
    finish(&f);
}

/* 60,000 samples are a quarter of a second, and are not whole periods of the channel's clock. */
static void missing_samples_are_silence_that_keeps_the_time(void **state)
{
    (void)state;
    struct fixture f = {0};
    begin(&f, true);
    struct audio_request q = request("f32");
    struct audio_listener *l = listen_to(&f, &q);
    struct audio_info info;
    const double rate_hz = l->framing.rate_hz;
    const size_t second = (size_t)rate_hz;
    float *x = calloc(second, sizeof *x);
    double before_s, after_s;
    write_station(&f, 100000);
    lose(&f, 60060);
    write_station(&f, 120000);
    read_frames(l, x, second);
    /* 0 .. 0.4167 s of tone, silence up to 0.6669 s, then the filters fill again. */
    const size_t period = (size_t)(rate_hz / TONE);
    const double one = tone_of(x + second / 5, 100 * period, rate_hz, &before_s);
    const double two = tone_of(x + second * 4 / 5, 100 * period, rate_hz, &after_s);
    assert_true(fabs(one / AMPLITUDE - 1) < 0.02);
    assert_true(fabs(two / AMPLITUDE - 1) < 0.02);
    /* Both begin after whole periods: the tone is where it would be without the gap. */
    assert_true(fabs(before_s - after_s) < 1 / rate_hz);
    for (size_t i = second * 44 / 100; i < second * 66 / 100; i++)
        assert_true(fabsf(x[i]) <= 0);
    assert_int_equal(audio_list(f.audio, &info, 1), 1);
    assert_true(fabs((double)info.figures.missing / rate_hz - 60060 / RATE) < 2 / rate_hz);
    free(x);
    audio_leave(l);
    finish(&f);
}

static void a_listener_that_lags_gets_silence_and_is_counted(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct audio_state s;
    begin(&f, true); /* the ring waits for the channel, nobody for the listeners */
    struct audio_request q = request("f32");
    q.waits = false;
    struct audio_listener *quick = listen_to(&f, &q), *slow = listen_to(&f, &q);
    const size_t second = (size_t)quick->framing.rate_hz;
    float *x = calloc(second, sizeof *x);
    const void *data;
    for (; audio_listener_data(slow, &data) == 0; usleep(1000)) /* until the threads are there */
        write_station(&f, 2400);
    read_frames(slow, x, 10);
    /* At the pace of the quick one; five seconds are far more than an encoding keeps. */
    for (int i = 0; i < 120; i++) {
        write_station(&f, 12000);
        read_frames(quick, x, second / 24);
    }
    const uint64_t index = slow->index;
    read_frames(slow, x, second / 2);
    assert_true(slow->cursor.skipped > 0);
    assert_true(slow->index > index + second);
    size_t zeros = 0;
    for (size_t i = 0; i < second / 2; i++)
        zeros += fabsf(x[i]) <= 0;
    assert_true(zeros > second / 4);
    const uint64_t skipped = slow->cursor.skipped;
    audio_leave(slow);
    audio_state(f.audio, &s);
    assert_int_equal(s.skipped, skipped);
    assert_int_equal(s.listeners, 1);
    audio_leave(quick);
    free(x);
    finish(&f);
}

static void a_shut_squelch_is_silence_as_long_as_the_samples(void **state)
{
    (void)state;
    struct fixture f = {0};
    begin(&f, true);
    struct audio_request q = request("f32");
    q.squelch =
        (struct squelch_rule){.by = SQUELCH_LEVEL, .open_db = -3}; /* the carrier: -6 dBFS */
    struct audio_listener *l = listen_to(&f, &q);
    const size_t frames = (size_t)(0.9 * l->framing.rate_hz);
    float *x = calloc(frames, sizeof *x);
    write_station(&f, 240000);
    read_frames(l, x, frames); /* all of them come */
    for (size_t i = 0; i < frames; i++)
        assert_true(fabsf(x[i]) <= 0);
    free(x);
    audio_leave(l);
    finish(&f);
}

static void the_modes_of_a_named_channel_are_the_demodulators(void **state)
{
    (void)state;
    char names[] = CHANNEL_MODE_NAMES, *rest = NULL;
    size_t found = 0;
    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        assert_true((demod_find(name) != NULL) == (strcmp(name, "iq") != 0));
        found++;
    }
    for (size_t i = 0; demods[i]; i++)
        found--;
    assert_int_equal(found, 1);
}

static void a_stop_ends_listeners_that_wait_and_refusals_end_receivers(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct reason why = {0};
    const void *data;
    begin(&f, true);
    struct audio_request q = request("f32"), far = q;
    struct audio_listener *l = listen_to(&f, &q), *more[4] = {0};
    for (int i = 1; i < 4; i++) {
        far.center_hz = STATION + 1e3 * i;
        more[i] = listen_to(&f, &far);
    }
    far.center_hz = STATION + 9e3;
    assert_int_equal(audio_listen(f.audio, &far, &more[0], &why), -EMFILE);
    assert_string_equal(why.sentence, "max-channels is 4, and as many are open");
    far.rate_hz = 1e3;
    assert_int_equal(audio_listen(f.audio, &far, &more[0], &why), -EINVAL);
    assert_string_equal(why.key, "audio_rate_hz");
    audio_stop(f.audio);
    assert_int_equal(audio_listener_data(l, &data), -ENODATA);
    audio_leave(l);
    for (int i = 1; i < 4; i++)
        audio_leave(more[i]);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_requests_share_a_demodulator_and_what_is_encoded),
        cmocka_unit_test(a_tone_has_its_amplitude_for_each_of_two_who_are_waited_for),
        cmocka_unit_test(missing_samples_are_silence_that_keeps_the_time),
        cmocka_unit_test(a_listener_that_lags_gets_silence_and_is_counted),
        cmocka_unit_test(a_shut_squelch_is_silence_as_long_as_the_samples),
        cmocka_unit_test(the_modes_of_a_named_channel_are_the_demodulators),
        cmocka_unit_test(a_stop_ends_listeners_that_wait_and_refusals_end_receivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
