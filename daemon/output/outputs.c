/* outputs.c - starts, asks and ends the outputs of a run. */
#include "daemon/output/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/measure/report_json.h"
#include "daemon/output/channel_file.h"
#include "daemon/output/event_output.h"
#include "daemon/output/measure_output.h"
#include "daemon/output/output.h"
#include "daemon/output/output_files.h"
#include "daemon/stream/epoch/iq_tap.h"
#include "daemon/system/memory.h"
#include "daemon/trigger/measure_feed.h"

enum { ROWS = 2, MEASURES = ROWS, EVENTS, CHANNEL, FILES }; /* csv, json; of the others */
_Static_assert((int)FILES == (int)STATUS_OUTPUTS, "the status has all");

struct outputs {
    struct outputs_config config;
    struct output *output[ROWS]; /* NULL: none configured */
    struct iq_tap *tap;
    struct measure_thread *measure_thread, *own_measure_thread;
    struct output_queue *measures, *events; /* NULL: none configured */
    struct channel_file *channel;           /* the same */
};

/* ---- the measure thread ----------------------------------------------------------------- */

static void on_results(void *user, struct measure_snapshot *s)
{
    struct outputs *o = user;
    if (o->config.feed)
        measure_feed_push(o->config.feed, s);
    if (o->measures)
        measure_output_push(o->measures, s);
    if (o->config.measured)
        o->config.measured(o->config.user);
}

static void on_passed(void *user, uint64_t line)
{
    const struct outputs *o = user;
    if (o->config.feed)
        measure_feed_pass(o->config.feed, line);
}

/* Those that browsers own. */
static void on_own_results(void *user, struct measure_snapshot *s)
{
    const struct outputs *o = user;
    (void)s;
    if (o->config.measured)
        o->config.measured(o->config.user);
}

static void on_measured(void *user)
{
    struct outputs *o = user;
    if (o->config.feed)
        measure_feed_end(o->config.feed);
    if (o->measures)
        output_queue_close(o->measures);
    if (o->config.ended)
        o->config.ended(o->config.user);
}

/* ---- start ------------------------------------------------------------------------------ */

static int start_rows(struct outputs *o, struct reason *why)
{
    const struct output_options *options = &o->config.config->output;
    struct output_config config = {.detector_index = options->detector_index,
                                   .lossless = o->config.lossless,
                                   .lines = o->config.lines,
                                   .active_calibration = o->config.active_calibration,
                                   .ended = o->config.ended,
                                   .user = o->config.user};
    const struct {
        const char *name;
        enum output_file file;
        row_writer *row;
        bool whole_run;
    } formats[ROWS] = {{"csv", OUTPUT_CSV,
                        row_csv_writer(options->csv_form, options->csv_time_index),
                        options->csv_form == CSV_MHZ_DBM},
                       {"json", OUTPUT_JSON, row_json, false}};
    int err = 0;
    for (int i = 0; err == 0 && i < ROWS; i++) {
        config.name = formats[i].name;
        config.file = output_file_config(o->config.config, formats[i].file);
        config.row = formats[i].row;
        config.marks = formats[i].row == row_json ? o->config.marks : NULL;
        config.whole_run = formats[i].whole_run;
        if (config.file.path)
            err = output_start(&o->output[i], &config, why);
    }
    return err;
}

/* A quarter of the memory, as for the IQ ring: for those that clients with control add. */
static size_t measure_budget(void)
{
    const uint64_t most = sizeof(void *) == 4 ? 256 << 20 : SIZE_MAX;
    const uint64_t quarter = memory_limits().total / 4;
    return (size_t)(quarter < most ? quarter : most);
}

static int start_measures(struct outputs *o, struct reason *why)
{
    const struct outputs_config *c = &o->config;
    const struct output_queue_config file = {.file =
                                                 output_file_config(c->config, OUTPUT_MEASURE_JSON),
                                             .lossless = c->lossless,
                                             .ended = c->ended,
                                             .user = c->user};
    int err = iq_tap_create(&o->tap, c->lossless);
    const struct measure_thread_config measure_thread = {.lines = c->lines,
                                                         .tap = o->tap,
                                                         .active_calibration =
                                                             c->active_calibration,
                                                         .references = c->references,
                                                         .spurs = c->spurs,
                                                         .lossless = c->lossless,
                                                         .bytes_max = measure_budget(),
                                                         .publish = on_results,
                                                         .passed = on_passed,
                                                         .ended = on_measured,
                                                         .user = o};
    if (err == 0)
        err = measure_thread_create(&o->measure_thread, &measure_thread);
    if (err == 0 && file.file.path)
        err = measure_output_start(&o->measures, &file, why);
    if (err == 0)
        err = measure_thread_configure(o->measure_thread, c->config, why);
    return err;
}

static int start_events(struct outputs *o, struct reason *why)
{
    const struct output_options *options = &o->config.config->output;
    const struct output_queue_config config = {
        .file = output_file_config(o->config.config, OUTPUT_EVENTS),
        .seconds = options->csv_time_index > 0,
        .lossless = o->config.lossless,
        .ended = o->config.ended,
        .user = o->config.user};
    return config.file.path ? event_output_start(&o->events, &config, why) : 0;
}

void outputs_push_event(struct outputs *o, const struct event *e)
{
    if (o->events)
        event_output_push(o->events, e);
}

void outputs_end_events(struct outputs *o)
{
    if (o->events)
        output_queue_close(o->events);
}

static int create_own_measure_thread(struct outputs *o)
{
    const struct outputs_config *c = &o->config;
    const struct measure_thread_config config = {.lines = c->lines,
                                                 .tap = o->tap,
                                                 .active_calibration = c->active_calibration,
                                                 .references = c->references,
                                                 .spurs = c->spurs,
                                                 .owned = true,
                                                 .bytes_max = OWN_MEASURE_BUDGET,
                                                 .publish = on_own_results,
                                                 .user = o};
    return measure_thread_create(&o->own_measure_thread, &config);
}

int outputs_start(struct outputs **out, const struct outputs_config *config, struct reason *why)
{
    struct outputs *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o)
        return -ENOMEM;
    o->config = *config;
    int err = start_rows(o, why);
    if (err == 0)
        err = start_measures(o, why);
    if (err == 0)
        err = create_own_measure_thread(o);
    if (err == 0)
        err = start_events(o, why);
    if (err < 0) {
        outputs_destroy(o);
        return err;
    }
    *out = o;
    return 0;
}

int outputs_start_channel(struct outputs *o, struct channels *channels, struct reason *why)
{
    const struct channel_file_config config = {
        .text = &o->config.config->channels.asked,
        .channels = channels,
        .file = output_file_config(o->config.config, OUTPUT_CHANNEL),
        .lossless = o->config.lossless,
        .duration_s = o->config.config->output.duration_s,
        .ended = o->config.ended,
        .user = o->config.user};
    return config.file.path ? channel_file_start(&o->channel, &config, why) : 0;
}

int outputs_start_writing(struct outputs *o, struct reason *why)
{
    int err = 0;
    for (int i = 0; err == 0 && i < ROWS; i++)
        err = o->output[i] ? output_start_writing(o->output[i], why) : 0;
    if (err == 0 && o->measures)
        err = output_queue_start_writing(o->measures, why);
    if (err == 0 && o->events)
        err = output_queue_start_writing(o->events, why);
    if (err == 0 && o->channel)
        err = channel_file_start_writing(o->channel, why);
    return err;
}

void outputs_reopen(struct outputs *o)
{
    for (int i = 0; i < ROWS; i++)
        if (o->output[i])
            output_reopen(o->output[i]);
    if (o->measures)
        output_queue_reopen(o->measures);
    if (o->events)
        output_queue_reopen(o->events);
}

/* ---- state ------------------------------------------------------------------------------ */

/* False: there is no file i. */
static bool file_state(struct outputs *o, int i, struct output_state *state)
{
    *state = (struct output_state){0};
    if (i < ROWS && o->output[i])
        output_state(o->output[i], state);
    else if (i == MEASURES && o->measures)
        output_queue_state(o->measures, state);
    else if (i == EVENTS && o->events)
        output_queue_state(o->events, state);
    else if (i == CHANNEL && o->channel)
        channel_file_state(o->channel, state);
    return state->name;
}

/* Without a measurement nothing closes the file of the measurements. */
static bool file_ended(struct outputs *o, int i, const struct output_state *state)
{
    const struct output_queue *idle =
        measure_thread_count(o->measure_thread) == 0 ? o->measures : NULL;
    return state->ended || (i == MEASURES && idle && measure_thread_ended(o->measure_thread));
}

bool outputs_ended(struct outputs *o)
{
    struct output_state state;
    for (int i = 0; i < FILES; i++)
        if (file_state(o, i, &state) && !file_ended(o, i, &state))
            return false;
    return measure_thread_ended(o->measure_thread);
}

bool outputs_closed(struct outputs *o)
{
    struct output_state state;
    bool any = false;
    for (int i = 0; i < FILES; i++) {
        if (!file_state(o, i, &state))
            continue;
        if (!state.ended)
            return false;
        any = true;
    }
    return any;
}

void outputs_state(struct outputs *o, struct status *out)
{
    for (int i = 0; i < FILES; i++)
        file_state(o, i, &out->output[i]);
    measure_thread_state(o->measure_thread, &out->measure);
}

struct measure_thread *outputs_measure_thread(struct outputs *o)
{
    return o->measure_thread;
}

struct measure_thread *outputs_own_measure_thread(struct outputs *o)
{
    return o->own_measure_thread;
}

struct iq_tap *outputs_tap(struct outputs *o)
{
    return o->tap;
}

void outputs_log_results(struct outputs *o)
{
    struct measure_snapshot *s = measure_thread_newest(o->measure_thread);
    for (size_t i = 0; s && i < s->count; i++) {
        struct text line = {0};
        report_add_text(&line, s, &s->report[i]);
        text_add_bytes(&line, "", 1);
        if (!line.failed)
            log_info("%s", line.data);
        text_finish(&line);
    }
    measure_snapshot_unref(s);
}

/* ---- end -------------------------------------------------------------------------------- */

bool outputs_stop(struct outputs *o, int patience_ms)
{
    struct output_state state;
    bool good = true;
    const uint64_t until = clock_after_ms(patience_ms);
    while (!outputs_ended(o) && clock_now_ns() < until)
        uv_sleep(5);
    for (int i = 0; i < FILES; i++)
        if (file_state(o, i, &state) && state.error < 0 && state.error != -EPIPE)
            good = false;
    channel_file_stop(o->channel);
    output_queue_stop(o->events);
    output_queue_stop(o->measures); /* first: the measure thread may wait for it */
    measure_thread_stop(o->measure_thread);
    measure_thread_stop(o->own_measure_thread);
    for (int i = 0; i < ROWS; i++)
        output_stop(o->output[i]);
    return good;
}

void outputs_destroy(struct outputs *o)
{
    if (!o)
        return;
    channel_file_destroy(o->channel);
    output_queue_stop(o->measures);
    measure_thread_destroy(o->measure_thread);
    measure_thread_destroy(o->own_measure_thread);
    output_queue_destroy(o->measures);
    output_queue_destroy(o->events);
    for (int i = 0; i < ROWS; i++)
        output_destroy(o->output[i]);
    iq_tap_destroy(o->tap);
    free(o);
}
