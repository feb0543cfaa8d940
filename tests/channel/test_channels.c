/* test_channels.c - channels of a ring: levels, times, gaps, retuning, and what is missing. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/channel/channels.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/epoch/iq_tap.h"

#define PI     3.14159265358979323846
#define RATE   240e3 /* blocks of 1920 samples, 1440 apart */
#define CENTER 433.92e6
#define TONE   434.00e6
#define START  INT64_C(1700000000000000000)

struct fixture {
    struct channel_options options;
    struct channels *channels;
    struct epoch *epoch;
    uint64_t position, lost;
    double center_hz;
    bool silent;  /* no tone */
    double noise; /* amplitude of each part, uniform */
    uint64_t seed;
};

static double noise_of(struct fixture *f)
{
    f->seed = f->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return f->noise * (2 * (double)(f->seed >> 11) / 9007199254740992.0 - 1);
}

static void begin(struct fixture *f, bool lossless, uint32_t ring_samples)
{
    struct reason why = {0};
    struct stream stream = {.format = FFT_IQ_CF32, .full_scale = 1, .start_ns = START};
    stream.tuning.rate_hz = RATE;
    stream.tuning.center_hz = f->center_hz = CENTER;
    f->options.most = 8;
    if (f->options.max_bytes == 0)
        f->options.max_bytes = 1 << 24;
    const struct channels_config config = {.options = &f->options, .lossless = lossless};
    assert_int_equal(channels_create(&f->channels, &config, &why), 0);
    const struct epoch_config epoch = {.n = 64, .ring_bytes = 8 * (uint64_t)ring_samples};
    assert_int_equal(epoch_create(&f->epoch, &stream, &epoch, &why), 0);
    iq_ring_set_lossless(f->epoch->ring, lossless);
    iq_tap_begin(channels_tap(f->channels), f->epoch);
}

static void finish(struct fixture *f)
{
    iq_ring_close(f->epoch->ring);
    iq_tap_end(channels_tap(f->channels));
    iq_reader_leave(&f->epoch->reader, f->epoch->ring);
    channels_destroy(f->channels);
    epoch_unref(f->epoch);
}

/* The tone at -6.02 dBFS, with the phase of each sample's number. */
static void write_tone(struct fixture *f, uint64_t samples)
{
    while (samples > 0) {
        const uint32_t now = samples < 480 ? (uint32_t)samples : 480;
        struct fft_iq *into = NULL;
        struct iq_mark mark;
        while (!into)
            into = iq_ring_write_begin(f->epoch->ring, 1000);
        for (uint32_t i = 0; i < now; i++) {
            const double number = (double)(f->position + f->lost + i);
            const double angle = 2 * PI * fmod((TONE - f->center_hz) / RATE * number, 1);
            const double tone = f->silent ? 0 : 0.5;
            into[i].re = (float)(tone * cos(angle) + noise_of(f));
            into[i].im = (float)(tone * sin(angle) + noise_of(f));
        }
        iq_ring_write_end(f->epoch->ring, now);
        f->position += now;
        samples -= now;
        iq_reader_advance(&f->epoch->reader, f->epoch->ring, f->position);
        while (iq_ring_pop_mark(f->epoch->ring, &mark))
            continue;
    }
}

static struct channel *open_channel(struct fixture *f, double center_hz, double rate_hz)
{
    struct channel *x = NULL;
    struct reason why = {0};
    const struct channel_request q = {.center_hz = center_hz, .rate_hz = rate_hz, .waits = true};
    if (channel_open(f->channels, &q, &x, &why) < 0)
        fail_msg("%s", why.sentence);
    return x;
}

/* The next block; the test fails if none comes in a minute. */
static struct channel_block *next_block(struct channel *x, struct channel_cursor *c)
{
    bool closed;
    struct channel_block *b = channel_output_wait(channel_output_of(x), c, 60000, &closed);
    assert_non_null(b);
    return b;
}

/* The worst error of outputs first .. last against 0.5 exp(2 pi i hz t), with t of their index. */
static double tone_error(const struct channel_block *b, double hz, double rate_hz, uint64_t first,
                         uint64_t last)
{
    double worst = 0;
    for (size_t i = 0; i < b->count; i++) {
        const uint64_t index = b->index + i;
        const double angle = 2 * PI * fmod(hz / rate_hz * (double)index, 1);
        if (index >= first && index <= last)
            worst = fmax(worst, hypot(b->sample[i].re - 0.5 * cos(angle),
                                      b->sample[i].im - 0.5 * sin(angle)));
    }
    return worst;
}

/* ---- samples and times ---------------------------------------------------------------------- */

static void every_sample_comes_once_with_its_level_phase_and_time(void **state)
{
    (void)state;
    enum { SAMPLES = 24000 };
    static const double rates_hz[] = {48e3, 22050};
    for (int i = 0; i < 2; i++) {
        struct fixture f = {0};
        struct channel_cursor c = {0};
        uint64_t next = 0;
        const uint64_t all = (uint64_t)(SAMPLES * rates_hz[i] / RATE);
        begin(&f, true, 32768);
        struct channel *x = open_channel(&f, TONE - 1000, rates_hz[i]);
        write_tone(&f, SAMPLES);
        iq_ring_close(f.epoch->ring);
        iq_reader_leave(&f.epoch->reader, f.epoch->ring);
        while (next < all) {
            struct channel_block *b = next_block(x, &c);
            const double since_s = (double)b->index / rates_hz[i];
            assert_int_equal(b->index, next);
            assert_true(fabs((double)(b->time_ns - START) - 1e9 * since_s) < 1000);
            assert_true(fabs((double)b->number - RATE * since_s) <= 1);
            assert_true(tone_error(b, 1000, rates_hz[i], 200, all - 200) < 0.5 * 2e-4);
            next += b->count;
            channel_block_unref(b);
        }
        assert_int_equal(next, all);
        channel_close(x);
        f.epoch->reader = (struct iq_reader){0};
        iq_tap_end(channels_tap(f.channels));
        channels_destroy(f.channels);
        epoch_unref(f.epoch);
    }
}

static void a_gap_is_a_jump_of_the_index_and_keeps_the_phase(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channel_cursor c = {0};
    begin(&f, true, 65536);
    struct channel *x = open_channel(&f, TONE - 1000, 48e3);
    struct iq_mark mark = {0};
    write_tone(&f, 10000);
    mark.lost[LOSS_OVERFLOW] = 12345;
    mark.events[LOSS_OVERFLOW] = 1;
    iq_ring_mark(f.epoch->ring, &mark);
    f.lost = 12345;
    write_tone(&f, 20000);
    uint64_t next = 0;
    for (int jumps = 0; next < 7000;) {
        struct channel_block *b = next_block(x, &c);
        if (b->index != next) { /* 10,000 samples are 2000 outputs; 22,345 are 4469 */
            assert_int_equal(next, 2000);
            assert_int_equal(b->index, 4469);
            assert_int_equal(++jumps, 1);
        }
        assert_true(tone_error(b, 1000, 48e3, 100, 1900) < 1e-4);
        assert_true(tone_error(b, 1000, 48e3, 4600, 7000) < 1e-4);
        next = b->index + b->count;
        channel_block_unref(b);
        assert_true(next < 4469 || jumps == 1);
    }
    channel_close(x);
    finish(&f);
}

static void a_channel_opened_later_has_the_bytes_of_one_that_was_there(void **state)
{
    (void)state;
    static const double rates_hz[] = {48e3, 44.1e3};
    for (int i = 0; i < 2; i++) {
        struct fixture f = {0};
        struct channel_cursor first = {0}, second = {0};
        begin(&f, true, 65536);
        struct channel *x = open_channel(&f, TONE + 1234.5, rates_hz[i]);
        write_tone(&f, 9999);
        channel_block_unref(next_block(x, &first));
        struct channel *y = open_channel(&f, TONE + 1234.5, rates_hz[i]);
        write_tone(&f, 30000);
        struct channel_block *a = next_block(x, &first), *b = next_block(y, &second);
        for (unsigned compared = 0; compared < 2000;) {
            while (a->index + a->count <= b->index) {
                channel_block_unref(a);
                a = next_block(x, &first);
            }
            assert_true(a->index <= b->index); /* block by block from then on */
            const size_t at = (size_t)(b->index - a->index);
            const size_t count = a->count - at < b->count ? a->count - at : b->count;
            assert_memory_equal(a->sample + at, b->sample, count * sizeof *a->sample);
            compared += (unsigned)count;
            channel_block_unref(b);
            b = next_block(y, &second);
        }
        channel_block_unref(a);
        channel_block_unref(b);
        channel_close(x);
        channel_close(y);
        finish(&f);
    }
}

/* ---- levels and squelch ---------------------------------------------------------------------- */

/* Uniform noise of +-a in each part has the power 2 a^2 / 3. */
static void blocks_say_how_loud_they_are_and_whether_somebody_transmits(void **state)
{
    (void)state;
    enum { QUIET = 48000, LOUD = 24000 }; /* samples: 0.2 and 0.1 s */
    struct fixture f = {.noise = 0.001, .silent = true, .seed = 1};
    struct channel_cursor c = {0};
    struct channel *x = NULL;
    struct reason why = {0};
    struct channel_request q = {.center_hz = TONE - 1000, .rate_hz = 48e3, .waits = true};
    q.squelch = (struct squelch_rule){SQUELCH_SNR, 6, SQUELCH_HYSTERESIS_DB, 0.05};
    begin(&f, true, 262144);
    assert_int_equal(channel_open(f.channels, &q, &x, &why), 0);
    write_tone(&f, QUIET);
    f.silent = false;
    write_tone(&f, LOUD);
    f.silent = true;
    write_tone(&f, QUIET);
    const double noise_db = 10 * log10(2e-6 / 3 * 45.2e3 / RATE);
    unsigned open = 0, loud = 0;
    double quiet_power = 0;
    for (uint64_t next = 0; next < 23000;) {
        struct channel_block *b = next_block(x, &c);
        const double at_s = (double)b->index / 48e3;
        if (at_s > 0.05) /* means of a few blocks are not exact */
            assert_true(fabs(b->noise_dbfs - noise_db) < 0.7);
        if (at_s > 0.202 && at_s < 0.29) {
            assert_true(fabs(b->level_dbfs + 6.02) < 0.1);
            loud++;
        }
        if (at_s > 0.05 && at_s < 0.19)
            quiet_power += pow(10, b->level_dbfs / 10) / 23.5;
        /* From its second whole block on, until 50 ms after its end. */
        assert_true(b->open == (at_s > 0.199 && at_s < 0.362) || (at_s > 0.18 && at_s < 0.213) ||
                    (at_s > 0.345 && at_s < 0.362));
        open += b->open;
        next = b->index + b->count;
        channel_block_unref(b);
    }
    assert_true(loud >= 14);
    assert_true(open >= 22 && open <= 27);
    assert_true(fabs(10 * log10(quiet_power) - noise_db) < 0.4);
    channel_close(x);
    finish(&f);
}

/* ---- armed channels -------------------------------------------------------------------------- */

static struct channel *arm(struct fixture *f, double rate_hz, double pre_s)
{
    struct channel *x = NULL;
    struct reason why = {0};
    struct channel_request q = {.center_hz = TONE - 1000, .rate_hz = rate_hz, .waits = true};
    q.squelch = (struct squelch_rule){SQUELCH_SNR, 6, SQUELCH_HYSTERESIS_DB, 0.05};
    q.armed = true;
    q.pre_s = pre_s;
    if (channel_open(f->channels, &q, &x, &why) < 0)
        fail_msg("%s", why.sentence);
    return x;
}

/* Two transmissions of 0.1 s, at 0.2 and 0.6 s. */
static void write_two_transmissions(struct fixture *f)
{
    static const unsigned lengths[] = {48000, 24000, 72000, 24000, 48000};
    for (int i = 0; i < 5; i++) {
        f->silent = i % 2 == 0;
        write_tone(f, lengths[i]);
    }
}

static void a_transmission_begins_before_its_carrier_with_the_bytes_of_an_open_channel(void **state)
{
    (void)state;
    static const double rates_hz[] = {48e3, 44.1e3};
    for (int i = 0; i < 2; i++) {
        struct fixture f = {.noise = 0.001, .seed = 1};
        struct channel_cursor first = {0}, second = {0};
        const double rate_hz = rates_hz[i];
        begin(&f, true, 262144);
        struct channel *x = open_channel(&f, TONE - 1000, rate_hz), *y = arm(&f, rate_hz, 0.1);
        write_two_transmissions(&f);
        struct channel_block *a = next_block(x, &first);
        for (uint64_t transmission = 1, next = 0; transmission <= 2;) {
            struct channel_block *b = next_block(y, &second);
            const double carrier = (transmission == 1 ? 0.2 : 0.6) * rate_hz;
            assert_int_equal(b->transmission, transmission);
            if (next == 0) { /* 100 ms before the carrier, and three blocks at most */
                assert_true((double)b->index <= carrier - 0.1 * rate_hz);
                assert_true((double)b->index > carrier - (0.1 + 3 * 0.006) * rate_hz);
            } else {
                assert_int_equal(b->index, next);
            }
            assert_true(b->open || (double)b->index < carrier || b->last);
            next = b->index + b->count;
            while (a->index + a->count <= b->index) {
                channel_block_unref(a);
                a = next_block(x, &first);
            }
            const size_t at = (size_t)(b->index - a->index);
            const size_t count = a->count - at < b->count ? a->count - at : b->count;
            assert_memory_equal(a->sample + at, b->sample, count * sizeof *a->sample);
            assert_true(llabs(a->time_ns + (int64_t)((double)at * 1e9 / rate_hz) - b->time_ns) <=
                        2);
            if (b->last) {
                assert_false(b->open);
                assert_true(fabs((double)next - carrier - (0.1 + 0.055) * rate_hz) <
                            0.012 * rate_hz);
                transmission++;
                next = 0;
            }
            channel_block_unref(b);
        }
        channel_block_unref(a);
        channel_close(x);
        channel_close(y);
        finish(&f);
    }
}

static void an_armed_channel_makes_no_samples_of_noise(void **state)
{
    (void)state;
    struct fixture f = {.noise = 0.001, .silent = true, .seed = 1};
    struct channels_state s;
    struct channel_info info;
    struct channel_cursor c = {0};
    bool closed;
    begin(&f, true, 262144);
    struct channel *x = arm(&f, 48e3, 0.5);
    write_tone(&f, 500000);
    iq_ring_close(f.epoch->ring);
    iq_reader_leave(&f.epoch->reader, f.epoch->ring);
    do {
        usleep(1000);
        channel_info(x, &info);
    } while (info.state == CHANNEL_STARTS || isnan(info.noise_dbfs));
    assert_int_equal(info.state, CHANNEL_ARMED);
    channels_state(f.channels, &s);
    assert_int_equal(s.transformed, 0);
    assert_null(channel_output_take(channel_output_of(x), &c, &closed));
    channel_close(x);
    f.epoch->reader = (struct iq_reader){0};
    iq_tap_end(channels_tap(f.channels));
    channels_destroy(f.channels);
    epoch_unref(f.epoch);
}

static void wait_for_state(struct channel *x, enum channel_state state, struct channel_info *info)
{
    for (int i = 0; i < 60000; i++) {
        channel_info(x, info);
        if (info->state == state)
            return;
        usleep(1000);
    }
    fail_msg("%s, not %s", channel_state_name(info->state), channel_state_name(state));
}

/* 48 kS/s: 384 bins of 8 bytes in a block, and 60 bytes or so beside them. */
static void what_armed_channels_keep_is_limited(void **state)
{
    (void)state;
    struct fixture f = {.noise = 0.001, .silent = true, .seed = 1};
    struct channel_info info;
    f.options.max_bytes = 100000;
    begin(&f, true, 262144);
    struct channel *x = arm(&f, 48e3, 0.12), *y = arm(&f, 48e3, 0.12);
    write_tone(&f, 24000);
    wait_for_state(x, CHANNEL_ARMED, &info);
    wait_for_state(y, CHANNEL_REFUSED, &info);
    assert_non_null(strstr(info.message, "pre: 0.12 s before each transmission take 0.069 MB, and "
                                         "max-pre-memory (0.1 MB) has 0.031 MB left"));
    channel_close(x);
    struct channel *z = arm(&f, 48e3, 0.12);
    write_tone(&f, 24000);
    wait_for_state(z, CHANNEL_ARMED, &info);
    channel_close(y);
    channel_close(z);
    finish(&f);
}

static void an_armed_channel_needs_a_squelch(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channel *x = NULL;
    struct reason why = {0};
    const struct channel_request q = {.center_hz = TONE, .rate_hz = 48e3, .armed = true};
    begin(&f, true, 32768);
    assert_int_equal(channel_open(f.channels, &q, &x, &why), -EINVAL);
    assert_string_equal(why.key, "squelch");
    finish(&f);
}

/* ---- the radio and its channels ----------------------------------------------------------------
 */

static void a_retuned_radio_silences_what_it_does_not_receive(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channel_cursor c = {0};
    struct channel_info info;
    begin(&f, true, 65536);
    struct channel *x = open_channel(&f, TONE - 1000, 48e3);
    write_tone(&f, 10000);
    static const double centers_hz[] = {CENTER + 10e6, TONE - 20e3};
    for (int i = 0; i < 2; i++) {
        struct iq_mark mark = {.tuning_changed = true, .tuning = f.epoch->stream.tuning};
        mark.tuning.center_hz = f.center_hz = centers_hz[i];
        iq_ring_mark(f.epoch->ring, &mark);
        write_tone(&f, 10000);
    }
    for (uint64_t next = 0; next < 5700;) {
        struct channel_block *b = next_block(x, &c);
        const bool silent = b->index >= 2000 && b->index < 4000;
        assert_int_equal(b->index, next);
        assert_int_equal(b->silent, silent);
        double loudest = 0;
        for (size_t k = 0; k < b->count; k++)
            loudest = fmax(loudest, hypot(b->sample[k].re, b->sample[k].im));
        assert_true(silent ? loudest <= 0 : loudest > 0.45);
        assert_true(tone_error(b, 1000, 48e3, 4100, 5700) < 1e-4);
        next += b->count;
        channel_block_unref(b);
    }
    channel_info(x, &info);
    assert_int_equal(info.state, CHANNEL_OPEN);
    channel_close(x);
    finish(&f);
}

static void a_moved_channel_is_at_its_new_place_from_a_block_on(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channel_cursor c = {0};
    begin(&f, true, 65536);
    struct channel *x = open_channel(&f, TONE - 1000, 48e3);
    write_tone(&f, 4000);
    channel_block_unref(next_block(x, &c));
    channel_move(x, TONE + 2000);
    write_tone(&f, 40000);
    bool moved = false;
    for (uint64_t next = 288; next < 8000;) {
        struct channel_block *b = next_block(x, &c);
        const double hz = b->center_hz > TONE ? -2000 : 1000;
        assert_true(!moved || hz < 0);
        moved = hz < 0;
        assert_int_equal(b->index, next);
        assert_true(tone_error(b, hz, 48e3, 100, 8000) < 1e-4);
        next += b->count;
        channel_block_unref(b);
    }
    assert_true(moved);
    channel_close(x);
    finish(&f);
}

/* Writes until there is a block. */
static struct channel_block *write_block(struct fixture *f, struct channel *x,
                                         struct channel_cursor *c)
{
    struct channel_block *b = NULL;
    bool closed;
    while (!(b = channel_output_wait(channel_output_of(x), c, 20, &closed)))
        write_tone(f, 1000);
    return b;
}

static void what_the_ring_overwrites_is_counted(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channels_state s;
    struct channel_cursor c = {0};
    begin(&f, false, 32768);
    struct channel *x = open_channel(&f, TONE - 1000, 48e3);
    channel_block_unref(write_block(&f, x, &c));
    do { /* far faster than real time, the thread has a lower priority */
        write_tone(&f, 200000);
        channels_state(f.channels, &s);
    } while (s.missed == 0);
    assert_true(s.missed < f.position);
    /* What comes is right, but for the filter's slopes beside what is missing. */
    struct channel_block *last = NULL;
    for (int good = 0, run = 0; good < 20;) {
        struct channel_block *b = write_block(&f, x, &c);
        run = last && last->index + last->count == b->index ? run + 1 : 0;
        if (run >= 2) {
            assert_true(tone_error(last, 1000, 48e3, 0, UINT64_MAX) < 1e-4);
            good++;
        }
        channel_block_unref(last);
        last = b;
    }
    channel_block_unref(last);
    channel_close(x);
    finish(&f);
}

static void refusals_name_the_value(void **state)
{
    (void)state;
    struct fixture f = {0};
    struct channel *x[8] = {0}, *more = NULL;
    struct reason why = {0};
    struct channel_info info;
    struct channel_request q = {.center_hz = TONE};
    begin(&f, true, 32768);
    assert_int_equal(channel_open(f.channels, &q, &more, &why), -EINVAL);
    assert_string_equal(why.key, "rate_hz");
    for (int i = 0; i < 8; i++)
        x[i] = open_channel(&f, TONE, 48e3);
    q.rate_hz = 48e3;
    assert_int_equal(channel_open(f.channels, &q, &more, &why), -EMFILE);
    assert_string_equal(why.sentence, "max-channels is 8, and as many are open");
    channel_close(x[3]);
    q.rate_hz = 2e3; /* the stream's blocks are too short for it: its state says so */
    assert_int_equal(channel_open(f.channels, &q, &x[3], &why), 0);
    for (int i = 0; i < 60000; i++) {
        channel_info(x[3], &info);
        if (info.state != CHANNEL_STARTS)
            break;
        usleep(1000);
    }
    assert_int_equal(info.state, CHANNEL_REFUSED);
    assert_non_null(strstr(info.message, "rate_hz: 2kS/s is outside the range"));
    struct channel_info list[8];
    assert_int_equal(channels_list(f.channels, list, 8), 8);
    assert_int_equal(list[7].id, 9);
    for (int i = 0; i < 8; i++)
        channel_close(x[i]);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_comes_once_with_its_level_phase_and_time),
        cmocka_unit_test(a_gap_is_a_jump_of_the_index_and_keeps_the_phase),
        cmocka_unit_test(a_channel_opened_later_has_the_bytes_of_one_that_was_there),
        cmocka_unit_test(blocks_say_how_loud_they_are_and_whether_somebody_transmits),
        cmocka_unit_test(
            a_transmission_begins_before_its_carrier_with_the_bytes_of_an_open_channel),
        cmocka_unit_test(an_armed_channel_makes_no_samples_of_noise),
        cmocka_unit_test(what_armed_channels_keep_is_limited),
        cmocka_unit_test(an_armed_channel_needs_a_squelch),
        cmocka_unit_test(a_retuned_radio_silences_what_it_does_not_receive),
        cmocka_unit_test(a_moved_channel_is_at_its_new_place_from_a_block_on),
        cmocka_unit_test(what_the_ring_overwrites_is_counted),
        cmocka_unit_test(refusals_name_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
