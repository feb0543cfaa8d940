/*
 * record_meta.h - the metadata of a recording: from a stream and its marks to SigMF.
 *
 * Source: SigMF specification 1.2 (github.com/sigmf/SigMF). Fields of fftd are in the namespace
 * "fftd". While a recording runs, a capture has its position in the ring and an annotation its
 * range of positions, under "position" and "span"; record_meta_complete replaces them. Pure, any
 * thread. The functions that return a reference return NULL without memory.
 */
#ifndef FFTD_DAEMON_RECORD_RECORD_META_H
#define FFTD_DAEMON_RECORD_RECORD_META_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemon/record/record_box.h"
#include "daemon/stream/ring/iq_ring.h"

struct record_annotation;

/* What is known at a position. */
struct record_moment {
    uint64_t position, sample_number;
    struct tuning tuning;
    double gain_db;
    bool has_time;
    int64_t time_ns; /* of the sample at position; has_time is false: since the recording's start */
    uint64_t lost[LOSS_CAUSES], events[LOSS_CAUSES]; /* since the start of the epoch */
};

/* mark: of the ring's log, at or before the position (zeros: none). */
struct record_moment record_moment_at(const struct stream *s, const struct iq_mark *mark,
                                      uint64_t position);

json_t *record_meta_global(const struct stream *s, const struct record_moment *first,
                           const char *label);
/*
 * start: of the sample in the file. before: the moment of the capture before, or NULL: losses since
 * then are of this capture. missing: samples before this one that were gone.
 */
json_t *record_meta_capture(const struct record_moment *m, const struct record_moment *before,
                            uint64_t start, uint64_t missing);
/*
 * Of a band: the same objects, with its format, rate and centre, and fftd:cut with what it was cut
 * from. core:global_index counts samples of the band from then on. NULL is fine.
 */
void record_meta_set_band(json_t *global, const struct stream *s, const struct record_band *band,
                          uint32_t factor);
void record_meta_move_capture(json_t *capture, const struct record_band *band, uint32_t factor);
json_t *record_meta_annotation(const struct record_annotation *a);

/*
 * Completes metadata {global, captures, annotations} for a file of `samples` samples: drops what
 * lies after its end, places annotations, adds up the ledger, and sets the hash and the reason of
 * the end. missing: after the last sample. sha512: "" sets none. -ENOMEM.
 */
int record_meta_complete(json_t *meta, uint64_t samples, uint64_t missing, const char *sha512,
                         const char *end);

#endif
