/* source.c - finds, creates and destroys a source, and formats its error line. */
#include "daemon/source/source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

const struct source_ops *source_find(const struct source_config *config)
{
    const char *name = config->source ? config->source : "auto";
    if (strcmp(name, "auto") == 0)
        name = config->replay ? "file" : "soapy";
    for (const struct source_ops *const *ops = sources; *ops; ops++) {
        if (strcmp((*ops)->name, name) == 0)
            return *ops;
    }
    return NULL;
}

static int report(const struct source_ops *ops, const struct source *s, int err, struct reason *why)
{
    if (s && s->why.sentence[0])
        return reason_set(why, err, "%s", s->why.sentence);
    return reason_set(why, err, "source %s: %s", ops->name, strerror(-err));
}

int source_create(struct source **out, const struct source_ops *ops,
                  const struct source_config *config, struct reason *why)
{
    struct source *s = calloc(1, sizeof *s);
    int err = -ENOMEM;
    *out = NULL;
    if (s) {
        s->ops = ops;
        s->config = config;
        s->priv = calloc(1, ops->priv_size ? ops->priv_size : 1);
        err = s->priv ? ops->init(s) : -ENOMEM;
    }
    if (err < 0) {
        report(ops, s, err, why);
        source_destroy(s);
        return err;
    }
    s->inverts = s->stream.tuning.invert = config->tuning.invert;
    struct geolocation configured;
    if (config->geolocation && geolocation_parse(config->geolocation, &configured))
        s->stream.geolocation = configured;
    *out = s;
    return 0;
}

void source_destroy(struct source *s)
{
    if (!s)
        return;
    if (s->priv)
        s->ops->finish(s);
    radio_options_unref(s->radio);
    free(s->priv);
    free(s);
}

/* ---- I and Q exchanged ------------------------------------------------------------------- */

static inline void exchange_halves(uint8_t *at, size_t count, size_t bytes)
{
    uint8_t half[sizeof(float)];
    for (size_t i = 0; i < count; i++, at += 2 * bytes) {
        memcpy(half, at, bytes);
        memcpy(at, at + bytes, bytes);
        memcpy(at + bytes, half, bytes);
    }
}

/*
 * Q + jI = j conj(I + jQ): the mirrored spectrum, exact in every format. Of a constant number of
 * bytes, an exchange is some instructions instead of three calls.
 */
static void exchange_components(void *samples, size_t count, enum fft_iq_format format)
{
    const size_t bytes = fft_iq_bytes(format) / 2;
    if (bytes == 1)
        exchange_halves(samples, count, 1);
    else if (bytes == 2)
        exchange_halves(samples, count, 2);
    else
        exchange_halves(samples, count, sizeof(float));
}

int64_t source_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    const int64_t got = s->ops->read(s, into, samples, timeout_ms);
    s->stream.tuning.invert = s->inverts; /* read may report a tuning that was asked for before */
    if (got > 0 && s->inverts && !s->stream.cycle)
        exchange_components(into, (size_t)got, s->stream.format);
    return got;
}

int64_t source_locate(struct source *s, uint32_t samples, int timeout_ms, int *fd, uint64_t *at)
{
    const bool can = s->ops->locate && !s->inverts;
    return can ? s->ops->locate(s, samples, timeout_ms, fd, at) : -ENOTSUP;
}

int source_tune(struct source *s, const struct tuning *want)
{
    struct tuning device = s->config->tuning;
    const bool exchanges = want->invert != s->inverts;
    device.invert = want->invert;
    if (exchanges && s->stream.cycle)
        return -EAGAIN; /* the ring is full of them */
    int err = 0;
    if (!tuning_equal(&device, want))
        err = s->ops->tune ? s->ops->tune(s, want) : -ENOTSUP;
    if (err < 0)
        return err;
    s->inverts = s->stream.tuning.invert = want->invert;
    if (exchanges && !s->mark.set)
        s->mark = (struct source_mark){.set = true, .cause = LOSS_CAUSES};
    s->mark.tuning_changed = s->mark.tuning_changed || exchanges;
    return 0;
}

int source_fail(struct source *s, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(&s->why, err, format, args);
    va_end(args);
    return err;
}
