/* spectra_private.h - the replay of an archive, for its own files. Functions of the thread. */
#ifndef FFTD_DAEMON_RUN_SPECTRA_PRIVATE_H
#define FFTD_DAEMON_RUN_SPECTRA_PRIVATE_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/archive/playback.h"
#include "daemon/archive/row_line.h"
#include "daemon/run/spectra_replay.h"

struct spectra {
    const struct config *config;
    char name[80]; /* of the directory, without its path, which clients are not told */
    struct exchange *exchange;
    struct line_ring *lines;
    struct calibrator *calibrator; /* NULL: none */
    struct playback *playback;
    struct archive_span span;
    uv_thread_t thread;
    bool started;
    atomic_bool stop;
    _Atomic uint64_t beat_ns;
    uv_mutex_t lock;
    struct dsp_status status; /* protected by the lock */

    /* of the thread: what is asked for */
    struct replay_request want;
    uint64_t version;
    int64_t from_ns, to_ns; /* the part that is replayed */
    bool ended, over;
    /* what comes next, and its block */
    struct playback_row row;
    bool has_row, gap; /* gap: the archive has nothing between the last row and this one */
    char facts_text[ARCHIVE_FACTS];
    struct row_facts facts;
    struct line_shape shape; /* of the line ring */
    /* what was published */
    int64_t at_ns, end_ns; /* start and end of the last row */
    bool follows;          /* the next row follows it in the archive */
    enum replay_jump jump; /* why it does not */
    uint64_t shown;        /* rows since the jump */
    uint64_t number;       /* after the last sample */
    struct line_anchor anchor;
    double rate_hz; /* of the last row */
    struct ledger ledger;
    /* when rows are due */
    uint64_t pace_ns; /* 0: the next row starts it */
    int64_t pace_time_ns;
};

void spectra_fail(struct spectra *s, int err, const char *why);
void spectra_end_part(struct spectra *s); /* at the end of the part: jumps, or ends */
void spectra_publish_stream(struct spectra *s);
void spectra_publish_status(struct spectra *s);
uint64_t spectra_samples(const struct spectra *s, int64_t time_ns); /* since the first row */

/* spectra_row.c. Reads the next row, unless the part or the archive ends. */
void spectra_take_row(struct spectra *s);
bool spectra_is_due(struct spectra *s);
/* As a line. False: there is no room for it yet, or the row is damaged and passed over. */
bool spectra_publish_row(struct spectra *s);

#endif
