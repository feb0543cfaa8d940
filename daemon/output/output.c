/* output.c - reads lines, and folds them into the rows of an output. */
#include "daemon/output/output.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/output/output_thread.h"
#include "daemon/output/row_fold.h"

struct output {
    struct output_config config;
    struct output_thread thread;

    /* used by the thread only */
    struct line_reader reader;
    struct row_fold fold;
};

/* ---- rows ------------------------------------------------------------------------------- */

static void make_row(struct output *o)
{
    struct row row = row_fold_result(&o->fold);
    row.calibration = active_calibration_ref(o->config.active_calibration);
    char *events = event_marks_take(o->config.marks, row.line->number, o->config.lossless);
    row.events = events;
    o->config.row(row_file_next(&o->thread.file), &row);
    free(events);
    calibration_table_unref(row.calibration);
    output_thread_count(&o->thread, &o->thread.state.rows, 1);
    output_thread_count(&o->thread, &o->thread.state.folded, o->fold.lines - 1);
    row_fold_clear(&o->fold);
}

/* Drops the lines of the next row, and adds them to *count. */
static void discard_fold(struct output *o, uint64_t *count)
{
    output_thread_count(&o->thread, count, o->fold.lines);
    row_fold_clear(&o->fold);
}

/* Of a whole run, the row is made when the thread finishes. */
static bool can_make_row(const struct output *o)
{
    return !o->config.whole_run && !row_file_busy(&o->thread.file);
}

static int add_line(struct output *o, struct line *line)
{
    if (!row_fold_fits(&o->fold, line))
        discard_fold(o, &o->thread.state.missed);
    const int err = row_fold_add(&o->fold, line);
    if (err == 0 && can_make_row(o))
        make_row(o);
    return o->thread.file.row.failed ? -ENOMEM : err;
}

/* ---- the maker of rows ------------------------------------------------------------------ */

/* In replay a line stays in the ring until the row of the line before is written. */
static bool can_read_line(const struct output *o)
{
    return !row_file_busy(&o->thread.file) || !o->config.lossless;
}

/* Reads all waiting lines. Lines that cannot be written yet are folded. */
static int make_rows(void *maker, bool *closed)
{
    struct output *o = maker;
    int err = 0;
    if (can_make_row(o) && o->fold.lines > 0)
        make_row(o);
    int wait_ms = row_file_busy(&o->thread.file) ? 0 : OUTPUT_WAIT_MS;
    while (err == 0 && can_read_line(o)) {
        struct line *line = line_reader_next(&o->reader, wait_ms, closed);
        if (!line)
            break;
        err = add_line(o, line);
        wait_ms = 0;
    }
    return err;
}

static void drop_lines(void *maker, bool *closed)
{
    struct output *o = maker;
    struct line *line;
    int wait_ms = OUTPUT_WAIT_MS;
    if (o->fold.lines > 0)
        discard_fold(o, &o->thread.state.dropped);
    while ((line = line_reader_next(&o->reader, wait_ms, closed))) {
        line_unref(o->config.lines, line);
        output_thread_count(&o->thread, &o->thread.state.dropped, 1);
        wait_ms = 0;
    }
}

static bool make_last_row(void *maker)
{
    struct output *o = maker;
    if (o->fold.lines == 0)
        return false;
    make_row(o);
    return true;
}

static void finish_rows(void *maker)
{
    struct output *o = maker;
    row_fold_finish(&o->fold);
    output_thread_count(&o->thread, &o->thread.state.missed, line_reader_missed(&o->reader));
    line_reader_leave(&o->reader);
}

static const struct output_maker rows_of_lines = {
    .make = make_rows, .drop = drop_lines, .make_last = make_last_row, .finish = finish_rows};

/* ---- called by the loop thread ---------------------------------------------------------- */

int output_start(struct output **out, const struct output_config *config, struct reason *why)
{
    struct output *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o)
        return -ENOMEM;
    o->config = *config;
    o->fold = (struct row_fold){.ring = config->lines, .detector_index = config->detector_index};
    const struct output_thread_config thread = {.name = config->name,
                                                .file = config->file,
                                                .lossless = config->lossless,
                                                .ops = &rows_of_lines,
                                                .maker = o,
                                                .ended = config->ended,
                                                .user = config->user};
    int err = output_thread_open(&o->thread, &thread, why);
    if (err == 0) {
        line_reader_join(&o->reader, config->lines, config->lossless);
        err = output_thread_run(&o->thread);
    }
    if (err < 0) {
        output_destroy(o);
        return err;
    }
    *out = o;
    return 0;
}

int output_start_writing(struct output *o, struct reason *why)
{
    return output_thread_start_writing(&o->thread, why);
}

void output_reopen(struct output *o)
{
    output_thread_reopen(&o->thread);
}

void output_state(struct output *o, struct output_state *out)
{
    output_thread_state(&o->thread, out);
}

void output_stop(struct output *o)
{
    if (o)
        output_thread_stop(&o->thread);
}

void output_destroy(struct output *o)
{
    if (!o)
        return;
    output_thread_finish(&o->thread);
    line_reader_leave(&o->reader);
    row_fold_finish(&o->fold);
    free(o);
}
