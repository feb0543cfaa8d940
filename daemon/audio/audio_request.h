/*
 * audio_request.h - what a listener asks for: where, how it is demodulated, and in what form it
 * comes. Its keys are those of clients. Pure, any thread.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_REQUEST_H
#define FFTD_DAEMON_AUDIO_AUDIO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/channel/channel_info.h"
#include "daemon/channel/named/channel_setup.h"
#include "daemon/demod/demod.h"

struct reason;

struct audio_request {
    double center_hz; /* of the receiver; for SSB, the suppressed carrier */
    struct demod_config demod;
    struct squelch_rule squelch;
    const struct audio_codec *codec;
    double rate_hz;                    /* 0: the codec's for audio of this mode */
    bool waits;                        /* in a lossless replay the replay waits for this listener */
    char channel[OPTION_NAME_MAX + 1]; /* the named channel that it follows; "": none */
};

/* The keys of demodulator, squelch and form, separated by ", "; the centre is the caller's. */
extern const char audio_request_keys[];

/* The text of a key; NULL: absent. */
typedef const char *audio_request_value(const void *from, const char *key);
/*
 * Reads `mode`, `format` (s16) and the others into *q, but for the centre. -EINVAL with the key
 * that is wrong, and what works.
 */
int audio_request_read(struct audio_request *q, audio_request_value *value, const void *from,
                       struct reason *why);
/*
 * The same for the audio of a named channel: its centre, and where the request has none its mode,
 * passband and squelch. -EINVAL with the key "mode" if neither has a mode.
 */
int audio_request_read_named(struct audio_request *q, const struct channel_setup *setup,
                             audio_request_value *value, const void *from, struct reason *why);
/* Whether the mode takes the passband of the set-up. -EINVAL, with what works. */
int audio_request_check_named(const struct channel_setup *setup, struct reason *why);
/* Whether one receiver serves both: all but codec and rate are equal. */
bool audio_request_shares(const struct audio_request *a, const struct audio_request *b);
/*
 * Plans the demodulator (input and output) and the channel that feeds it. Sets q->rate_hz, if it is
 * 0. -EINVAL with the key that is wrong, and what works.
 */
int audio_request_plan(struct audio_request *q, struct demod_plan *plan,
                       struct channel_request *channel, struct reason *why);

#endif
