/* feed.c - keeps the views, the backlogs of their slots, and encodes frames. */
#include "daemon/client/feed.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/client/view_encode.h"

/*
 * Memory for the bins of all backlogs, in bytes. When many slow clients use it up, further backlogs
 * fold columns instead of bins.
 */
enum { BINS_BUDGET = 64 << 20 };

struct feed_backlog {
    struct feed_backlog *next;
    struct picture picture;
    struct ws_message *frame;    /* encoded; NULL after another line was folded in */
    struct ws_message *complete; /* with its base; NULL: not needed yet */
    uint32_t base;               /* that the frame refers to */
    uint32_t slots;              /* that share it */
};

struct feed_view {
    struct feed_view *next;
    struct view view;
    const struct view_trace *trace; /* of its only slot; NULL: clear/write */
    struct feed_slot *slots;
    struct picture line; /* the newest line through this view */
    struct feed_backlog *backlogs;
    struct view_encoder encoder;
};

void feed_init(struct feed *f, struct line_ring *ring, uint32_t max_views)
{
    *f = (struct feed){.ring = ring, .max_views = max_views};
}

void feed_finish(struct feed *f)
{
    assert(!f->views && !f->traces.first);
    line_unref(f->ring, f->latest);
    f->latest = NULL;
}

/* ---- backlogs --------------------------------------------------------------------------- */

static struct feed_backlog *add_backlog(struct feed_view *v)
{
    struct feed_backlog *b = calloc(1, sizeof *b);
    if (!b || picture_init(&b->picture, v->view.columns)) {
        free(b);
        return NULL;
    }
    picture_copy(&b->picture, &v->line);
    b->next = v->backlogs;
    v->backlogs = b;
    return b;
}

/* The backlog that consists of the newest line alone; NULL: no slot has it yet. */
static struct feed_backlog *find_backlog(const struct feed_view *v)
{
    struct feed_backlog *b = v->backlogs;
    while (b && (b->picture.header.merged > 1 || b->picture.header.line != v->line.header.line))
        b = b->next;
    return b;
}

static void join_newest(struct feed_slot *s)
{
    s->backlog = find_backlog(s->view);
    if (!s->backlog)
        s->backlog = add_backlog(s->view);
    if (s->backlog)
        s->backlog->slots++;
}

/*
 * Copies the bins of the backlog's only line, if that line is still held (as `before`) and the
 * budget allows it.
 */
static void keep_bins(struct feed *f, struct feed_backlog *b, const struct line *before)
{
    const uint64_t bytes = b->picture.grid.bins * sizeof(float);
    if (!before || before->number != b->picture.header.line || b->picture.header.merged > 1 ||
        !picture_needs_bins(&b->picture) || f->bins_bytes + bytes > BINS_BUDGET)
        return;
    if (picture_keep_bins(&b->picture, before) == 0)
        f->bins_bytes += bytes;
}

static void release_bins(struct feed *f, const struct feed_backlog *b)
{
    f->bins_bytes -= b->picture.bins ? b->picture.grid.bins * sizeof(float) : 0;
}

static void drop_frames(struct feed_backlog *b)
{
    ws_message_unref(b->frame);
    ws_message_unref(b->complete);
    b->frame = b->complete = NULL;
}

static void remove_backlog(struct feed *f, struct feed_view *v, struct feed_backlog *b)
{
    struct feed_backlog **at = &v->backlogs;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    release_bins(f, b);
    picture_finish(&b->picture);
    drop_frames(b);
    free(b);
}

static void leave_backlog(struct feed *f, struct feed_slot *s)
{
    struct feed_backlog *b = s->backlog;
    s->backlog = NULL;
    if (b && --b->slots == 0)
        remove_backlog(f, s->view, b);
}

static void fold_newest_line(struct feed *f, struct feed_backlog *b, const struct feed_view *v,
                             const struct line *before)
{
    drop_frames(b);
    if (picture_fits(&b->picture, &v->line)) {
        keep_bins(f, b, before);
        picture_fold(&b->picture, &v->line, f->latest);
    } else {
        release_bins(f, b);
        picture_copy(&b->picture, &v->line);
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Returns false if the line lacks the view's detector, or the trace has no memory. */
static bool render(const struct feed *f, struct feed_view *v, const struct line *line)
{
    if (v->trace)
        line = v->trace->line;
    if (!line || !(line->detectors & 1U << v->view.detector))
        return false;
    picture_render(&v->line, &v->view, line, f->line_rate_hz);
    return true;
}

static void update_view(struct feed *f, struct feed_view *v, const struct line *before)
{
    if (!render(f, v, f->latest))
        return;
    for (struct feed_backlog *b = v->backlogs; b; b = b->next)
        fold_newest_line(f, b, v, before);
    for (struct feed_slot *s = v->slots; s; s = s->next) {
        if (!s->backlog)
            join_newest(s);
    }
}

void feed_line(struct feed *f, struct line *line)
{
    struct line *before = f->latest;
    f->latest = line;
    view_traces_update(&f->traces, line);
    for (struct feed_view *v = f->views; v; v = v->next)
        update_view(f, v, before);
    line_unref(f->ring, before);
}

/* ---- views ------------------------------------------------------------------------------ */

static struct feed_view *find_view(const struct feed *f, const struct view *view)
{
    struct feed_view *v = f->views;
    while (v && !view_same(&v->view, view))
        v = v->next;
    return v;
}

static struct feed_view *add_view(struct feed *f, const struct view *view,
                                  const struct view_trace *trace)
{
    struct feed_view *v = calloc(1, sizeof *v);
    if (!v || picture_init(&v->line, view->columns)) {
        free(v);
        return NULL;
    }
    v->view = *view;
    v->trace = trace;
    v->next = f->views;
    f->views = v;
    f->view_count++;
    return v;
}

static void remove_view(struct feed *f, struct feed_view *v)
{
    struct feed_view **at = &f->views;
    while (*at != v)
        at = &(*at)->next;
    *at = v->next;
    f->view_count--;
    picture_finish(&v->line);
    free(v);
}

static void leave_view(struct feed *f, struct feed_slot *s)
{
    struct feed_view *v = s->view;
    if (!v)
        return;
    leave_backlog(f, s);
    struct feed_slot **at = &v->slots;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->view = NULL;
    if (!v->slots)
        remove_view(f, v);
}

/* True if one more distinct view would be too many after the slot has left its own. */
static bool is_full(const struct feed *f, const struct feed_slot *s)
{
    const bool leaves_one = s->view && s->view->slots == s && !s->next;
    return f->view_count - leaves_one >= f->max_views;
}

/* Moves the slot to the view with its trace, which may be NULL. */
static int join_view(struct feed *f, struct feed_slot *s, const struct view *view,
                     struct view_trace *trace)
{
    struct feed_view *v = find_view(f, view);
    if (!v && is_full(f, s))
        return -EMFILE;
    if (!v && !(v = add_view(f, view, trace)))
        return -ENOMEM;
    if (v != s->view) {
        leave_view(f, s);
        s->view = v;
        s->next = v->slots;
        v->slots = s;
    }
    leave_backlog(f, s);
    return 0;
}

int feed_slot_set(struct feed *f, struct feed_slot *s, const struct view *view, uint32_t view_id,
                  bool restart)
{
    struct view own = *view;
    struct view_trace *trace = NULL;
    const struct view_trace_choice choice = {.detector = view->detector,
                                             .percent = view->percent,
                                             .trace = view->trace,
                                             .math = view->math,
                                             .reference = view->reference,
                                             .restart = restart};
    int err = view_traces_choose(&f->traces, s->trace, &choice, f->latest, &trace);
    own.trace_id = trace ? trace->id : 0;
    if (err == 0)
        err = join_view(f, s, &own, trace);
    if (trace != s->trace)
        view_traces_drop(&f->traces, err == 0 ? s->trace : trace);
    if (err < 0)
        return err;
    s->trace = trace;
    s->view_id = view_id;
    s->base = 0;
    if (f->latest && render(f, s->view, f->latest))
        join_newest(s);
    return 0;
}

void feed_slot_leave(struct feed *f, struct feed_slot *s)
{
    leave_view(f, s);
    view_traces_drop(&f->traces, s->trace);
    *s = (struct feed_slot){0};
}

bool feed_wants_density(const struct feed *f, unsigned *detectors)
{
    bool density = false;
    *detectors = 0;
    for (const struct feed_view *v = f->views; v; v = v->next) {
        for (const struct feed_slot *s = v->slots; s; s = s->next) {
            const bool percentile = s->trace && s->trace->percent > 0;
            density = density || percentile;
            if (!percentile)
                *detectors |= 1U << feed_slot_detector(s);
        }
    }
    return density;
}

unsigned feed_slot_detector(const struct feed_slot *s)
{
    return s->view->view.detector;
}

bool feed_shown(const struct feed *f, const struct feed_client *c, struct readout_line *out)
{
    const struct feed_slot *s = &c->slot[0];
    const struct view *view = s->view ? &s->view->view : NULL;
    const struct line *line = s->trace ? s->trace->line : f->latest;
    if (!view || !line || !(line->detectors & 1U << view->detector))
        return false;
    const bool is_mean = (view->detector == 0 || view->detector == 3) && !(view->percent > 0);
    *out = (struct readout_line){.line = line,
                                 .detector = view->detector,
                                 .keeps_power = is_mean && view->math == MATH_NONE &&
                                                trace_keeps_power(view->trace.function)};
    view_make_grid(view, line, &out->grid);
    return true;
}

/* ---- frames ----------------------------------------------------------------------------- */

/* Encodes the backlog, again if the base has changed since. Returns false without memory. */
static bool update_frame(struct feed_view *v, struct feed_backlog *b)
{
    if (b->frame && b->base == v->encoder.base.number)
        return true;
    drop_frames(b);
    picture_update_columns(&b->picture);
    b->frame = view_encode(&v->encoder, &v->view, &b->picture);
    b->base = v->encoder.base.number;
    return b->frame;
}

/* The frame for this slot: with the base, unless its client has it. NULL: no memory. */
static struct ws_message *choose_frame(struct feed_slot *s)
{
    struct feed_backlog *b = s->backlog;
    const bool plain = s->view->view.coding == WIRE_PLAIN;
    if (!update_frame(s->view, b))
        return NULL;
    if (!plain && s->base == b->base)
        return b->frame;
    if (!plain && !b->complete)
        b->complete = coded_frame_complete(&s->view->encoder.base, b->frame);
    return plain ? b->frame : b->complete;
}

struct ws_message *feed_slot_take(struct feed *f, struct feed_slot *s)
{
    const struct feed_backlog *b = s->backlog;
    struct ws_message *frame = b ? choose_frame(s) : NULL;
    if (!frame)
        return NULL;
    ws_message_ref(frame);
    s->base = b->base;
    f->frames++;
    f->merged += b->picture.header.merged - 1;
    leave_backlog(f, s);
    return frame;
}
