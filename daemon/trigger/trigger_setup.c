/* trigger_setup.c - checks the text of a trigger against the tables of its condition. */
#include "daemon/trigger/trigger_setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/near_name.h"
#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/measure/report.h"
#include "daemon/option/option_reader.h"

/* The condition that `type` names, or else the first key. NULL: none. */
static const struct condition_ops *find_condition(const struct option_text *text)
{
    const struct option_pair *type = option_text_find(text, "type");
    const struct condition_ops *ops = type ? condition_find(type->value) : NULL;
    for (size_t i = 0; !type && !ops && i < text->count; i++)
        ops = condition_find(text->keys[i].key);
    return ops;
}

static int check_common(const struct trigger_setup *s, const struct option_reader *r)
{
    const bool external = condition_is_command(s->ops);
    if (external && s->mode == MODE_FREE)
        return option_reader_fail(r, s->text.line, "mode",
                                  "mode: a command fires %s, so it cannot run free", s->ops->name);
    if (external && (s->when != WHEN_INSIDE || s->for_s > 0))
        return option_reader_fail(r, s->text.line, s->for_s > 0 ? "for" : "when",
                                  "when, for: %s has no frames that meet a condition",
                                  s->ops->name);
    if (s->then == THEN_STOP && !r->origin)
        return option_reader_fail(r, 0, "then", "then: only the configuration may stop fftd");
    if (s->mode == MODE_SINGLE && s->count > 1)
        return option_reader_fail(r, s->text.line, "count",
                                  "count: mode=single ends after one event");
    return 0;
}

static int fail_condition(const struct option_reader *r)
{
    const char *type = option_text_value(r->text, "type");
    const char *first = r->text->count > 0 ? r->text->keys[0].key : "";
    return option_reader_fail_type(r, *type ? type : first, "no key names a condition");
}

static int set_all(struct trigger_setup *s, const struct option_reader *r)
{
    s->ops = find_condition(&s->text);
    if (!s->ops)
        return fail_condition(r);
    const struct option_type type = trigger_type(s->ops);
    s->state = calloc(1, s->ops->state_bytes);
    if (!s->state)
        return -ENOMEM;
    int err = option_reader_set(r, &type, s, s->state);
    if (err == 0)
        err = check_common(s, r);
    if (err == 0)
        err =
            option_reader_finish(r, &(struct option_hooks){s->ops->check, s->ops->load}, s->state);
    if (s->mode == MODE_SINGLE)
        s->count = 1;
    return err;
}

int trigger_setup_create(struct trigger_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why)
{
    struct trigger_setup *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s)
        atomic_init(&s->refs, 1);
    int err = s ? option_text_copy(&s->text, text) : -ENOMEM;
    if (err == 0)
        err = set_all(s, &(struct option_reader){trigger_family(), &s->text, origin, why});
    if (err == -ENOMEM)
        reason_set(why, err, "no memory for a trigger");
    if (err < 0) {
        trigger_setup_unref(s);
        return err;
    }
    *out = s;
    return 0;
}

struct trigger_setup *trigger_setup_ref(struct trigger_setup *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void trigger_setup_unref(struct trigger_setup *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) > 1)
        return;
    if (s->state && s->ops->finish)
        s->ops->finish(s->state);
    free(s->state);
    option_text_finish(&s->text);
    free(s);
}

/* ---- the configuration ------------------------------------------------------------------- */

int trigger_setup_from_config(struct trigger_setup **out, const struct config *c, size_t i,
                              struct reason *why)
{
    const struct option_text *text = &c->triggers[i];
    return trigger_setup_create(out, text, option_text_origin(text, c->file, "--trigger"), why);
}

int trigger_check_config(struct config *c, struct reason *why)
{
    const struct option_reader all = {trigger_family(), c->triggers, "--trigger", why};
    int err = option_reader_check_count(&all, c->trigger_count, TRIGGERS_MAX, c->file);
    c->trigger_detectors = 0;
    c->trigger_density = false;
    for (size_t i = 0; err == 0 && i < c->trigger_count; i++) {
        struct trigger_setup *setup;
        err = trigger_setup_from_config(&setup, c, i, why);
        if (err == 0) {
            c->trigger_detectors |= FFT_DETECTOR_MAX | FFT_DETECTOR_MIN;
            c->trigger_density = c->trigger_density || setup->ops->density;
        }
        trigger_setup_unref(setup);
    }
    return err;
}

/* ---- what cannot fire -------------------------------------------------------------------- */

static bool lacks_measurement(const struct config *c, const char *name, struct reason *why)
{
    struct near_name near = near_name_begin(name);
    for (size_t i = 0; i < c->measure_count; i++)
        near_name_offer(&near, c->measures[i].name);
    if (near.name)
        reason_set(why, -ERANGE, "there is no measurement %s (did you mean %s?)", name, near.name);
    else
        reason_set(why, -ERANGE, "there is no measurement %s: add --measure TYPE,name=%s", name,
                   name);
    return true;
}

static void list_values(const struct measure_setup *s, struct reason *why)
{
    struct text list = {0};
    for (const struct measure_name *v = s->ops->values; v->name; v++) {
        if (measure_gives(s->ops, s->state, v->name))
            text_add(&list, "%s%s", list.length > 0 ? ", " : "", v->name);
    }
    reason_add(why, ": it has %.*s", (int)list.length, list.length > 0 ? list.data : "");
    text_finish(&list);
}

/* Whether the measurement never gives what the trigger decides by. */
static bool lacks_value(const struct measure_setup *s, const char *value, struct reason *why)
{
    struct near_name near = near_name_begin(value);
    if (value[0] ? measure_may_give(s->ops, s->state, value, &near)
                 : measure_gives(s->ops, s->state, value))
        return false;
    if (!value[0]) {
        reason_set(why, -ERANGE, "the measurement %s (%s) has no limit", s->text.name,
                   s->ops->name);
        return true;
    }
    reason_set(why, -ERANGE, "the measurement %s has no value %s", s->text.name, value);
    if (near.name)
        reason_add(why, " (did you mean %s?)", near.name);
    else
        list_values(s, why);
    return true;
}

/* Whether the configuration has no measurement, or none with the value, that it decides by. */
static bool cannot_decide(const struct trigger_setup *s, const struct config *c, struct reason *why)
{
    struct condition_measured m;
    if (!s->ops->measurement)
        return false;
    s->ops->measurement(s->state, &m);
    size_t i = 0;
    while (i < c->measure_count && strcmp(c->measures[i].name, m.name) != 0)
        i++;
    if (i == c->measure_count)
        return lacks_measurement(c, m.name, why);
    struct measure_setup *setup;
    const bool lacks = measure_setup_from_config(&setup, c, i, why) < 0 ||
                       lacks_value(setup, m.value, why) || measure_setup_is_refused(setup, why);
    measure_setup_destroy(setup);
    return lacks;
}

static bool is_idle(const struct trigger_setup *s, const struct config *c, const struct line *line,
                    struct reason *why)
{
    if (cannot_decide(s, c, why))
        return true;
    if (s->when == WHEN_OUTSIDE)
        return false;
    if (s->ops->is_beyond_scale && s->ops->is_beyond_scale(s->state, why))
        return true;
    return line && s->ops->meets && s->ops->prepare(s->state, line, why) == -ERANGE;
}

void trigger_warn_idle(const struct config *c, const struct line *line)
{
    for (size_t i = 0; i < c->trigger_count; i++) {
        struct trigger_setup *setup;
        struct reason why = {0};
        if (trigger_setup_from_config(&setup, c, i, &why) == 0 && is_idle(setup, c, line, &why))
            log_warn("trigger %s cannot fire: %s", setup->text.name, why.sentence);
        trigger_setup_unref(setup);
    }
}
