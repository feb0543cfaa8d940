/*
 * fuzz_rigctl.c - libFuzzer target: lines of the rigctld protocol.
 *
 * Every answer is whole lines of text, and a rig is only set to what it can be.
 */
#include "daemon/demod/demod.h"
#include "daemon/rigctl/rigctl_command.h"
#include "daemon/stream/tuning.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

static void get(void *user, struct rigctl_setting *out)
{
    *out = *(const struct rigctl_setting *)user;
}

static int tune(void *user, double center_hz)
{
    struct rigctl_setting *now = user;
    check(center_hz > 0 && center_hz <= TUNING_CENTER_MAX_HZ);
    now->center_hz = center_hz;
    return 0;
}

static int set_mode(void *user, const char *mode, double passband_hz)
{
    struct rigctl_setting *now = user;
    check(demod_find(mode) != NULL && isfinite(passband_hz));
    now->mode = demod_find(mode)->name;
    return 0;
}

static void check_answer(const struct text *answer)
{
    check(!answer->failed && answer->length < 2048);
    if (answer->length == 0)
        return;
    check(answer->data[answer->length - 1] == '\n');
    check(memchr(answer->data, '\0', answer->length) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct rigctl_setting now = {.center_hz = 1e8, .mode = "nfm", .passband_hz = 16000};
    const struct rigctl_rig rig = {get, tune, set_mode, &now};
    while (in.size > 0) {
        char *line = take_text(&in);
        struct text answer = {0};
        const enum rigctl_next next = rigctl_command_run(&rig, line, &answer);
        check_answer(&answer);
        text_finish(&answer);
        free(line);
        if (next == RIGCTL_END)
            break;
    }
    return 0;
}
