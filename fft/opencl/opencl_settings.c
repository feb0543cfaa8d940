/* opencl_settings.c - the table of options of the opencl engine and their parsers. */
#include "fft/opencl/opencl_settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int set_plan(struct opencl_settings *s, const char *value)
{
    return opencl_choice_parse(&s->choice, value) ? 0 : -EINVAL;
}

static int set_profile(struct opencl_settings *s, const char *value)
{
    struct opencl_profile found;
    snprintf(s->profile, sizeof s->profile, "%s", value);
    return opencl_profile_find(s->profile, &found) ? 0 : -EINVAL;
}

static int set_cache(struct opencl_settings *s, const char *value)
{
    const int length = snprintf(s->cache, sizeof s->cache, "%s", value);
    return length > 0 && (size_t)length < sizeof s->cache ? 0 : -EINVAL;
}

static int set_storage(struct opencl_settings *s, const char *value)
{
    s->half = strcmp(value, "half") == 0;
    return s->half || strcmp(value, "float") == 0 ? 0 : -EINVAL;
}

static int set_measure(struct opencl_settings *s, const char *value)
{
    s->measure = true;
    return value[0] ? -EINVAL : 0;
}

static const struct setting {
    const char *key;
    int (*set)(struct opencl_settings *s, const char *value);
    const char *expected;
} settings[] = {
    {"plan", set_plan, "auto, passes, digitrev, local or fourstep"},
    {"profile", set_profile, "the name of a simulated device"},
    {"storage", set_storage, "float or half"},
    {"cache", set_cache, "a folder, or off"},
    {"measure", set_measure, "no value"},
};

static int set_one(struct opencl_settings *s, const char *item, struct fft_reason why)
{
    const size_t length = strcspn(item, "=");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *known = &settings[i];
        if (strlen(known->key) != length || memcmp(known->key, item, length) != 0)
            continue;
        if (known->set(s, item[length] ? item + length + 1 : "") == 0)
            return 0;
        fft_reason_set(why, "option \"%s\": expected %s", item, known->expected);
        return -EINVAL;
    }
    fft_reason_set(why, "no option \"%s\": there are plan, profile, storage, cache and measure",
                   item);
    return -EINVAL;
}

int opencl_settings_parse(struct opencl_settings *s, const char *text, struct fft_reason why)
{
    char item[PATH_MAX];
    int err = 0;
    *s = (struct opencl_settings){0};
    while (err == 0 && text && *text) {
        const size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item - 1),
                 text);
        err = set_one(s, item, why);
        text += length + (text[length] == ',');
    }
    if (s->half)
        s->choice.half = 1;
    return err;
}
