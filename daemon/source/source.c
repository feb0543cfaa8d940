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

int source_fail(struct source *s, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(&s->why, err, format, args);
    va_end(args);
    return err;
}
