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
    struct channels *channels;  /* outlive the set */
    bool records;               /* transmissions can be recorded */
    channel_setup_check *check; /* (optional) what other rooms say of a set-up */
    /* (optional) A channel is open, before its first block. */
    void (*opened)(void *user, const struct channel_setup *setup, struct channel *x);
    /*
     * (optional) After a change: what the channel is now, or NULL: it is gone. moved: nothing but
     * its centre has changed; else it is another channel than the one that had this name.
     */
    void (*changed)(void *user, const char *name, const struct channel_setup *now, bool moved);
    void *user;
};

int channel_set_create(struct channel_set **out,
                       const struct channel_set_config *config); /* -ENOMEM */
void channel_set_destroy(struct channel_set *s);                 /* NULL is fine */

/*
 * Opens a channel, or replaces the one of its name, whose readers then end. If nothing but the
 * centre differs and the channel has no squelch, it is moved, and its readers go on. text: a
 * client's, with its name. -EINVAL with the key at fault, -EMFILE: there are CHANNELS_NAMED_MAX,
 * -EPERM: channels are off, -ENOMEM.
 */
int channel_set_put(struct channel_set *s, const struct option_text *text, struct reason *why);
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
