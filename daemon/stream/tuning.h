/*
 * tuning.h - the tuning of a radio, and the description of a stream of samples. Plain values.
 */
#ifndef FFTD_DAEMON_STREAM_TUNING_H
#define FFTD_DAEMON_STREAM_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/geolocation.h"
#include "daemon/option/option.h"
#include "daemon/stream/replay.h"
#include "fft/iq.h"

/* Limits of values from a user or a recording. */
#define TUNING_CENTER_MAX_HZ 1e12
#define TUNING_RATE_MAX_HZ   1e10

/* The part of the settings that belongs to the radio. Complete: a source compares all fields. */
struct tuning {
    double center_hz;    /* NAN: not given (a file without a header: 0) */
    double rate_hz;      /* samples/s; 0: not given */
    char gain[96];       /* "auto", dB, "LNA=20,TIA=8", or "": do not change it */
    double ppm;          /* frequency correction */
    double converter_hz; /* that a converter takes off before the radio: center_hz includes it */
    double bandwidth_hz; /* analogue filter; 0: chosen by the driver */
    char antenna[32];    /* "": chosen by the driver */
    char settings[192];  /* of the driver: "biastee=true,direct_samp=2"; "": none are written */
    bool invert;         /* I and Q are exchanged, for whatever delivers them the wrong way round */
};

extern const struct config_option tuning_options[];

/*
 * True: the centre lacks its M, because no radio receives at less than 1 kHz. `into`: "118.1 Hz:
 * did you mean 118.1M?"
 */
bool tuning_center_lacks_unit(double center_hz, char *into, size_t size);
bool tuning_equal(const struct tuning *a, const struct tuning *b);

/* What a source delivers. A change of format or rate starts a new epoch (new ring, new plan). */
struct stream {
    enum fft_iq_format format;
    double full_scale;    /* of the components, in raw units: 32768, or 2048 for 12 bits in cs16 */
    struct tuning tuning; /* as the device reports it */
    double gain_db;       /* total; NAN: unknown or automatic */
    bool rate_assumed;    /* the recording's rate is not known: tuning.rate_hz only paces it, and
                             every output shows it */
    bool simulated;       /* true for the simulation only; every output shows it */
    bool hardware_time;   /* marks and lines carry the device's clock */
    uint64_t samples;     /* of a recording, or of its part that is replayed; 0: not known, or no
                             recording */
    int64_t start_ns;     /* Unix time of sample 0 in ns: from the recording, or the wall clock of
                             a live source; when a recording does not say, its position from 1970 on */
    struct replay_anchor anchor;    /* of sample 0, in a recording */
    char about[160];                /* "RTL-SDR 00000001", "capture.cu8 (cu8)": for people */
    char serial[64];                /* of the radio; "": unknown */
    struct geolocation geolocation; /* of the antenna: configured, or of the recording */
    char gains[96];                 /* of each element, as the radio reports them: "LNA=20,TIA=8" */
    char device_settings[512];      /* of the driver, the same */
    /*
     * Samples that repeat for ever. An epoch fills its ring with them, and the source only says how
     * many more there are: its read writes nothing. The source owns them; only epoch_create reads
     * them. Their bytes are whole pages.
     */
    const void *cycle;
    uint32_t cycle_samples; /* 0: read writes every sample */
};

#endif
