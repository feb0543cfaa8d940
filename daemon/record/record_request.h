/* record_request.h - a request for a recording, and the facts of a recording. Plain values. */
#ifndef FFTD_DAEMON_RECORD_RECORD_REQUEST_H
#define FFTD_DAEMON_RECORD_RECORD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/record/record_box.h"
#include "daemon/record/record_name.h"

#define RECORD_OPEN   UINT64_MAX /* the end of a recording that is not known yet */
#define RECORD_NEWEST UINT32_MAX /* the newest epoch */

enum {
    RECORD_LABEL = 64,
    /* More than anybody watches; each copies the whole stream to the disk once more. Recordings of
     * everything (record-all) do not count. */
    RECORDINGS_AT_ONCE = 32,
};

/* A range of time and frequency with a label: one of core:annotations. */
struct record_annotation {
    uint64_t from, to;        /* positions; RECORD_OPEN: the end of the recording */
    double low_hz, high_hz;   /* edges; high_hz 0: none */
    char label[RECORD_LABEL]; /* UTF-8; "": none */
    char comment[160];        /* the same */
};

struct record_request {
    uint32_t epoch;    /* number, as in a line; RECORD_NEWEST */
    uint64_t from, to; /* positions */
    /*
     * With RECORD_NEWEST and `relative`: `from` counts samples back from the newest one, and `to`
     * samples after it (or RECORD_OPEN).
     */
    bool relative;
    /*
     * With RECORD_NEWEST: `from` is the sample of a time, and the recording lasts duration_s (0: it
     * is open) in place of `to`.
     */
    bool timed;
    int64_t from_ns; /* Unix time */
    double duration_s;
    /* Not set: samples as they are. Its format is that of the options. */
    struct record_band band;
    const char *label;                           /* NULL: none. Cut to RECORD_LABEL - 1 bytes */
    const struct record_annotation *annotations; /* copied */
    size_t annotation_count;
    bool of_event;    /* of a trigger: record-events-max limits it, and may end it earlier */
    int64_t event_ns; /* then: Unix time of the event */
};

enum record_state { RECORD_RUNS, RECORD_DONE, RECORD_FAILED };

/* One recording: what lists and events show. Plain values. */
struct record_info {
    uint64_t id; /* 1, 2, ... in this run of the daemon */
    enum record_state state;
    char name[RECORD_NAME]; /* of the files, without suffix; "": not created yet */
    char label[RECORD_LABEL];
    char end[160]; /* why it ended: "complete", "stopped", "No space left on device" ... */
    uint32_t epoch;
    uint64_t from, to;         /* as requested; `to` as changed since */
    int64_t start_ns;          /* Unix time of its first sample, or RECORD_UNDATED */
    double center_hz, rate_hz; /* of its first sample; NAN: not known */
    uint32_t sample_bytes;
    uint64_t samples; /* written; of a band: fewer than positions */
    uint64_t missing; /* of the range: gone before it was read */
    uint64_t lost;    /* by the source within the range (the ledger's causes) */
    uint64_t behind;  /* samples in the ring that are not written yet */
};

/* Of all recordings since the start. Plain values. */
struct record_totals {
    bool on; /* there is a recorder */
    uint32_t running;
    uint64_t ended, failed; /* `ended` includes failed ones */
    uint64_t samples, missing;
    /* of the disk ring; history_bytes 0: none */
    uint64_t history_bytes, history_used_bytes;
    double history_s;          /* seconds of samples that it has */
    int64_t history_oldest_ns; /* Unix time of the oldest sample; 0: not known */
    /* Samples: written, not written because the disk was too slow, and refused by the disk. */
    uint64_t history_written, history_overrun, history_failed;
};

#endif
