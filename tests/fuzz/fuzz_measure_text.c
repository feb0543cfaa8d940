/*
 * fuzz_measure_text.c - libFuzzer target: "TYPE,KEY=VALUE,..." of --measure and of clients.
 *
 * A text that is refused gets one line. Keys and values of one that is split are in it, in order.
 */
#include "daemon/base/reason.h"
#include "daemon/measure/measure_setup.h"
#include "tests/fuzz/fuzz.h"

static void check_parts(const struct option_text *t, const char *line)
{
    check(t->count >= 1 && strcmp(t->keys[0].key, "type") == 0);
    check(strncmp(line, t->keys[0].value, strlen(t->keys[0].value)) == 0);
    for (size_t i = 1; i < t->count; i++) {
        char *pair = NULL;
        check(asprintf(&pair, ",%s=%s", t->keys[i].key, t->keys[i].value) > 0);
        check((line = strstr(line, pair)) != NULL);
        line++;
        free(pair);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct option_text text, copy;
    struct measure_setup *setup = NULL;
    struct reason why = {0};
    char *line = take_text(&in);
    int err = option_text_split(&text, line, &why);
    check_error(err, why.sentence);
    if (!err) {
        check_parts(&text, line);
        check(option_text_copy(&copy, &text) == 0 && option_text_equal(&copy, &text));
        option_text_finish(&copy);
        err = measure_setup_create(&setup, &text, NULL, &why);
        check_error(err, why.sentence);
    }
    if (!err) {
        const struct detector_choice d = setup->detector;
        check(d.percent > 0 ? d.index == PERCENTILE_DETECTOR && d.percent <= 100
                            : d.index < FFT_DETECTORS);
        check(setup->ops && setup->state);
    }
    measure_setup_destroy(setup);
    option_text_finish(&text);
    free(line);
    return 0;
}
