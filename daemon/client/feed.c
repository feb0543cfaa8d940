/* feed.c - keeps the views, the backlogs of their clients, and encodes frames. */
#include "daemon/client/feed.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/*
 * Memory for the bins of all backlogs, in bytes. When many slow clients use it up, further backlogs
 * fold columns instead of bins.
 */
enum { BINS_BUDGET = 64 << 20 };

struct feed_backlog {
    struct feed_backlog *next;
    struct picture picture;
    struct frame *frame; /* encoded; NULL after another line was folded in */
    uint32_t clients;    /* that share it */
};

struct feed_view {
    struct feed_view *next;
    struct view view;
    const struct view_trace *trace; /* of its only client; NULL: clear/write */
    struct feed_client *clients;
    struct picture line; /* the newest line through this view */
    struct feed_backlog *backlogs;
    uint32_t skip_deflate; /* frames to send without trying to deflate them */
};

void feed_init(struct feed *f, struct line_ring *ring, uint32_t max_views)
{
    *f = (struct feed){.ring = ring, .max_views = max_views};
}

void feed_finish(struct feed *f)
{
    assert(!f->views && !f->traces.first);
    line_drop(f->ring, f->latest);
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

/* The backlog that consists of the newest line alone; NULL: no client has it yet. */
static struct feed_backlog *find_backlog(const struct feed_view *v)
{
    struct feed_backlog *b = v->backlogs;
    while (b && (b->picture.header.merged > 1 || b->picture.header.line != v->line.header.line))
        b = b->next;
    return b;
}

static void join_newest(struct feed_client *c)
{
    c->backlog = find_backlog(c->view);
    if (!c->backlog)
        c->backlog = add_backlog(c->view);
    if (c->backlog)
        c->backlog->clients++;
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

static void remove_backlog(struct feed *f, struct feed_view *v, struct feed_backlog *b)
{
    struct feed_backlog **at = &v->backlogs;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    release_bins(f, b);
    picture_finish(&b->picture);
    frame_drop(b->frame);
    free(b);
}

static void leave_backlog(struct feed *f, struct feed_client *c)
{
    struct feed_backlog *b = c->backlog;
    c->backlog = NULL;
    if (b && --b->clients == 0)
        remove_backlog(f, c->view, b);
}

static void fold_newest_line(struct feed *f, struct feed_backlog *b, const struct feed_view *v,
                             const struct line *before)
{
    frame_drop(b->frame);
    b->frame = NULL;
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
    for (struct feed_client *c = v->clients; c; c = c->next) {
        if (!c->backlog)
            join_newest(c);
    }
}

void feed_line(struct feed *f, struct line *line)
{
    struct line *before = f->latest;
    f->latest = line;
    view_traces_update(&f->traces, line);
    for (struct feed_view *v = f->views; v; v = v->next)
        update_view(f, v, before);
    line_drop(f->ring, before);
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

static void leave_view(struct feed *f, struct feed_client *c)
{
    struct feed_view *v = c->view;
    if (!v)
        return;
    leave_backlog(f, c);
    struct feed_client **at = &v->clients;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    c->view = NULL;
    if (!v->clients)
        remove_view(f, v);
}

/* True if one more distinct view would be too many after the client has left its own. */
static bool is_full(const struct feed *f, const struct feed_client *c)
{
    const bool leaves_one = c->view && c->view->clients == c && !c->next;
    return f->view_count - leaves_one >= f->max_views;
}

/* Moves the client to the view with its trace, which may be NULL. */
static int join_view(struct feed *f, struct feed_client *c, const struct view *view,
                     struct view_trace *trace)
{
    struct feed_view *v = find_view(f, view);
    if (!v && is_full(f, c))
        return -EMFILE;
    if (!v && !(v = add_view(f, view, trace)))
        return -ENOMEM;
    if (v != c->view) {
        leave_view(f, c);
        c->view = v;
        c->next = v->clients;
        v->clients = c;
    }
    leave_backlog(f, c);
    return 0;
}

int feed_set_view(struct feed *f, struct feed_client *c, const struct view *view, uint32_t view_id,
                  bool restart)
{
    struct view own = *view;
    struct view_trace *trace = NULL;
    const struct view_trace_choice choice = {view->detector, view->trace, restart};
    int err = view_traces_choose(&f->traces, c->trace, &choice, f->latest, &trace);
    own.trace_id = trace ? trace->id : 0;
    if (err == 0)
        err = join_view(f, c, &own, trace);
    if (trace != c->trace)
        view_traces_drop(&f->traces, err == 0 ? c->trace : trace);
    if (err < 0)
        return err;
    c->trace = trace;
    c->view_id = view_id;
    if (!c->credited)
        c->credit = WIRE_CREDIT_MAX;
    c->credited = true;
    if (f->latest && render(f, c->view, f->latest))
        join_newest(c);
    return 0;
}

void feed_leave(struct feed *f, struct feed_client *c)
{
    leave_view(f, c);
    view_traces_drop(&f->traces, c->trace);
    *c = (struct feed_client){0};
}

/* ---- frames ----------------------------------------------------------------------------- */

void feed_credit(struct feed_client *c, uint32_t frames)
{
    const uint32_t room = WIRE_CREDIT_MAX - c->credit;
    if (c->credited)
        c->credit += frames < room ? frames : room;
}

bool feed_ready(const struct feed_client *c)
{
    return c->credit > 0 && c->backlog;
}

/*
 * Deflates levels[columns] into `into`, which holds as many bytes. Returns the deflated size, or 0
 * if that saves less than a quarter: then the next frames of this view are sent as they are.
 */
static size_t deflate_levels(struct feed_view *v, const uint8_t *levels, uint32_t columns,
                             uint8_t *into)
{
    enum { WORTH_TRYING = 512, SKIP = 63 };
    if (columns < WORTH_TRYING || v->skip_deflate > 0) {
        v->skip_deflate -= v->skip_deflate > 0;
        return 0;
    }
    uLongf size = columns - columns / 4;
    if (compress2(into, &size, levels, columns, 1) == Z_OK)
        return size;
    v->skip_deflate = SKIP;
    return 0;
}

static struct frame *encode(struct feed_view *v, const struct picture *p)
{
    struct wire_header h = p->header;
    uint8_t levels[WIRE_COLUMNS_MAX];
    struct frame *frame = frame_create(WIRE_HEADER + h.columns);
    if (!frame)
        return NULL;
    wire_quantise(&h, p->power, levels);
    const size_t deflated = deflate_levels(v, levels, h.columns, frame->data + WIRE_HEADER);
    if (deflated > 0) {
        h.flags |= WIRE_DEFLATED;
        frame->size = WIRE_HEADER + deflated;
    } else {
        memcpy(frame->data + WIRE_HEADER, levels, h.columns);
    }
    wire_write_header(&h, frame->data);
    return frame;
}

struct frame *feed_next_frame(struct feed *f, struct feed_client *c)
{
    struct feed_backlog *b = c->backlog;
    if (!feed_ready(c))
        return NULL;
    if (!b->frame) {
        picture_update_columns(&b->picture);
        b->frame = encode(c->view, &b->picture);
    }
    if (!b->frame)
        return NULL;
    struct frame *frame = frame_hold(b->frame);
    wire_set_view(frame->data, c->view_id);
    f->frames++;
    f->merged += b->picture.header.merged - 1;
    c->credit--;
    leave_backlog(f, c);
    return frame;
}
