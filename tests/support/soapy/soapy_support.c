/* soapy_support.c - opens the test radio and reads from it. */
#include "tests/support/soapy/soapy_support.h"

#include <SoapySDR/Device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fft/iq.h"

static char folder[] = "/tmp/fftd-soapy-XXXXXX", control[64];

int support_begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(control, sizeof control, "%s/faults", folder);
    setenv("FFTDTEST_CONTROL", control, 1);
    setenv("SOAPY_SDR_PLUGIN_PATH", SIGGEN_MODULES, 1);
    setenv("FFTDTEST_BUFFER", "60", 1); /* overflows must not depend on the load of the machine */
    faults("");
    return 0;
}

int support_end(void **state)
{
    (void)state;
    unlink(control);
    return rmdir(folder);
}

const char *faults_file(void)
{
    return control;
}

void faults(const char *text)
{
    char fresh[80];
    snprintf(fresh, sizeof fresh, "%s.new", control);
    FILE *file = fopen(fresh, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(rename(fresh, control), 0);
}

void radio_init(struct test_radio *r, const char *arguments)
{
    static char device[512];
    memset(r, 0, sizeof *r);
    snprintf(device, sizeof device, "driver=fftdtest%s%s", *arguments ? "," : "", arguments);
    r->config.source = "soapy";
    r->config.device = device;
    r->config.tuning.rate_hz = 2.4e6;
    r->config.tuning.center_hz = 100e6;
    r->counting = strstr(arguments, "signal=counter") != NULL;
}

int radio_open(struct test_radio *r)
{
    r->why = (struct reason){0};
    return source_create(&r->source, &source_soapy, &r->config, &r->why);
}

void radio_must_open(struct test_radio *r)
{
    if (radio_open(r) != 0)
        fail_msg("cannot open: %s", r->why.sentence);
}

void radio_close(struct test_radio *r)
{
    source_destroy(r->source);
    r->source = NULL;
}

void assert_refused(struct test_radio *r, int err, const char *words)
{
    assert_int_equal(radio_open(r), err);
    assert_null(r->source);
    if (!strstr(r->why.sentence, words))
        fail_msg("\"%s\" does not say \"%s\"", r->why.sentence, words);
}

static void count_mark(struct test_radio *r)
{
    struct source_mark *m = &r->source->mark;
    if (!m->set)
        return;
    r->mark = *m;
    if (m->cause < LOSS_CAUSES) {
        r->events[m->cause]++;
        r->lost[m->cause] += m->lost;
        r->next += (uint32_t)m->lost;
    }
    r->mark_at = r->next;
    *m = (struct source_mark){0};
}

static void check_counter(struct test_radio *r, uint32_t samples)
{
    const uint16_t *iq = (const uint16_t *)(const void *)r->block;
    for (uint32_t i = 0; i < samples; i++, iq += 2) {
        const uint32_t value = iq[0] | (uint32_t)iq[1] << 16;
        if (value != r->next)
            fail_msg("sample %u is number %u, expected %u", i, value, r->next);
        r->next++;
    }
}

int64_t radio_read(struct test_radio *r, uint32_t samples, int timeout_ms)
{
    const int64_t got = source_soapy.read(r->source, r->block, samples, timeout_ms);
    count_mark(r);
    if (got > 0) {
        r->delivered += (uint64_t)got;
        if (r->counting)
            check_counter(r, (uint32_t)got);
    }
    return got;
}

/* `last`: time of the last samples. */
static void read_or_fail(struct test_radio *r, time_t *last)
{
    const int64_t got = radio_read(r, BLOCK, 100);
    if (got < 0)
        fail_msg("read: %s", r->source->why.sentence);
    if (got > 0)
        *last = time(NULL);
    if (time(NULL) > *last + 60)
        fail_msg("nothing came for a minute");
}

void radio_read_all(struct test_radio *r, uint64_t samples)
{
    time_t last = time(NULL);
    const uint64_t goal = r->delivered + samples;
    while (r->delivered < goal)
        read_or_fail(r, &last);
}

void radio_read_until(struct test_radio *r, enum loss cause)
{
    time_t last = time(NULL);
    const uint64_t had = r->events[cause];
    while (r->events[cause] == had)
        read_or_fail(r, &last);
}

double radio_level(struct test_radio *r, double offset_hz)
{
    static struct fft_iq iq[BLOCK];
    const struct stream *s = &r->source->stream;
    const double step = -2 * M_PI * offset_hz / s->tuning.rate_hz;
    double re = 0, im = 0;
    uint32_t have = 0;
    while (have < BLOCK) {
        const int64_t got = radio_read(r, BLOCK - have, 1000);
        assert_true(got > 0);
        fft_iq_unpack(s->format, r->block, iq, (size_t)got);
        for (uint32_t i = 0; i < got; i++) {
            const double c = cos(step * (have + i)), d = sin(step * (have + i));
            re += (double)iq[i].re * c - (double)iq[i].im * d;
            im += (double)iq[i].re * d + (double)iq[i].im * c;
        }
        have += (uint32_t)got;
    }
    const double ratio = fft_iq_full_scale(s->format) / s->full_scale;
    return 20 * log10(ratio * hypot(re, im) / BLOCK);
}

static char *setting(struct test_radio *r, const char *key)
{
    SoapySDRDevice *device = SoapySDRDevice_makeStrArgs(r->config.device);
    assert_non_null(device);
    char *is = SoapySDRDevice_readSetting(device, key);
    SoapySDRDevice_unmake(device);
    return is;
}

bool has_setting(struct test_radio *r, const char *key, const char *value)
{
    char *is = setting(r, key);
    const bool yes = strcmp(is, value) == 0;
    SoapySDR_free(is);
    return yes;
}

void assert_setting(struct test_radio *r, const char *key, const char *value)
{
    char *is = setting(r, key);
    assert_string_equal(is, value);
    SoapySDR_free(is);
}
