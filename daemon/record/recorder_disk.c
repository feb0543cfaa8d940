/* recorder_disk.c - the recorder's disk ring: its life, its figures, and samples of a past time. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/record/record_meta.h"
#include "daemon/record/recorder_private.h"

int recorder_start_disk(struct recorder *r, struct reason *why)
{
    struct disk_ring_state state;
    const struct record_options *o = r->config.options;
    const char *folder = o->iq_history_folder ? o->iq_history_folder : o->folder;
    if (o->iq_history == 0)
        return 0;
    int err = o->iq_history_folder ? record_prepare_folder(folder, why) : 0;
    if (err == 0)
        err = disk_ring_open(&r->disk, folder, o->iq_history, why);
    if (err < 0)
        return err;
    disk_ring_state(r->disk, &state);
    if (state.seconds > 0)
        log_info("iq-history: it has %.6g s of samples of earlier runs", state.seconds);
    err = disk_writer_create(&r->disk_writer, r->disk, r->disk_tap, r->config.lossless);
    return err < 0 ? reason_set(why, err, "iq-history: %s", strerror(-err)) : 0;
}

void recorder_stop_disk(struct recorder *r)
{
    disk_writer_destroy(r->disk_writer);
    disk_ring_close(r->disk);
    r->disk_writer = NULL;
    r->disk = NULL;
}

void recorder_sum_disk(struct recorder *r, struct record_totals *out)
{
    struct disk_ring_state state;
    struct disk_writer_counts counts;
    if (!r->disk_writer)
        return;
    disk_writer_counts(r->disk_writer, &counts); /* first: the state then has all it counts */
    disk_ring_state(r->disk, &state);
    out->history_bytes = state.bytes;
    out->history_used_bytes = state.used_bytes;
    out->history_s = state.seconds;
    out->history_oldest_ns = state.oldest_ns;
    out->history_written = counts.written;
    out->history_overrun = counts.overrun;
    out->history_failed = counts.failed;
}

static bool lies_before(const struct epoch *newest, int64_t time_ns)
{
    struct iq_mark mark;
    uint64_t since;
    if (!newest)
        return true;
    iq_ring_find_mark(newest->ring, 0, &mark, &since);
    const struct record_moment m = record_moment_at(&newest->stream, &mark, 0);
    return m.has_time && time_ns < m.time_ns;
}

bool recorder_find_past(struct recorder *r, const struct epoch *newest, int64_t time_ns,
                        struct disk_piece *piece, uint64_t *position)
{
    if (!r->disk || !lies_before(newest, time_ns) || !disk_ring_find_time(r->disk, time_ns, piece))
        return false;
    const struct record_moment m = record_moment_at(&piece->stream, &piece->mark, piece->position);
    const double after = unix_time_seconds(m.time_ns, time_ns) * piece->stream.tuning.rate_hz;
    *position = piece->position + (uint64_t)llround(fmax(0, fmin(after, 9e18)));
    return disk_ring_find(r->disk, piece->run, piece->epoch, *position, piece);
}
