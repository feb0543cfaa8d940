/*
 * rigctl_channel.h - a named channel as a rig: its centre, mode and passband. Loop thread.
 *
 * The first change opens the channel if there is none of this name: with the mode nfm, and without
 * a squelch. Its other keys stay as they are.
 */
#ifndef FFTD_DAEMON_RIGCTL_RIGCTL_CHANNEL_H
#define FFTD_DAEMON_RIGCTL_RIGCTL_CHANNEL_H

#include "daemon/channel/named/channel_set.h"
#include "daemon/rigctl/rigctl_command.h"

struct rigctl_channel {
    char name[OPTION_NAME_MAX + 1];
    struct channel_set *set;
    double (*radio_hz)(
        void *user); /* the centre of the radio, for a channel that is not open yet */
    void *user;
};

/* The hooks of a rig; user: the channel. */
void rigctl_channel_get(void *user, struct rigctl_setting *out);
int rigctl_channel_tune(void *user, double center_hz);
int rigctl_channel_set_mode(void *user, const char *mode, double passband_hz);

#endif
