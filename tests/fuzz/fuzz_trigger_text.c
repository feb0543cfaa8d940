/*
 * fuzz_trigger_text.c - libFuzzer target: "KEY=VALUE,..." of --trigger and of clients.
 *
 * A text that is refused gets one line. A set-up has values within the ranges of its keys, and
 * clients name no file and no URL.
 */
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/trigger/trigger_setup.h"
#include "tests/fuzz/fuzz.h"

static void check_common(const struct trigger_setup *s)
{
    check(s->when <= WHEN_BURST && s->mode <= MODE_FREE && s->then <= THEN_HOLD);
    check(s->for_s >= 0 && s->for_s <= 10 && s->gap_s >= 0 && s->gap_s <= 10);
    check(s->holdoff_s >= 0 && s->holdoff_s <= 1e6 && s->count <= 1000000000);
    check(s->mode != MODE_SINGLE || s->count == 1);
    check(s->ops && s->state && !s->webhook);
    check(!condition_is_command(s->ops) || (s->mode != MODE_FREE && !(s->for_s > 0)));
}

/* Of the numbers of its condition. */
static void check_ranges(const struct trigger_setup *s)
{
    for (size_t i = 0; i < s->ops->option_count; i++) {
        const struct config_option *o = &s->ops->options[i];
        double value;
        if (o->kind == OPTION_NUMBER) {
            memcpy(&value, (const char *)s->state + o->offset, sizeof value);
            const bool missing = isnan(o->missing) ? isnan(value) : value - o->missing == 0;
            check((value >= o->min && value <= o->max) || (!*o->fallback && missing));
        } else if (o->kind == OPTION_STRING) {
            const char *file;
            memcpy(&file, (const char *)s->state + o->offset, sizeof file);
            check(!file);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct option_text text;
    struct trigger_setup *setup = NULL;
    struct reason why = {0};
    char *line = take_text(&in);
    int err = option_text_split_keys(&text, line, &why);
    check_error(err, why.sentence);
    if (!err) {
        err = trigger_setup_create(&setup, &text, NULL, &why);
        check_error(err, why.sentence);
    }
    if (!err) {
        check(option_text_equal(&setup->text, &text));
        check_common(setup);
        check_ranges(setup);
    }
    trigger_setup_unref(setup);
    option_text_finish(&text);
    free(line);
    return 0;
}
