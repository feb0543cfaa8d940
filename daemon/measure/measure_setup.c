/* measure_setup.c - checks the text of a measurement against the tables of its type. */
#include "daemon/measure/measure_setup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/option/option_reader.h"

static int check_trace(const struct measure_setup *s, const struct option_reader *r)
{
    const enum trace_function function = (enum trace_function)s->trace;
    if (s->vbw_hz > 0 && !trace_averages(function))
        return option_reader_fail(r, s->text.line, "vbw", "vbw: the trace %s does not average",
                                  trace_function_name(function));
    if (s->vbw_hz > 0 && s->count > 0)
        return option_reader_fail(r, s->text.line, "vbw",
                                  "count and vbw: one follows from the other");
    if ((s->math != MATH_NONE) != (s->reference != NULL))
        return option_reader_fail(r, s->text.line, s->reference ? "math" : "math-reference",
                                  "math and math-reference belong together");
    if (s->math != MATH_NONE && s->ops->iq_samples)
        return option_reader_fail(r, s->text.line, "math",
                                  "math: %s measures samples, which have no trace", s->ops->name);
    if (s->detector.percent > 0 && s->ops->iq_samples)
        return option_reader_fail(r, s->text.line, "detector",
                                  "detector: %s measures samples, which have no percentiles",
                                  s->ops->name);
    return 0;
}

static const struct config_option *option_of(const struct measure_ops *ops, const char *key)
{
    const struct option_family family = measure_family();
    const struct option_type type = measure_type(ops);
    return option_family_find(&family, &type, key);
}

/* The option whose 0 takes the whole span, whatever the centre is. NULL: the type has none. */
static const struct config_option *width_option(const struct measure_ops *ops)
{
    static const char *const names[] = {"width", "bandwidth", "rbw"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct config_option *o = option_of(ops, names[i]);
        if (o && strcmp(o->fallback, "0") == 0)
            return o;
    }
    return NULL;
}

static double number_of(const struct measure_setup *s, const struct config_option *o)
{
    double value;
    memcpy(&value, (const char *)s->state + o->offset, sizeof value);
    return value;
}

/* A centre alone would be ignored. The centre of a mask, which is empty by default, has a use. */
static int check_center(const struct measure_setup *s, const struct option_reader *r)
{
    const struct option_pair *key = option_text_find(&s->text, "center");
    const struct config_option *center = option_of(s->ops, "center");
    const struct config_option *width = width_option(s->ops);
    if (!key || !width || strcmp(center->fallback, "0") != 0 || number_of(s, width) > 0 ||
        fabs(number_of(s, center)) <= 0)
        return 0;
    return option_reader_fail(r, key->line, "center",
                              "center: has no effect without %s: the whole span is measured",
                              width->key);
}

static int set_all(struct measure_setup *s, const struct option_reader *r)
{
    const char *name = option_text_value(&s->text, "type");
    s->ops = measure_find(name);
    if (!s->ops)
        return option_reader_fail_type(r, name, "type: is missing");
    const struct option_type type = measure_type(s->ops);
    s->state = calloc(1, s->ops->state_bytes);
    if (!s->state)
        return -ENOMEM;
    int err = option_reader_set(r, &type, s, s->state);
    if (err == 0)
        err = check_trace(s, r);
    if (err == 0)
        err =
            option_reader_finish(r, &(struct option_hooks){s->ops->check, s->ops->load}, s->state);
    return err < 0 ? err : check_center(s, r);
}

int measure_setup_create(struct measure_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why)
{
    struct measure_setup *s = calloc(1, sizeof *s);
    int err = s ? option_text_copy(&s->text, text) : -ENOMEM;
    *out = NULL;
    if (err == 0)
        err = set_all(s, &(struct option_reader){measure_family(), &s->text, origin, why});
    if (err == -ENOMEM)
        reason_set(why, err, "no memory for a measurement");
    if (err < 0) {
        measure_setup_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void measure_setup_destroy(struct measure_setup *s)
{
    if (!s)
        return;
    if (s->state && s->ops->finish)
        s->ops->finish(s->state);
    free(s->state);
    option_text_finish(&s->text);
    free(s);
}

bool measure_setup_same(const struct measure_setup *a, const struct measure_setup *b)
{
    return option_text_equal(&a->text, &b->text) &&
           (!a->ops->same_files || a->ops->same_files(a->state, b->state));
}

bool measure_setup_is_refused(const struct measure_setup *s, struct reason *why)
{
    const struct measure_input in = {.detector = s->detector.index,
                                     .percent = s->detector.percent,
                                     .function = (enum trace_function)s->trace};
    struct measure_result out;
    if (!s->ops->needs_power || measure_needs_power(&in, &out) == 0)
        return false;
    reason_set(why, -ERANGE, "the measurement %s %s", s->text.name, out.reason);
    return true;
}

uint32_t measure_setup_bin_bytes(const struct measure_setup *s)
{
    const uint32_t difference = s->math != MATH_NONE ? sizeof(float) : 0;
    return trace_bin_bytes((enum trace_function)s->trace, true) + difference;
}

/* ---- the configuration ------------------------------------------------------------------ */

int measure_setup_from_config(struct measure_setup **out, const struct config *c, size_t i,
                              struct reason *why)
{
    const struct option_text *text = &c->measures[i];
    return measure_setup_create(out, text, option_text_origin(text, c->file, "--measure"), why);
}

static void add_setups(struct config *c, const struct measure_setup *s)
{
    if (s->detector.percent > 0)
        c->measure_percentiles++;
    else
        c->measure_detectors |= 1U << s->detector.index;
    c->measure_bin_bytes += measure_setup_bin_bytes(s);
}

int measure_check_config(struct config *c, struct reason *why)
{
    const struct option_reader all = {measure_family(), c->measures, "--measure", why};
    int err = option_reader_check_count(&all, c->measure_count, MEASUREMENTS_MAX, c->file);
    c->measure_detectors = c->measure_bin_bytes = c->measure_percentiles = 0;
    for (size_t i = 0; err == 0 && i < c->measure_count; i++) {
        struct measure_setup *setup;
        err = measure_setup_from_config(&setup, c, i, why);
        if (err == 0) {
            add_setups(c, setup);
        }
        measure_setup_destroy(setup);
    }
    return err;
}
