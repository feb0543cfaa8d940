/* rigctl_channel.c - reads the set-up of the channel, and writes it with other values. */
#include "daemon/rigctl/rigctl_channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/audio/audio_request.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/demod/demod.h"
#include "daemon/option/option_text.h"

static const char default_mode[] = "nfm";

/* NULL: it is not open. */
static const struct channel_setup *setup_of(const struct rigctl_channel *c)
{
    const size_t i = channel_set_find(c->set, c->name);
    return i < channel_set_count(c->set) ? channel_set_setup(c->set, i) : NULL;
}

/* That of the mode, where the set-up has none. */
static double passband_of(const char *mode, double passband_hz)
{
    struct demod_plan plan;
    const struct demod_config config = {.ops = demod_find(mode), .width_hz = passband_hz};
    return config.ops && config.ops->plan(&config, &plan, NULL) == 0 ? plan.passband_hz : 0;
}

void rigctl_channel_get(void *user, struct rigctl_setting *out)
{
    const struct rigctl_channel *c = user;
    const struct channel_setup *s = setup_of(c);
    *out = (struct rigctl_setting){.center_hz = s ? s->center_hz : c->radio_hz(c->user),
                                   .mode = s ? channel_setup_mode(s) : default_mode};
    if (out->mode)
        out->passband_hz = passband_of(out->mode, s ? s->passband_hz : 0);
}

/* ---- changes ------------------------------------------------------------------------------ */

/* Keys of a set-up, NULL: as it is. */
struct change {
    const char *center, *mode, *passband;
};

/* The set-up with the change; of a channel that is not open, with what it begins with. */
static int write_text(const struct rigctl_channel *c, const struct change *change,
                      struct option_text *out)
{
    const struct channel_setup *s = setup_of(c);
    const struct {
        const char *key, *value;
    } changed[] = {{"center", change->center},
                   {"mode", change->mode},
                   {"passband", change->passband},
                   {"squelch", s ? NULL : "off"}};
    enum { CHANGED = sizeof changed / sizeof changed[0] };
    *out = (struct option_text){.name = strdup(c->name)};
    int err = out->name ? 0 : -ENOMEM;
    for (size_t i = 0; err == 0 && i < CHANGED; i++)
        if (changed[i].value)
            err = option_text_add(out, changed[i].key, changed[i].value, 0);
    for (size_t i = 0; err == 0 && s && i < s->text.count; i++)
        if (!option_text_find(out, s->text.keys[i].key))
            err = option_text_add(out, s->text.keys[i].key, s->text.keys[i].value, 0);
    return err;
}

/* Without the client's number, so that lines repeat and are limited. */
static void log_refusal(const struct rigctl_channel *c, int err, const struct reason *why)
{
    const char *cause = strstr(why->sentence, ": ");
    log_limited(LOG_PRIORITY_WARN, "rigctl: channel %s: %s%s%s", c->name, why->key,
                why->key[0] ? ": " : "",
                cause              ? cause + 2
                : why->sentence[0] ? why->sentence
                                   : strerror(-err));
}

static int set(const struct rigctl_channel *c, const struct change *change)
{
    struct option_text text;
    struct reason why = {0};
    int err = write_text(c, change, &text);
    if (err == 0)
        err = channel_set_put(c->set, &text, &why);
    option_text_finish(&text);
    if (err < 0)
        log_refusal(c, err, &why);
    return err;
}

int rigctl_channel_tune(void *user, double center_hz)
{
    const struct rigctl_channel *c = user;
    char center[40];
    snprintf(center, sizeof center, "%.3f", center_hz);
    return set(c, &(struct change){.center = center, .mode = setup_of(c) ? NULL : default_mode});
}

int rigctl_channel_set_mode(void *user, const char *mode, double passband_hz)
{
    const struct rigctl_channel *c = user;
    struct rigctl_setting now;
    char center[40], passband[40];
    rigctl_channel_get(user, &now);
    const bool same_mode = now.mode && strcmp(now.mode, mode) == 0;
    snprintf(center, sizeof center, "%.3f", now.center_hz);
    snprintf(passband, sizeof passband, "%.3f", passband_hz > 0 ? passband_hz : 0);
    return set(c, &(struct change){.center = setup_of(c) ? NULL : center,
                                   .mode = mode,
                                   .passband = same_mode && passband_hz < 0 ? NULL : passband});
}
