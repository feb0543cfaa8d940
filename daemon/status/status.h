/*
 * status.h - a consistent snapshot of the daemon for /api/status, /metrics, browsers and the
 * statistics at the end. Collected on the loop thread.
 */
#ifndef FFTD_DAEMON_STATUS_STATUS_H
#define FFTD_DAEMON_STATUS_STATUS_H

#include "daemon/dsp/dsp_status.h"
#include "daemon/measure/measurer.h"
#include "daemon/status/output_state.h"
#include "daemon/stream/ledger.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/source_state.h"
#include "daemon/stream/tuning.h"

enum { STATUS_OUTPUTS = 3 }; /* csv, json, measure */

/* The calibration table in force. */
struct calibration_status {
    const char *file;          /* NULL: none; of the configuration */
    char serial[64], date[32]; /* "": unknown */
    double uncertainty_db;     /* NAN: unknown */
    double offset_db;          /* at the centre, with the active gain and antenna; NAN: uncal */
};

struct status {
    enum source_state state;
    char message[256];           /* why it waits or failed; "" when running */
    char source[16];             /* "soapy", "file", "sim" */
    bool radio;                  /* the source is a radio, whose gain can be changed */
    struct stream stream;        /* of the current epoch; zeroed before the first */
    struct dsp_status dsp;       /* engine, plan, ledger and ring */
    uint64_t timeouts;           /* reads of the device that returned nothing in time */
    uint64_t reopened;           /* times the device was reopened */
    uint64_t clock_corrections;  /* of the samples' time */
    uint64_t abandoned;          /* stuck source threads that were abandoned */
    uint64_t source_beat_age_ns; /* since the source thread's last step; 0: it has ended */
    double seconds;              /* since start */
    struct settings settings;    /* as requested */
    struct output_state output[STATUS_OUTPUTS];
    struct measurer_state measure;
    struct calibration_status calibration;
};

#endif
