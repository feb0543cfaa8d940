/* line_fold.c - folds lines that wait to be published, and encodes them. */
#include "daemon/sensor/line_fold.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/clock.h"
#include "daemon/wire/ws_message.h"

enum { COMPLETE_MS = 1000 }; /* a subscriber that comes waits at most so long */

int line_fold_init(struct line_fold *f, struct line_ring *ring, uint32_t columns, unsigned detector,
                   double step_db)
{
    *f = (struct line_fold){.ring = ring,
                            .view = {.low_hz = NAN,
                                     .high_hz = NAN,
                                     .columns = columns,
                                     .detector = detector,
                                     .coding = WIRE_RANGE,
                                     .step_db = step_db}};
    return picture_init(&f->pending, columns) < 0 || picture_init(&f->next, columns) < 0 ? -ENOMEM
                                                                                         : 0;
}

void line_fold_finish(struct line_fold *f)
{
    line_unref(f->ring, f->newest);
    picture_finish(&f->pending);
    picture_finish(&f->next);
    *f = (struct line_fold){0};
}

bool line_fold_render(struct line_fold *f, const struct line *line, double line_rate_hz)
{
    if (!(line->detectors & 1U << f->view.detector))
        return false;
    picture_render(&f->next, &f->view, line, line_rate_hz);
    return true;
}

bool line_fold_fits(const struct line_fold *f)
{
    return f->lines == 0 || picture_fits(&f->pending, &f->next);
}

void line_fold_add(struct line_fold *f, struct line *line)
{
    if (f->lines == 0)
        picture_copy(&f->pending, &f->next);
    else {
        if (f->lines == 1 && picture_needs_bins(&f->pending))
            picture_keep_bins(&f->pending, f->newest); /* without memory, columns are folded */
        picture_fold(&f->pending, &f->next, line);
    }
    f->lines++;
    line_unref(f->ring, f->newest);
    f->newest = line;
}

void line_fold_need_base(struct line_fold *f)
{
    f->complete_base = 0;
}

static bool is_complete_due(const struct line_fold *f)
{
    return f->complete_base != f->encoder.base.number || clock_now_ns() >= f->complete_at_ns;
}

static struct ws_message *complete(struct line_fold *f, struct ws_message *frame)
{
    struct ws_message *whole = coded_frame_complete(&f->encoder.base, frame);
    ws_message_unref(frame);
    f->complete_base = whole ? f->encoder.base.number : 0;
    f->complete_at_ns = clock_after_ms(COMPLETE_MS);
    return whole;
}

struct ws_message *line_fold_encode(struct line_fold *f)
{
    picture_update_columns(&f->pending);
    struct ws_message *frame = view_encode(&f->encoder, &f->view, &f->pending);
    f->lines = 0;
    return frame && is_complete_due(f) ? complete(f, frame) : frame;
}
