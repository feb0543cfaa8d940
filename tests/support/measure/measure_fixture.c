/* measure_fixture.c - makes lines from samples with the CPU engine, and runs measurements on them.
 */
#include "tests/support/measure/measure_fixture.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

#include "fft/window.h"

static struct fft_engine *engine; /* opened once: its self-test takes longer than a line */

static void close_engine(void)
{
    fft_engine_close(engine);
}

static struct fft_engine *open_engine(void)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    char why[200] = "";
    if (engine)
        return engine;
    if (fft_engine_open(&engine, &config, why, sizeof why) < 0)
        fail_msg("%s", why);
    atexit(close_engine);
    return engine;
}

/* ---- lines ------------------------------------------------------------------------------- */

static struct line *empty_line(const struct fixture *fixture)
{
    const struct line_shape shape = {.n = fixture->n, .detectors = (1U << FFT_DETECTORS) - 1};
    struct line *line = line_create(&shape);
    struct fft_window window;
    assert_non_null(line);
    assert_int_equal(fft_window_parse(fixture->window, &window), 0);
    fft_window_format(&window, line->window, sizeof line->window);
    line->hop = fixture->hop;
    line->gain_db = NAN;
    line->tuning = (struct tuning){.center_hz = fixture->center_hz, .rate_hz = fixture->rate_hz};
    return line;
}

static float *fill_window(const struct fixture *fixture, struct line *line)
{
    float *values = malloc(fixture->n * sizeof *values);
    struct fft_window window;
    struct fft_window_figures figures;
    assert_int_equal(fft_window_parse(fixture->window, &window), 0);
    fft_window_fill(&window, values, fixture->n, 1, &figures);
    line->enbw_bins = figures.enbw_bins;
    return values;
}

static void fold_all(struct fft_spectrum *s, struct fft_fold *fold, const struct fixture *fixture,
                     const struct fft_iq *iq, uint64_t frames)
{
    for (uint64_t at = 0; at < frames;) {
        struct fft_partial partial;
        const uint64_t left = frames - at;
        const uint32_t batch = left < 64 ? (uint32_t)left : 64;
        assert_int_equal(
            fft_spectrum_submit(s, iq + at * fixture->hop, at * fixture->hop, batch, 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &partial, -1), 1);
        fft_fold_add(fold, &partial);
        fft_spectrum_release(s);
        at += batch;
    }
}

struct line *fixture_line(const struct fixture *fixture, const struct fft_iq *iq, size_t count)
{
    struct line *line = empty_line(fixture);
    float *window = fill_window(fixture, line);
    struct fft_engine *e = open_engine();
    const struct fft_spectrum_config plan = {.n = fixture->n,
                                             .hop = fixture->hop,
                                             .max_frames = 64,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = line->detectors,
                                             .window = window};
    struct fft_spectrum *s = NULL;
    struct fft_fold *fold = NULL;
    assert_true(count >= fixture->n);
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_fold_create(&fold, &plan), 0);
    line->frames = (count - fixture->n) / fixture->hop + 1;
    line->sample_count = (line->frames - 1) * fixture->hop + fixture->n;
    fold_all(s, fold, fixture, iq, line->frames);
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        fft_fold_detector(fold, 1U << t, line->detector[t]);
    line_reset_pyramids(line);
    fft_fold_destroy(fold);
    fft_spectrum_destroy(s);
    free(window);
    return line;
}

struct line *fixture_flat_line(const struct fixture *fixture, float power)
{
    struct line *line = empty_line(fixture);
    free(fill_window(fixture, line));
    line->frames = 1;
    line->sample_count = fixture->n;
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        for (uint32_t k = 0; k < fixture->n; k++)
            line->detector[t][k] = power;
    line_reset_pyramids(line);
    return line;
}

/* ---- measurements ------------------------------------------------------------------------ */

static const struct config_option *find_option(const struct measure_ops *ops, const char *key)
{
    for (size_t i = 0; i < ops->option_count; i++)
        if (strcmp(ops->options[i].key, key) == 0)
            return &ops->options[i];
    fail_msg("%s has no option %s", ops->name, key);
    return NULL;
}

static void set_options(struct fixture_measure *m, const char *options)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", options);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        if (option_parse(find_option(m->ops, word), value, m->state) < 0)
            fail_msg("%s: %s=%s is refused", m->ops->name, word, value);
    }
}

void fixture_measure_start(struct fixture_measure *m, const char *name, const char *options)
{
    struct reason why = {0};
    *m = (struct fixture_measure){.ops = measure_find(name)};
    if (!m->ops)
        fail_msg("there is no measurement %s", name);
    assert(m->ops);
    m->state = calloc(1, m->ops->state_bytes);
    assert_non_null(m->state);
    for (size_t i = 0; i < m->ops->option_count; i++)
        assert_int_equal(option_parse(&m->ops->options[i], m->ops->options[i].fallback, m->state),
                         0);
    set_options(m, options);
    if (m->ops->check && m->ops->check(m->state, &why) < 0)
        fail_msg("%s: %s", name, why.sentence);
    if (m->ops->load && m->ops->load(m->state, &why) < 0)
        fail_msg("%s: %s", name, why.sentence);
}

void fixture_measure_finish(struct fixture_measure *m)
{
    if (m->ops->finish)
        m->ops->finish(m->state);
    free(m->state);
}

struct measure_input fixture_input(const struct line *line)
{
    return (struct measure_input){.line = line, .power = line->detector[0], .lines = 1};
}

void fixture_update(struct fixture_measure *m, const struct measure_input *in)
{
    memset(&m->result, 0, sizeof m->result);
    m->err = measure_update(m->ops, m->state, in, &m->result);
    assert_true(m->err == 0 || m->err == -ERANGE);
    assert_int_equal(m->err < 0, m->result.reason[0] != '\0');
}

struct measure_result fixture_measure_line(const char *name, const char *options,
                                           const struct line *line)
{
    struct fixture_measure m;
    const struct measure_input in = fixture_input(line);
    fixture_measure_start(&m, name, options);
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    return m.result;
}

double fixture_value(const struct measure_result *r, const char *name)
{
    if (r->reason[0])
        fail_msg("refused: %s", r->reason);
    for (unsigned i = 0; i < r->values; i++)
        if (strcmp(r->value[i].name, name) == 0)
            return r->value[i].value;
    fail_msg("there is no value %s", name);
    return NAN;
}

double fixture_cell(const struct measure_result *r, unsigned row, const char *column)
{
    if (r->reason[0])
        fail_msg("refused: %s", r->reason);
    assert_true(row < r->table.rows);
    for (unsigned c = 0; c < r->table.columns; c++)
        if (strcmp(r->table.column[c].name, column) == 0)
            return r->table.cell[row][c];
    fail_msg("there is no column %s", column);
    return NAN;
}

void fixture_refused(const struct measure_result *r, const char *words)
{
    if (!strstr(r->reason, words))
        fail_msg("the reason is \"%s\", expected \"%s\"", r->reason, words);
    assert_int_equal(r->values, 0);
    assert_int_equal(r->table.rows, 0);
}
