/* audio_block.h - encoded audio of a receiver, as channel_output has it. Immutable, any thread. */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_BLOCK_H
#define FFTD_DAEMON_AUDIO_AUDIO_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where audio comes from. */
struct audio_stamp {
    uint64_t number;  /* of the stream's sample that the channel's block began with */
    int64_t time_ns;  /* Unix time of the first frame */
    bool open;        /* the squelch is; else it is silence */
    bool gap;         /* silence in place of samples that are missing */
    float level_dbfs; /* of the channel; -INFINITY: silence */
    float snr_db;     /* of the channel; NAN: not known */
};

struct audio_block {
    atomic_uint refs; /* first: channel_output.h */
    uint64_t index;   /* of its first frame, one for each frame of its encoding */
    struct audio_stamp stamp;
    uint32_t frames, bytes;
    unsigned char data[];
};

#endif
