/*
 * channel_set.h - the named channels: those of the configuration, and those set by clients. They
 * are open without a reader. Loop thread only.
 */
#ifndef FFTD_DAEMON_CHANNEL_NAMED_CHANNEL_SET_H
#define FFTD_DAEMON_CHANNEL_NAMED_CHANNEL_SET_H

#include "daemon/channel/channels.h"
#include "daemon/channel/named/channel_setup.h"

struct channel_set;

struct channel_set_config {
    struct channels *channels; /* outlive the set */
    bool records;              /* transmissions can be recorded */
    /* (optional) A channel is open, before its first block. */
    void (*opened)(void *user, const struct channel_setup *setup, struct channel *x);
    /*
     * (optional) A channel has another centre, and nothing else has changed; or (after: NULL) it
     * has ended, or another of its name has taken its place.
     */
    void (*moved)(void *user, const char *name, const struct channel_setup *after);
    void *user;
};

int channel_set_create(struct channel_set **out,
                       const struct channel_set_config *config); /* -ENOMEM */
void channel_set_destroy(struct channel_set *s);                 /* NULL is fine */

/*
 * Opens a channel, or replaces the one of its name, whose readers then end. If nothing but the
 * centre differs and the channel has no squelch, it is moved, and its readers go on. Takes over the
 * set-up, also on failure. -EMFILE: there are CHANNELS_NAMED_MAX; -EPERM: channels are off;
 * -ENOMEM.
 */
int channel_set_put(struct channel_set *s, struct channel_setup *setup, struct reason *why);
int channel_set_remove(struct channel_set *s, const char *name); /* -ENOENT */
/*
 * Makes the channels of a configuration be these. Those of clients stay, as does what clients have
 * changed of a channel whose text is as before. One line in *why.
 */
int channel_set_configure(struct channel_set *s, const struct option_text *texts, size_t count,
                          const char *file, struct reason *why);

size_t channel_set_count(const struct channel_set *s); /* NULL: 0 */
/* The place of a channel; channel_set_count: none. */
size_t channel_set_find(const struct channel_set *s, const char *name);
/* Valid until the next change, as is the channel. */
const struct channel_setup *channel_set_setup(const struct channel_set *s, size_t i);
struct channel *channel_set_channel(const struct channel_set *s, size_t i);

#endif
