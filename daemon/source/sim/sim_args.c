/* sim_args.c - parses the key=value,... arguments of the simulated radio. */
#include "daemon/source/sim/sim_args.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/text.h"

static const char *const kinds[SIM_KINDS] = {"show",  "tone",     "noise",  "silence",  "counter",
                                             "world", "channels", "sensor", "squitter", "nfm",
                                             "am",    "ssb",      "ax25"};

static const struct key {
    const char *name;
    size_t at;        /* of a double in struct sim_args */
    double low, high; /* valid range */
} keys[] = {
    {"level", offsetof(struct sim_args, scene.level_dbfs), -400, 400},
    {"noise", offsetof(struct sim_args, scene.noise_dbfs), -400, 400},
    {"offset", offsetof(struct sim_args, scene.offset_hz), -1e12, 1e12},
    {"dc", offsetof(struct sim_args, scene.dc_dbfs), -400, 400},
    {"gain_error", offsetof(struct sim_args, scene.gain_error_db), -60, 60},
    {"phase_error", offsetof(struct sim_args, scene.phase_error_degrees), -90, 90},
    {"settle", offsetof(struct sim_args, settle_s), 0, 10},
    {"overflow_every", offsetof(struct sim_args, overflow_every_s), 1e-6, 1e6},
    {"overflow_lost", offsetof(struct sim_args, overflow_lost), 0, 1e12},
    {"vanish_after", offsetof(struct sim_args, vanish_after_s), 0, 1e6},
    {"stall_after", offsetof(struct sim_args, stall_after_s), 0, 1e6},
    {"hang_after", offsetof(struct sim_args, hang_after_s), 0, 1e6},
};

static int set_kind(struct sim_args *args, const char *value)
{
    for (int i = 0; i < SIM_KINDS; i++) {
        if (strcmp(kinds[i], value) == 0) {
            args->scene.kind = (enum sim_kind)i;
            args->has_scene = true;
            return 0;
        }
    }
    return -EINVAL;
}

static int set_copy(struct sim_args *args, const char *value)
{
    bool copy = true;
    const int err = flag_parse(value, &copy);
    args->in_place = !copy;
    return err;
}

static int set_seed(struct sim_args *args, const char *value)
{
    double seed = 0;
    if (si_parse(value, &seed) < 0 || seed < 0 || seed > 0x1p53 || seed != floor(seed))
        return -EINVAL;
    args->scene.seed = (uint64_t)seed;
    return 0;
}

static int set_serial(struct sim_args *args, const char *value)
{
    if (strlen(value) >= sizeof args->serial)
        return -EINVAL;
    memcpy(args->serial, value, strlen(value) + 1);
    return 0;
}

static int set_number(struct sim_args *args, const struct key *key, const char *value)
{
    double number = 0;
    if (si_parse(value, &number) < 0 || number < key->low || number > key->high)
        return -EINVAL;
    memcpy((char *)args + key->at, &number, sizeof number);
    return 0;
}

static int set_tones(struct sim_args *args, const char *value)
{
    return sim_world_parse(value, &args->world);
}

/* Those that are no numbers. */
static const struct {
    const char *name;
    int (*set)(struct sim_args *args, const char *value);
} others[] = {{"scene", set_kind},
              {"seed", set_seed},
              {"copy", set_copy},
              {"tones", set_tones},
              {"serial", set_serial}};

/* -ENOENT: no such key. */
static int set(struct sim_args *args, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].set(args, value);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, name) == 0)
            return set_number(args, &keys[i], value);
    return -ENOENT;
}

static int refuse_name(const char *name, struct reason *why)
{
    struct near_name near = near_name_begin(name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        near_name_offer(&near, others[i].name);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        near_name_offer(&near, keys[i].name);
    reason_set(why, -EINVAL, "sim: --device has no argument \"%s\"", name);
    if (near.name)
        reason_add(why, ": did you mean %s?", near.name);
    return -EINVAL;
}

static int refuse_value(const char *name, const char *value, struct reason *why)
{
    reason_set(why, -EINVAL, "sim: --device %s=%s: not a valid value", name, value);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, name) == 0)
            reason_add(why, ": expected a number from %g to %g", keys[i].low, keys[i].high);
    for (int i = 0; strcmp(name, "scene") == 0 && i < SIM_KINDS; i++)
        reason_add(why, "%s%s", i == 0 ? ": expected one of " : ", ", kinds[i]);
    return -EINVAL;
}

static int set_item(struct sim_args *args, const char *text, size_t length, struct reason *why)
{
    char item[1024]; /* for a list of tones */
    if (length >= (strncmp(text, "tones=", 6) == 0 ? sizeof item : 64))
        return reason_set(why, -EINVAL, "sim: --device \"%.40s...\": too long", text);
    snprintf(item, sizeof item, "%.*s", (int)length, text);
    char *equals = strchr(item, '=');
    if (equals)
        *equals = 0;
    const int err = set(args, item, equals ? equals + 1 : "");
    if (err == -ENOENT)
        return refuse_name(item, why);
    return err < 0 ? refuse_value(item, equals ? equals + 1 : "", why) : 0;
}

int sim_args_parse(const char *text, struct sim_args *out, struct reason *why)
{
    *out = (struct sim_args){.scene = {.kind = SIM_SHOW, .seed = 1}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        memcpy((char *)out + keys[i].at, &(double){NAN}, sizeof(double));
    for (const char *at = text ? text : ""; *at;) {
        const size_t length = strcspn(at, ",");
        if (length > 0 && set_item(out, at, length, why) < 0)
            return -EINVAL;
        at += length + (at[length] == ',');
    }
    return 0;
}
