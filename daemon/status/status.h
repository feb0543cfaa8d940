/*
 * status.h - a consistent snapshot of the daemon for /api/v1/status, /metrics, browsers and the
 * statistics at the end. Collected on the loop thread.
 */
#ifndef FFTD_DAEMON_STATUS_STATUS_H
#define FFTD_DAEMON_STATUS_STATUS_H

#include "daemon/archive/write/archiver.h"
#include "daemon/audio/audio.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/channel/channels.h"
#include "daemon/dsp/dsp_status.h"
#include "daemon/measure/measure_thread.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/rtl_tcp/rtl_tcp_state.h"
#include "daemon/status/nats_state.h"
#include "daemon/status/output_state.h"
#include "daemon/stream/epoch/exchange.h"
#include "daemon/stream/ledger.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/source_state.h"
#include "daemon/stream/tuning.h"
#include "daemon/trigger/event_log.h"
#include "daemon/trigger/triggers.h"
#include "daemon/trigger/webhook/webhook_state.h"

enum { STATUS_OUTPUTS = 5 }; /* csv, json, measure, events, channel */

/* The calibration table in force. */
struct calibration_status {
    const char *file;          /* NULL: none; of the configuration */
    char serial[64], date[32]; /* "": unknown */
    double uncertainty_db;     /* NAN: unknown */
    double offset_db;          /* at the centre, with the active gain and antenna; NAN: uncal */
    char uncal[192];           /* why it is; "": it is not */
    bool other_radio;          /* the table is for another one than the stream's */
    size_t points;             /* of the curve over the span that is received */
    struct calibration_point curve[CALIBRATION_POINTS];
};

struct status {
    enum source_state state;
    char message[256];     /* why it waits or failed; "" when running */
    char source[16];       /* "soapy", "file", "sim" */
    bool radio;            /* the source is a radio, whose gain can be changed */
    struct stream stream;  /* of the current epoch; zeroed before the first */
    struct dsp_status dsp; /* engine, plan, ledger and ring */
    struct source_counts source_counts;
    uint64_t source_beat_age_ns; /* since the source thread's last step; 0: it has ended */
    double seconds;              /* since start */
    struct settings settings;    /* as requested */
    struct replay_state replay;  /* of a recording; active: there is one */
    struct replay_request replay_wanted;
    struct output_state output[STATUS_OUTPUTS];
    struct measure_thread_state measure;
    struct triggers_state triggers;
    struct event_log_state event_log;
    struct webhooks_state webhooks;
    struct calibration_status calibration;
    struct record_totals record;
    struct channels_state channels;
    struct audio_state audio;
    struct rtl_tcp_state rtl_tcp;
    struct archiver_state archive;
    struct nats_state nats;
};

#endif
