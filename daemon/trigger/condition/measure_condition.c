/* measure_condition.c - the condition "measure": a value of a measurement is beyond a limit, or it
 * fails. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"
#include "daemon/trigger/condition/condition.h"

struct measure_state {
    char text[CONDITION_VALUE]; /* "NAME.VALUE>LIMIT", "NAME.VALUE<LIMIT" or "NAME" */
};

struct limit {
    struct condition_measured of;
    bool below;
    double limit;
};

/* With any unit, which is that of the value. */
static int parse_limit(const char *text, double *limit)
{
    static const enum si_unit units[] = {SI_HZ, SI_DB, SI_DBM, SI_PERCENT, SI_SECONDS};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (si_parse_unit(text, units[i], limit) == 0)
            return 0;
    return -EINVAL;
}

/* The name of a measurement may have dots; that of a value has none. */
static int parse(const char *text, struct limit *out)
{
    *out = (struct limit){0};
    const size_t length = strcspn(text, "<>");
    const char *dot = text[length] ? memrchr(text, '.', length) : text + length;
    const size_t name = dot ? (size_t)(dot - text) : sizeof out->of.name;
    if (name >= sizeof out->of.name)
        return -EINVAL;
    memcpy(out->of.name, text, name);
    if (!option_name_is_valid(out->of.name))
        return -EINVAL;
    if (!text[length])
        return 0;
    const size_t value = (size_t)(text + length - dot) - 1;
    if (value == 0 || value >= sizeof out->of.value)
        return -EINVAL;
    memcpy(out->of.value, dot + 1, value);
    out->below = text[length] == '<';
    return parse_limit(text + length + 1, &out->limit);
}

static int check_text(const char *text)
{
    struct limit limit;
    return *text ? parse(text, &limit) : 0;
}

static const struct config_option options[] = {
    {"measure", "measure", .kind = OPTION_LABEL, OPTION_FIELD(struct measure_state, text),
     .fallback = "", .metavar = "NAME.VALUE>LIMIT",
     .expected =
         "NAME.VALUE>LIMIT, NAME.VALUE<LIMIT or NAME as in voice.power>-40, obw.bandwidth>25k "
         "or adjacent",
     .check = check_text,
     .help = "A value of the measurement of this name, as --measure-json has it, and its limit; a "
             "name alone: the measurement fails"},
};

static int check(const void *state, struct reason *why)
{
    const struct measure_state *s = state;
    return s->text[0] ? 0
                      : reason_key(why, -EINVAL, "measure",
                                   "measure: is missing: NAME.VALUE>LIMIT as in voice.power>-40");
}

static bool is_named(const struct measure_snapshot *s, const struct measure_value *v,
                     const char *name)
{
    const struct measure_shown shown = measure_show(s, v->unit, v->value, v->at_hz);
    const char *unit = measure_shown_unit(&shown, v->unit);
    const size_t length = strlen(v->name);
    return strncmp(name, v->name, length) == 0 &&
           (!name[length] || (name[length] == '_' && strcmp(name + length + 1, unit) == 0));
}

static int judge_value(const struct limit *l, const struct measure_snapshot *s,
                       const struct measure_report *r, bool *met, struct reason *why)
{
    for (unsigned i = 0; i < r->values; i++) {
        const struct measure_value *v = &r->value[i];
        if (!is_named(s, v, l->of.value))
            continue;
        const double value = measure_show(s, v->unit, v->value, v->at_hz).value;
        *met = l->below ? value < l->limit : value > l->limit; /* not with NAN */
        return 0;
    }
    return reason_set(why, -ERANGE, "the measurement %s has no value %s", l->of.name, l->of.value);
}

static int judge(const void *state, const struct measure_snapshot *snapshot, bool *met,
                 struct reason *why)
{
    const struct measure_state *s = state;
    struct limit limit;
    *met = false;
    parse(s->text, &limit);
    const struct measure_report *r =
        snapshot ? measure_snapshot_find(snapshot, 0, limit.of.name) : NULL;
    if (!r)
        return reason_set(why, -ERANGE, "there is no measurement %s", limit.of.name);
    if (r->reason[0])
        return reason_set(why, -ERANGE, "%s: %s", limit.of.name, r->reason);
    if (limit.of.value[0])
        return judge_value(&limit, snapshot, r, met, why);
    if (r->verdict == MEASURE_NO_LIMIT)
        return reason_set(why, -ERANGE, "the measurement %s has no limit", limit.of.name);
    *met = r->verdict == MEASURE_FAIL;
    return 0;
}

static void measurement(const void *state, struct condition_measured *out)
{
    struct limit limit;
    parse(((const struct measure_state *)state)->text, &limit);
    *out = limit.of;
}

const struct condition_ops condition_measure = {
    .name = "measure",
    .about = "A value of a measurement is beyond a limit, or the measurement fails",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct measure_state),
    .check = check,
    .judge = judge,
    .measurement = measurement,
};
