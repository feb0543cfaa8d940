/* spectra_row.c - rows of an archive as lines: when they are due, their numbers, the ledger. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/archive_request.h"
#include "daemon/base/clock.h"
#include "daemon/run/spectra_private.h"

enum { WAIT_MS = 100 };

static void read_facts(struct spectra *s)
{
    const double rate_hz = row_rate_hz(s->row.layout);
    const bool same_rate = !(fabs(rate_hz - s->rate_hz) > 0);
    s->follows = s->follows && same_rate;
    if (same_rate && strcmp(s->facts_text, s->row.facts) == 0)
        return;
    s->rate_hz = rate_hz;
    snprintf(s->facts_text, sizeof s->facts_text, "%s", s->row.facts);
    row_facts_read(&s->facts, s->facts_text);
    if (s->calibrator)
        s->facts.calibration = calibrator_set_curve(s->calibrator, s->facts.point, s->facts.points);
    spectra_publish_stream(s);
}

/* The rows of another run, which has times that were shown already, follow no others. */
static void find_run(struct spectra *s)
{
    if (!s->follows || s->row.row->time_ns > s->at_ns)
        return;
    s->follows = false;
    s->pace_ns = 0;
}

/* No time passes where the archive has nothing. */
static void find_gap(struct spectra *s)
{
    const unsigned breaks = ARCHIVE_LOSS | ARCHIVE_GAP | ARCHIVE_MISSED;
    const bool empty =
        s->follows && s->row.row->time_ns - s->end_ns > (int64_t)s->row.period_ns / 2;
    s->gap = s->ledger.lines > 0 && (!s->follows || empty || (s->row.row->breaks & breaks));
    if (empty)
        s->pace_ns = 0;
}

void spectra_take_row(struct spectra *s)
{
    const unsigned all = (1U << ARCHIVE_DETECTORS) - 1;
    const int err = playback_next(s->playback, &s->row);
    s->has_row = err == 0;
    if (err == -ENODATA) {
        spectra_end_part(s);
    } else if (err < 0) {
        spectra_fail(s, err, archive_describe(err));
    } else if (s->row.layout->detectors != all) {
        spectra_fail(s, -ENOTSUP, "its rows lack the mean, the maximum or the minimum");
    } else {
        read_facts(s);
        find_run(s);
        find_gap(s);
    }
}

/* A row is due when its last sample is, as in a live run. */
bool spectra_is_due(struct spectra *s)
{
    const uint64_t now = clock_now_ns();
    const struct archive_row *row = s->row.row;
    if (!s->config->source.realtime || !(s->want.speed > 0))
        return true;
    if (s->pace_ns == 0) {
        s->pace_ns = now;
        s->pace_time_ns = row->time_ns;
    }
    const double passed_ns = (double)(now - s->pace_ns) * s->want.speed;
    return passed_ns >= (double)(row->time_ns + row->duration_ns - s->pace_time_ns);
}

/* ---- lines ------------------------------------------------------------------------------ */

static void count_line(struct spectra *s, const struct line *line)
{
    struct ledger *l = &s->ledger;
    const uint64_t end = line->first_sample + line->sample_count;
    const uint64_t samples = end > s->number ? end - s->number : 0;
    uint64_t lost = line->first_sample > s->number ? line->first_sample - s->number : 0;
    if (s->row.row->lost > lost)
        lost = s->row.row->lost;
    if (!line->gap_before)
        lost = 0;
    l->lost[LOSS_GAP] += lost < samples ? lost : samples;
    l->events[LOSS_GAP] += lost > 0;
    l->produced += samples;
    l->seen += samples - (lost < samples ? lost : samples);
    l->frames += line->frames;
    l->lines++;
    s->number += samples;
}

/* The numbers of samples follow time, from the last jump on. */
static void number_line(struct spectra *s, struct line *line)
{
    const int64_t time_ns = s->row.row->time_ns;
    if (!s->follows)
        s->anchor =
            (struct line_anchor){.id = s->anchor.id + 1,
                                 .number = s->number,
                                 .at = {true, s->jump, spectra_samples(s, time_ns), true, time_ns}};
    line->anchor = s->anchor;
    line->number = s->ledger.lines;
    line->first_sample =
        s->anchor.number +
        (uint64_t)llround((double)(time_ns - s->anchor.at.time_ns) * 1e-9 * s->rate_hz);
}

static bool configure_ring(struct spectra *s)
{
    const struct line_shape shape = row_shape(s->row.layout);
    if (shape.n == s->shape.n && shape.detectors == s->shape.detectors)
        return true;
    const int err = line_ring_configure(s->lines, &shape, WAIT_MS);
    if (err == 0)
        s->shape = shape;
    else if (err != -EAGAIN)
        spectra_fail(s, err, "no memory for its lines");
    return err == 0;
}

/* False: there was no room, or the row is damaged. */
bool spectra_publish_row(struct spectra *s)
{
    struct line *line = configure_ring(s) ? line_ring_acquire(s->lines, WAIT_MS) : NULL;
    if (!line)
        return false;
    const struct archive_row *row = s->row.row;
    const struct block_levels levels = row_levels(line);
    if (playback_levels(s->playback, &levels) < 0) {
        line_drop(s->lines, line);
        s->has_row = false;
        return false;
    }
    row_to_power(line);
    row_describe(line, &s->facts, s->row.layout, row);
    line->gap_before = s->gap;
    number_line(s, line);
    count_line(s, line);
    line->ledger = s->ledger;
    s->at_ns = row->time_ns;
    s->end_ns = row->time_ns + row->duration_ns;
    s->follows = true;
    s->jump = REPLAY_FOLLOWS;
    s->shown++;
    spectra_publish_status(s);
    line_ring_publish(s->lines, line);
    s->has_row = false;
    return true;
}
