/*
 * spyserver.c - the source for a radio behind a SpyServer.
 *
 * One client may control the radio, and others see what it tunes; a shared server lets everyone
 * tune within the band that it receives. Messages are numbered: a missing number is a loss. After
 * the server or another client has tuned, a sync message has the new centre.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/si.h"
#include "daemon/source/problem_log.h"
#include "daemon/source/server/radio_server.h"
#include "daemon/source/server/server_marks.h"
#include "daemon/source/source.h"
#include "daemon/source/spyserver/spyserver_protocol.h"

static const double longest_loss_s = 60;
enum { STEP_MS = 100, ANSWER_MS = 3000, WASTE = 4096 };

struct spyserver {
    struct radio_server server;
    struct spyserver_device device;
    struct spyserver_sync sync;
    struct tuning requested;
    struct server_marks marks;

    /* the message that is being read */
    uint8_t head[SPYSERVER_HEADER];
    size_t head_bytes;
    struct spyserver_header header;
    uint32_t left;                  /* bytes of its body; 0: a header follows */
    uint8_t body[SPYSERVER_DEVICE]; /* the start of one without samples */

    struct problem_log losses;
    bool has_sequence;
    uint32_t sequence;     /* expected next */
    uint32_t body_samples; /* of the last message with samples */
    uint32_t gain_db;
    uint8_t odd[8]; /* the start of a sample whose rest is to come */
    size_t odd_bytes;
};

/* ---- values ----------------------------------------------------------------------------- */

static double true_hz(const struct tuning *t, uint32_t hz)
{
    return hz * (1 + t->ppm * 1e-6) + t->converter_hz;
}

static int check_rate(struct source *s, double rate_hz)
{
    const struct spyserver *p = s->priv;
    char list[160] = "", text[32];
    if (spyserver_stage(&p->device, rate_hz) >= 0)
        return 0;
    for (uint32_t stage = p->device.min_stage; stage <= p->device.stages; stage++) {
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "",
                 si_format(ldexp(p->device.max_rate_hz, -(int)stage), 10, text, sizeof text));
    }
    return source_fail(s, -EINVAL, "rate %s: %s takes %s",
                       si_format(rate_hz, 10, text, sizeof text), s->stream.about, list);
}

/* A client that does not control the radio tunes within the band that the radio receives. */
static int check_center(struct source *s, const struct tuning *want)
{
    const struct spyserver *p = s->priv;
    const bool own = p->sync.may_control;
    const uint32_t low = own ? p->device.min_hz : p->sync.min_center_hz;
    const uint32_t high = own ? p->device.max_hz : p->sync.max_center_hz;
    const double hz = server_marks_radio_hz(want);
    char text[3][32];
    if (hz >= low && hz <= high)
        return 0;
    return source_fail(s, -EINVAL, "center %s: %s takes %s to %s%s",
                       si_format(want->center_hz, 10, text[0], sizeof text[0]), s->stream.about,
                       si_format(true_hz(want, low), 10, text[1], sizeof text[1]),
                       si_format(true_hz(want, high), 10, text[2], sizeof text[2]),
                       own ? "" : ": another client controls the radio");
}

/* The server names gains by their index. */
static int check_gain(struct source *s, const char *text)
{
    const struct spyserver *p = s->priv;
    double index;
    if (!*text || strcmp(text, "auto") == 0)
        return 0;
    if (si_parse(text, &index) < 0 || index < 0 || index > p->device.max_gain ||
        index != floor(index))
        return source_fail(s, -EINVAL, "gain %s: %s takes auto or steps, 0 to %u", text,
                           s->stream.about, (unsigned)p->device.max_gain);
    if (!p->sync.may_control)
        return source_fail(s, -EINVAL, "gain %s: another client of %s controls the radio", text,
                           s->stream.about);
    return 0;
}

static int check(struct source *s, const struct tuning *want)
{
    if (want->bandwidth_hz > 0)
        return source_fail(s, -EINVAL, "bandwidth: a SpyServer has no setting for it");
    if (want->antenna[0])
        return source_fail(s, -EINVAL, "antenna %s: a SpyServer has no setting for it",
                           want->antenna);
    if (want->settings[0])
        return source_fail(s, -EINVAL, "settings %.80s: a SpyServer has none", want->settings);
    int err = check_rate(s, want->rate_hz);
    if (err == 0)
        err = check_center(s, want);
    return err < 0 ? err : check_gain(s, want->gain);
}

/* ---- commands --------------------------------------------------------------------------- */

static int set(struct source *s, enum spyserver_setting setting, uint32_t value)
{
    struct spyserver *p = s->priv;
    uint8_t bytes[SPYSERVER_SETTING_BYTES];
    const size_t size = spyserver_write_setting(bytes, setting, value);
    return radio_server_send(&p->server, s, bytes, size);
}

static int apply_gain(struct source *s, const char *text)
{
    double index;
    return si_parse(text, &index) < 0 ? 0 : set(s, SPYSERVER_GAIN, (uint32_t)index);
}

static void report(struct source *s)
{
    const struct spyserver *p = s->priv;
    s->stream.tuning = p->requested;
    s->stream.gain_db = NAN;
}

static int apply(struct source *s, const struct tuning *want, const struct tuning *had)
{
    struct spyserver *p = s->priv;
    int err = 0;
    if (!had || strcmp(want->gain, had->gain) != 0)
        err = apply_gain(s, want->gain);
    if (err == 0 && (!had || server_marks_radio_hz(want) != server_marks_radio_hz(had)))
        err = set(s, SPYSERVER_CENTER, (uint32_t)server_marks_radio_hz(want));
    if (err < 0)
        return err;
    p->requested = *want;
    report(s);
    return 0;
}

/* ---- messages --------------------------------------------------------------------------- */

static bool has_samples(const struct spyserver_header *h)
{
    return h->type >= SPYSERVER_MESSAGE_UINT8 && h->type <= SPYSERVER_MESSAGE_FLOAT;
}

static void log_loss(struct spyserver *p, bool is_known)
{
    problem_log_warn(&p->losses, "%s: message %u came instead of %u: %s", p->server.name,
                     (unsigned)p->header.sequence, (unsigned)p->sequence,
                     is_known ? "those between are lost" : "how many are lost is not known");
}

/* A lost message had as many samples as the last one. A number far off is a count that began anew.
 */
static void check_sequence(struct source *s)
{
    struct spyserver *p = s->priv;
    const uint32_t lost = p->header.sequence - p->sequence;
    const double samples = (double)lost * p->body_samples;
    const bool is_known = samples < longest_loss_s * s->stream.tuning.rate_hz;
    if (p->has_sequence && lost > 0) {
        if (!p->marks.pending.set || p->marks.pending.cause == LOSS_CAUSES)
            p->marks.pending.cause = LOSS_OVERFLOW;
        p->marks.pending.set = true;
        if (is_known)
            p->marks.pending.lost += (uint64_t)samples;
        log_loss(p, is_known);
    }
    p->has_sequence = true;
    p->sequence = p->header.sequence + 1;
}

static int check_samples(struct source *s)
{
    struct spyserver *p = s->priv;
    const enum fft_iq_format format = spyserver_iq_format(p->header.type);
    if (format == FFT_IQ_FORMATS || format != s->stream.format)
        return source_fail(s, -EIO, "%s sends samples of another format (message %u)",
                           p->server.name, (unsigned)p->header.type);
    if (format != FFT_IQ_CF32 && p->header.gain_db > SPYSERVER_GAIN_MAX_DB)
        return source_fail(s, -EPROTO, "%s names a digital gain of %u dB, which cannot be",
                           p->server.name, (unsigned)p->header.gain_db);
    if (format != FFT_IQ_CF32 && p->header.gain_db != p->gain_db)
        return source_fail(s, -EIO, "%s changed its digital gain to %u dB", p->server.name,
                           (unsigned)p->header.gain_db);
    check_sequence(s);
    p->body_samples = p->header.size / (uint32_t)fft_iq_bytes(format);
    return 0;
}

/* Reads more of a header. 0: it is not complete; 1: it is; -errno. */
static int read_header(struct source *s, int timeout_ms)
{
    struct spyserver *p = s->priv;
    const int64_t got = radio_server_read(&p->server, s, p->head + p->head_bytes,
                                          sizeof p->head - p->head_bytes, timeout_ms);
    if (got <= 0)
        return (int)got;
    p->head_bytes += (size_t)got;
    if (p->head_bytes < sizeof p->head)
        return 0;
    p->head_bytes = 0;
    if (!spyserver_read_header(p->head, &p->header))
        return source_fail(s, -EPROTO,
                           "%s is no SpyServer of protocol 2.0: a message of protocol %u.%u and "
                           "%u bytes",
                           p->server.name, (unsigned)(p->header.protocol >> 24),
                           (unsigned)(p->header.protocol >> 16 & 0xff), (unsigned)p->header.size);
    p->left = p->header.size;
    return 1;
}

/* The centre in this message may be that of another client. */
static void follow_sync(struct source *s, const struct spyserver_sync *sync)
{
    struct spyserver *p = s->priv;
    p->sync = *sync;
    if (!(p->requested.rate_hz > 0) || server_marks_radio_hz(&p->requested) == sync->center_hz)
        return;
    p->requested.center_hz = true_hz(&p->requested, sync->center_hz);
    report(s);
    server_marks_settle(&p->marks, s, radio_server_queued(&p->server), LOSS_RETUNE);
}

static int take_device(struct source *s, const uint8_t *body, size_t size)
{
    struct spyserver *p = s->priv;
    struct spyserver_device device;
    if (!spyserver_read_device(body, size, &device))
        return source_fail(s, -EPROTO, "%s describes a radio that cannot be", p->server.name);
    if (p->requested.rate_hz > 0 && !spyserver_same_device(&device, &p->device))
        return source_fail(s, -EIO, "%s has another radio now", p->server.name);
    p->device = device;
    snprintf(s->stream.about, sizeof s->stream.about, "SpyServer %.100s (%s)", p->server.name,
             p->device.name);
    snprintf(s->stream.serial, sizeof s->stream.serial, "%08X", (unsigned)p->device.serial);
    return 0;
}

static int take_message(struct source *s)
{
    struct spyserver *p = s->priv;
    const size_t size = p->header.size < sizeof p->body ? p->header.size : sizeof p->body;
    struct spyserver_sync sync;
    if (p->header.type == SPYSERVER_MESSAGE_DEVICE)
        return take_device(s, p->body, size);
    if (p->header.type != SPYSERVER_MESSAGE_SYNC)
        return 0;
    if (!spyserver_read_sync(p->body, size, &sync))
        return source_fail(s, -EPROTO, "%s sent a state message of %zu bytes instead of %d",
                           p->server.name, size, SPYSERVER_SYNC);
    follow_sync(s, &sync);
    return 0;
}

/* Reads more of a message without samples, and keeps its start. As read_header. */
static int read_message(struct source *s, int timeout_ms)
{
    struct spyserver *p = s->priv;
    uint8_t waste[WASTE];
    const size_t done = p->header.size - p->left;
    const bool kept = done < sizeof p->body;
    const size_t capacity = kept ? sizeof p->body - done : sizeof waste;
    const int64_t got = radio_server_read(&p->server, s, kept ? p->body + done : waste,
                                          capacity < p->left ? capacity : p->left, timeout_ms);
    if (got <= 0)
        return (int)got;
    p->left -= (uint32_t)got;
    if (p->left > 0)
        return 0;
    const int err = take_message(s);
    return err < 0 ? err : 1;
}

/* Reads messages up to one of these types. The body of one with samples is left. */
static int await(struct source *s, uint32_t first, uint32_t last, const char *what)
{
    struct spyserver *p = s->priv;
    for (const uint64_t until_ns = clock_after_ms(ANSWER_MS); clock_now_ns() < until_ns;) {
        const bool begins = p->left == 0;
        int got = begins ? read_header(s, STEP_MS) : read_message(s, STEP_MS);
        const bool found = p->header.type >= first && p->header.type <= last;
        if (got < 0 || (got == 1 && found && begins == has_samples(&p->header)))
            return got < 0 ? got : 0;
        if (got == 1 && begins && has_samples(&p->header))
            return source_fail(s, -EPROTO, "%s sent samples before a %s", p->server.name, what);
    }
    return source_fail(s, -ETIMEDOUT, "%s sent no %s within 3 s", p->server.name, what);
}

/* ---- the hooks -------------------------------------------------------------------------- */

static int say_hello(struct source *s)
{
    struct spyserver *p = s->priv;
    uint8_t bytes[SPYSERVER_HELLO_MAX];
    char quoted[4 * RADIO_SERVER_QUOTED + 1];
    int err = radio_server_send(&p->server, s, bytes, spyserver_write_hello(bytes));
    if (err == 0)
        err =
            await(s, SPYSERVER_MESSAGE_DEVICE, SPYSERVER_MESSAGE_DEVICE, "description of a radio");
    if (err < 0 && p->head_bytes > 0)
        return source_fail(s, -EPROTO, "%s is no SpyServer: it begins with '%s'", p->server.name,
                           radio_server_quote(p->head, p->head_bytes, quoted));
    if (err == 0)
        err = await(s, SPYSERVER_MESSAGE_SYNC, SPYSERVER_MESSAGE_SYNC, "state of the radio");
    if (err == -ECONNRESET)
        return source_fail(s, err, "%s ended the connection at once: it may have all its clients",
                           p->server.name);
    return err;
}

/* What is not given is the server's; by default the greatest rate. */
static struct tuning complete(const struct spyserver *p, const struct tuning *given)
{
    struct tuning want = *given;
    if (isnan(want.center_hz))
        want.center_hz = true_hz(&want, p->sync.center_hz);
    if (!(want.rate_hz > 0))
        want.rate_hz = ldexp(p->device.max_rate_hz, -(int)p->device.min_stage);
    return want;
}

static int choose_format(struct source *s, enum spyserver_format *out)
{
    const struct spyserver *p = s->priv;
    static const struct {
        const char *name;
        enum spyserver_format format;
        enum fft_iq_format iq;
    } formats[] = {{"cs16", SPYSERVER_INT16, FFT_IQ_CS16},
                   {"cu8", SPYSERVER_UINT8, FFT_IQ_CU8},
                   {"cf32", SPYSERVER_FLOAT, FFT_IQ_CF32}};
    const char *given = s->config->format;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const bool named = !given || strcmp(given, formats[i].name) == 0;
        const uint32_t forced = p->device.forced_format;
        if (named && (forced == 0 || forced == (uint32_t)formats[i].format)) {
            *out = formats[i].format;
            s->stream.format = formats[i].iq;
            return 0;
        }
    }
    if (p->device.forced_format)
        return source_fail(s, -EINVAL, "format %s: %s is set to format %u of its protocol",
                           given ? given : "cs16", p->server.name,
                           (unsigned)p->device.forced_format);
    return source_fail(s, -EINVAL, "format %s: a SpyServer has cu8, cs16, cf32", given);
}

static int start_stream(struct source *s, const struct tuning *want)
{
    struct spyserver *p = s->priv;
    enum spyserver_format format = SPYSERVER_INT16;
    const int stage = spyserver_stage(&p->device, want->rate_hz);
    int err = choose_format(s, &format);
    if (err == 0)
        err = set(s, SPYSERVER_STREAMING_MODE, 1);
    if (err == 0)
        err = set(s, SPYSERVER_FORMAT, format);
    if (err == 0)
        err = set(s, SPYSERVER_DECIMATION, (uint32_t)stage);
    if (err == 0)
        err = set(s, SPYSERVER_DIGITAL_GAIN, 0);
    if (err == 0)
        err = apply(s, want, NULL);
    if (err == 0)
        err = set(s, SPYSERVER_STREAMING, 1);
    if (err == 0)
        err = await(s, SPYSERVER_MESSAGE_UINT8, SPYSERVER_MESSAGE_FLOAT, "samples");
    if (err < 0)
        return err;
    p->gain_db = p->header.gain_db;
    return check_samples(s);
}

static void describe(struct source *s)
{
    const struct spyserver *p = s->priv;
    char text[32];
    s->radio = radio_options_create();
    if (!s->radio)
        return;
    struct radio_option *o = radio_options_add(s->radio, "", "rate_hz");
    for (uint32_t stage = p->device.min_stage; stage <= p->device.stages; stage++) {
        snprintf(text, sizeof text, "%.12g", ldexp(p->device.max_rate_hz, -(int)stage));
        radio_option_add_value(o, text);
    }
}

static int spyserver_init(struct source *s)
{
    struct spyserver *p = s->priv;
    p->server.fd = -1;
    if (s->config->bias_tee)
        return source_fail(s, -EINVAL, "bias tee: a SpyServer has no setting for it");
    int err = radio_server_connect(&p->server, s);
    if (err == 0)
        err = say_hello(s);
    if (err < 0)
        return err;
    const struct tuning want = complete(p, &s->config->tuning);
    err = check(s, &want);
    if (err == 0)
        err = start_stream(s, &want);
    if (err < 0)
        return err;
    s->stream.full_scale = fft_iq_full_scale(s->stream.format);
    if (s->stream.format != FFT_IQ_CF32)
        s->stream.full_scale *= pow(10, p->gain_db / 20.0);
    s->stream.start_ns = clock_unix_ns();
    server_marks_settle(&p->marks, s, radio_server_queued(&p->server), LOSS_CAUSES);
    describe(s);
    return 0;
}

/* Reads samples of the body of one message. */
static int64_t read_body(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    struct spyserver *p = s->priv;
    const size_t sample = fft_iq_bytes(s->stream.format), had = p->odd_bytes;
    uint8_t *at = into;
    samples = server_marks_limit(&p->marks, samples);
    const size_t capacity = samples * sample - had;
    memcpy(at, p->odd, had);
    const int64_t got = radio_server_read(&p->server, s, at + had,
                                          capacity < p->left ? capacity : p->left, timeout_ms);
    if (got <= 0)
        return got;
    p->left -= (uint32_t)got;
    const size_t bytes = had + (size_t)got;
    p->odd_bytes = p->left > 0 ? bytes % sample : 0; /* a part of a sample at the end is dropped */
    memcpy(p->odd, at + bytes - bytes % sample, p->odd_bytes);
    return server_marks_arrived(&p->marks, s, (uint32_t)(bytes / sample));
}

/* Goes on with the message that is being read. > 0: samples; 0: none; -errno. */
static int64_t read_some(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    struct spyserver *p = s->priv;
    if (p->left > 0)
        return has_samples(&p->header) ? read_body(s, into, samples, timeout_ms)
                                       : (read_message(s, timeout_ms) < 0 ? -EIO : 0);
    const int got = read_header(s, timeout_ms);
    if (got < 0)
        return got;
    return got == 1 && has_samples(&p->header) ? check_samples(s) : 0;
}

static int64_t spyserver_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    const uint64_t until_ns = clock_after_ms(timeout_ms);
    int64_t got;
    do
        got = read_some(s, into, samples, timeout_ms);
    while (got == 0 && clock_now_ns() < until_ns);
    return got;
}

static int spyserver_tune(struct source *s, const struct tuning *want)
{
    struct spyserver *p = s->priv;
    struct tuning next;
    int err = server_marks_complete(want, &p->requested, &next);
    if (err == 0)
        err = check(s, &next);
    if (err == 0)
        err = apply(s, &next, &p->requested);
    if (err == 0)
        server_marks_settle(&p->marks, s, radio_server_queued(&p->server), LOSS_RETUNE);
    return err;
}

static void spyserver_finish(struct source *s)
{
    struct spyserver *p = s->priv;
    if (p->server.fd >= 0)
        (void)set(s, SPYSERVER_STREAMING, 0);
    radio_server_finish(&p->server);
    radio_server_close(&p->server);
}

const struct source_ops source_spyserver = {
    .name = "spyserver",
    .about = "a radio in the network, through its SpyServer",
    .priv_size = sizeof(struct spyserver),
    .live = true,
    .init = spyserver_init,
    .read = spyserver_read,
    .tune = spyserver_tune,
    .list = radio_server_list,
    .finish = spyserver_finish,
};
