/*
 * status.h - one consistent picture of the daemon, taken on the loop thread, for /api/status,
 * /metrics, the browsers and the statistics at the end.
 */
#ifndef FFTD_DAEMON_STATUS_STATUS_H
#define FFTD_DAEMON_STATUS_STATUS_H

#include "daemon/stream/ledger.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/source_state.h"
#include "daemon/stream/tuning.h"

struct status {
    enum source_state state;
    char message[256];     /* why it waits or failed; "" when running */
    char source[16];       /* "soapy", "file", "sim" */
    struct stream stream;  /* of the current epoch; zeroed before the first */
    char engine[160];      /* fft_engine_describe */
    char engine_note[512]; /* engines passed over, or why it fell back; "" */
    uint32_t epoch;
    uint32_t n, hop;
    uint64_t frames_per_line;
    double enbw_bins;
    char window[32];
    double line_rate_hz; /* real */
    struct ledger ledger;
    uint64_t timeouts;  /* reads of the device that came back empty in time */
    uint64_t reopened;  /* times the device was opened again */
    uint64_t abandoned; /* source threads given up as stuck */
    uint64_t engine_fallbacks;
    uint64_t ring_bytes; /* IQ ring */
    double ring_fill;    /* 0..1 of it held now */
    double seconds;      /* since start */
    struct settings settings;
};

#endif
