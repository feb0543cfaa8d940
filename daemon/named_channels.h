/*
 * named_channels.h - the named channels of a run, and what their transmissions cause in its other
 * parts: events and recordings. The loop thread, except where a comment names another.
 */
#ifndef FFTD_DAEMON_NAMED_CHANNELS_H
#define FFTD_DAEMON_NAMED_CHANNELS_H

#include "daemon/channel/named/channel_set.h"
#include "daemon/config/config.h"
#include "daemon/output/outputs.h"
#include "daemon/record/recorder/channel_recorder.h"
#include "daemon/sensor/sensor.h"
#include "daemon/trigger/event_log.h"

struct reason;

/* Parts of the run. All outlive the named channels' transmissions (channels_stop). */
struct named_channels_use {
    const struct config *config;
    struct channels *channels;
    struct audio *audio; /* NULL: none */
    struct outputs *outputs;
    struct sensor *sensor;     /* NULL: none */
    struct recorder *recorder; /* NULL: none */
    struct event_store *events;
    struct event_log *log;    /* NULL: events are in memory only */
    void (*wake)(void *user); /* any thread: wakes the loop */
    void *user;
};

/* Zeroed: not started; every function accepts it. */
struct named_channels {
    struct named_channels_use use;
    struct channel_set *set;
    struct channel_recorder *recorder; /* NULL: none */
};

/* Opens those of the configuration: before the acquisition starts. */
int named_channels_start(struct named_channels *n, const struct named_channels_use *use,
                         struct reason *why);
/* Makes them be those of the configuration as it is now. */
int named_channels_configure(struct named_channels *n, struct reason *why);
/* After channels_stop, before the recorder is finished: ends their recordings. */
void named_channels_stop(struct named_channels *n);
/* The thread of the channels: a channel has a block. */
void named_channels_on_block(struct named_channels *n);
void named_channels_destroy(struct named_channels *n); /* before the channels */
/* The thread of the channels; the channels call it. */
void named_channels_on_transmission(struct named_channels *n, struct channel_transmission *t);

#endif
