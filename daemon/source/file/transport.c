/* transport.c - where in its recording the file source is: segments, loops, seeks, the part. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/unix_time.h"
#include "daemon/source/file/file_source.h"

static const struct recording_segment *segment_of(const struct file *f)
{
    return &f->recording.segments[f->segment];
}

static void set_anchor(struct source *s, enum replay_jump jump)
{
    struct file *f = s->priv;
    struct replay_anchor *anchor = &s->anchor;
    *anchor = (struct replay_anchor){.set = true, .jump = jump, .position = s->replay.position};
    anchor->has_time = recording_time(&f->recording, anchor->position, &anchor->time_ns);
}

/* Without a known time, the time of a sample is its position. */
int64_t file_anchor_time(const struct source *s)
{
    const double seconds = (double)s->anchor.position / s->replay.rate_hz;
    return s->anchor.has_time ? s->anchor.time_ns : unix_time_after(0, seconds);
}

static void enter_next_segment(struct source *s)
{
    struct file *f = s->priv;
    f->segment++;
    if (f->real)
        half_band_restart(f->real);
    f->left = segment_of(f)->samples;
    byte_stream_skip(&f->recording.bytes, segment_of(f)->skip_bytes);
    s->stream.tuning.center_hz = segment_of(f)->center_hz;
}

/* Goes to a position, from the first byte of the samples. */
static void enter_position(struct source *s, uint64_t position, enum replay_jump jump)
{
    struct file *f = s->priv;
    f->partial_bytes = 0;
    if (f->real)
        half_band_restart(f->real);
    f->segment = recording_skip_to(&f->recording, position, &f->left);
    f->pacer.start_ns = 0;
    s->stream.tuning.center_hz = segment_of(f)->center_hz;
    s->replay.position = position;
    s->replay.ended = false;
    set_anchor(s, jump);
}

/* After a seek, lines have the time of the recording; after a loop, time goes on. */
static void jump_to(struct source *s, uint64_t position, enum replay_jump jump)
{
    struct file *f = s->priv;
    struct source_mark *mark = &s->mark;
    const double center_before = s->stream.tuning.center_hz;
    byte_stream_seek(&f->recording.bytes, f->recording.data_at);
    enter_position(s, position, jump);
    if (!mark->set)
        mark->cause = LOSS_CAUSES;
    mark->set = true;
    mark->tuning_changed = mark->tuning_changed || s->stream.tuning.center_hz - center_before != 0;
    mark->has_time = jump == REPLAY_SEEK;
    mark->time_ns = file_anchor_time(s);
    mark->anchor = s->anchor;
}

/* Merges two marks before one sample (an empty capture). */
static void mark_segment(struct source *s, double center_before, uint64_t lost)
{
    struct source_mark *mark = &s->mark;
    const struct recording_segment *now = segment_of(s->priv);
    const bool moved = mark->tuning_changed || now->center_hz != center_before;
    lost += mark->set ? mark->lost : 0;
    set_anchor(s, REPLAY_FOLLOWS);
    *mark = (struct source_mark){.set = true,
                                 .cause = moved && lost == 0 ? LOSS_RETUNE : LOSS_GAP,
                                 .lost = lost,
                                 .tuning_changed = moved,
                                 .has_time = now->has_time,
                                 .time_ns = now->time_ns,
                                 .anchor = s->anchor};
}

void file_next_segment(struct source *s)
{
    const double center_before = s->stream.tuning.center_hz;
    enter_next_segment(s);
    if (!segment_of(s->priv)->continues)
        mark_segment(s, center_before, segment_of(s->priv)->lost);
}

int file_end_part(struct source *s)
{
    const struct file *f = s->priv;
    if (!s->replay.loop || !f->recording.bytes.seekable) {
        s->replay.ended = true;
        return s->config->keep_running ? -ETIMEDOUT : -ENODATA;
    }
    jump_to(s, s->replay.first, REPLAY_LOOP);
    return 0;
}

/*
 * Sets the part that is replayed; replay_check has checked it. A pipe may have more samples than
 * its header states.
 */
static void set_part(const struct file *f, struct replay_state *r, double from_s, double to_s)
{
    const bool known = r->samples > 0 && !f->recording.may_go_on;
    const uint64_t last = known ? r->samples : REPLAY_TO_END;
    const double end = to_s * r->rate_hz;
    r->first = (uint64_t)llround(fmin(from_s * r->rate_hz, 1e18));
    r->end = to_s > 0 && end < 1e18 ? (uint64_t)llround(end) : REPLAY_TO_END;
    if (r->end > last)
        r->end = last;
}

/* Starts the replay at the first sample of the part. */
int file_start_replay(struct source *s)
{
    const struct file *f = s->priv;
    const struct source_config *config = s->config;
    struct replay_state *now = &s->replay;
    *now = (struct replay_state){.active = true,
                                 .controllable = config->realtime,
                                 .seekable = f->recording.bytes.seekable,
                                 .loop = config->loop,
                                 .speed = config->speed > 0 ? config->speed : 1,
                                 .rate_hz = f->recording.rate_hz,
                                 .samples = recording_samples(&f->recording),
                                 .end = REPLAY_TO_END};
    set_part(f, now, config->from_s, config->to_s);
    if (now->samples && now->first >= now->samples)
        return source_fail(s, -EINVAL, "%s: from is %.10g s, but the recording lasts %.10g s",
                           f->recording.name, config->from_s, (double)now->samples / now->rate_hz);
    if (now->end <= now->first)
        return source_fail(s, -EINVAL, "%s: no sample from %.10g s to %.10g s", f->recording.name,
                           config->from_s, config->to_s);
    if (now->samples && config->to_s > (double)now->samples / now->rate_hz)
        log_warn("%s: to is %.10g s, but the recording lasts %.10g s", f->recording.name,
                 config->to_s, (double)now->samples / now->rate_hz);
    enter_position(s, now->first, REPLAY_FOLLOWS);
    return 0;
}

void file_control_replay(struct source *s, const struct replay_request *want)
{
    struct file *f = s->priv;
    struct replay_state *now = &s->replay;
    const bool seeks = want->seeks != now->seeks;
    if (want->speed - now->speed != 0 || want->paused != now->paused)
        f->pacer.start_ns = 0; /* the time of the pause is not made up for */
    now->paused = want->paused;
    now->speed = want->speed;
    now->loop = want->loop;
    now->seeks = want->seeks;
    now->ended = false; /* the next read decides it anew */
    set_part(f, now, want->from_s, want->to_s);
    if (seeks && now->seekable)
        jump_to(s, (uint64_t)llround(fmin(want->seek_s * now->rate_hz, 1e18)), REPLAY_SEEK);
}
