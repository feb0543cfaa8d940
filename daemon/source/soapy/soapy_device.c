/* soapy_device.c - selects a radio, and records which radios this process has open. */
#include "daemon/source/soapy/soapy_device.h"
#include "daemon/base/reason.h"

#include <SoapySDR/Errors.h>
#include <SoapySDR/Logger.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "daemon/base/log.h"

/* Radios that sources of this process have open, including stuck sources. */
enum { DEVICES = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static SoapySDRDevice *devices[DEVICES];

static bool replace(const SoapySDRDevice *what, SoapySDRDevice *with)
{
    for (int i = 0; i < DEVICES; i++) {
        if (devices[i] == what) {
            devices[i] = with;
            return true;
        }
    }
    return false;
}

static bool register_device(SoapySDRDevice *device)
{
    pthread_mutex_lock(&lock);
    const bool shared = replace(device, device);
    replace(NULL, device);
    pthread_mutex_unlock(&lock);
    return shared;
}

static void unregister_device(SoapySDRDevice *device)
{
    pthread_mutex_lock(&lock);
    replace(device, NULL);
    pthread_mutex_unlock(&lock);
}

/*
 * Drops debug messages and the "O" for each overflow, which the ledger counts. Modules repeat their
 * complaints at each search for devices.
 */
static void on_log(const SoapySDRLogLevel level, const char *message)
{
    const enum log_priority priority = level <= SOAPY_SDR_ERROR     ? LOG_PRIORITY_ERROR
                                       : level == SOAPY_SDR_WARNING ? LOG_PRIORITY_WARN
                                                                    : LOG_PRIORITY_INFO;
    if (level <= SOAPY_SDR_INFO)
        log_limited(priority, "SoapySDR: %.*s", (int)strcspn(message, "\n"), message);
}

int soapy_check_name(struct source *s, const char *what, const char *name, char **names,
                     size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = strcmp(names[i], name) == 0;
    const int err = found ? 0 : soapy_fail_name(s, what, name, names, count, "none to choose from");
    SoapySDRStrings_clear(&names, count); /* an empty list is allocated, too */
    return err;
}

int soapy_fail_name(struct source *s, const char *what, const char *name, char *const *names,
                    size_t count, const char *none)
{
    char list[160] = "";
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const int n = snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", names[i]);
        at += (size_t)n < sizeof list - at ? (size_t)n : 0;
    }
    return source_fail(s, -EINVAL, "%s %s: %s has %s", what, name, s->stream.about,
                       count > 0 ? list : none);
}

int soapy_fail(struct source *s, int code, const char *what)
{
    return source_fail(s, -EIO, "%s: SoapySDR %d %s %s", what, code, SoapySDR_errToStr(code),
                       SoapySDRDevice_lastError());
}

int soapy_kwargs(SoapySDRKwargs *out, const struct soapy_pairs *pairs)
{
    *out = (SoapySDRKwargs){0};
    for (size_t i = 0; i < pairs->count; i++) {
        if (SoapySDRKwargs_set(out, pairs->pair[i].key, pairs->pair[i].value) != 0) {
            SoapySDRKwargs_clear(out);
            return -ENOMEM;
        }
    }
    return 0;
}

/* "Generic RTL2832U :: 00000001", else "rtlsdr 00000001". */
static void describe(const SoapySDRKwargs *args, char *into, size_t size)
{
    const char *label = SoapySDRKwargs_get(args, "label");
    const char *driver = SoapySDRKwargs_get(args, "driver");
    const char *serial = SoapySDRKwargs_get(args, "serial");
    if (label && *label)
        snprintf(into, size, "%s", label);
    else
        snprintf(into, size, "%s%s%s", driver ? driver : "SoapySDR radio", serial ? " " : "",
                 serial ? serial : "");
}

static void copy_serial(const SoapySDRKwargs *args, char *into, size_t size)
{
    const char *serial = SoapySDRKwargs_get(args, "serial");
    snprintf(into, size, "%s", serial ? serial : "");
}

/* Adds arguments of the driver (buffer sizes, ...), which enumeration does not return. */
static int add_missing(SoapySDRKwargs *args, const SoapySDRKwargs *filter)
{
    for (size_t i = 0; i < filter->size; i++) {
        if (!SoapySDRKwargs_get(args, filter->keys[i]) &&
            SoapySDRKwargs_set(args, filter->keys[i], filter->vals[i]) != 0)
            return -ENOMEM;
    }
    return 0;
}

static int make(struct source *s, const SoapySDRKwargs *args, SoapySDRDevice **out, bool *shared)
{
    const char *wanted = s->config->device ? s->config->device : "";
    *out = SoapySDRDevice_make(args);
    if (!*out)
        return source_fail(s, -EIO, "SoapySDR device %s cannot be opened: %s", wanted,
                           SoapySDRDevice_lastError());
    *shared = register_device(*out);
    return 0;
}

/* A sound card is listed as a radio, and before most of them. */
static bool is_sound_card(const SoapySDRKwargs *args)
{
    const char *driver = SoapySDRKwargs_get(args, "driver");
    return driver && strcmp(driver, "audio") == 0;
}

/* The first radio; a sound card if there is nothing else. */
static SoapySDRKwargs *choose(SoapySDRKwargs *found, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_sound_card(&found[i]))
            return &found[i];
    }
    return &found[0];
}

static void log_choice(const struct source *s, const SoapySDRKwargs *chosen, size_t count)
{
    const char *wanted = s->config->device ? s->config->device : "";
    if (count > 1)
        log_warn("%zu SoapySDR devices match \"%s\": using %s", count, wanted, s->stream.about);
    if (is_sound_card(chosen) && !strstr(wanted, "driver=audio"))
        log_warn("%s is a sound card (driver=audio): no radio was found", s->stream.about);
}

static int open_first(struct source *s, const SoapySDRKwargs *filter, SoapySDRDevice **out,
                      bool *shared)
{
    const char *wanted = s->config->device ? s->config->device : "";
    size_t count = 0;
    SoapySDRKwargs *found = SoapySDRDevice_enumerate(filter, &count);
    int err;
    if (count == 0) {
        err = source_fail(s, -ENODEV, "no SoapySDR device %s%s", *wanted ? "matches " : "found",
                          wanted);
    } else {
        SoapySDRKwargs *chosen = choose(found, count);
        describe(chosen, s->stream.about, sizeof s->stream.about);
        copy_serial(chosen, s->stream.serial, sizeof s->stream.serial);
        log_choice(s, chosen, count);
        err = add_missing(chosen, filter);
        if (err == 0)
            err = make(s, chosen, out, shared);
    }
    SoapySDRKwargsList_clear(found, count);
    return err;
}

int soapy_device_open(struct source *s, SoapySDRDevice **out, bool *shared)
{
    struct soapy_pairs pairs;
    SoapySDRKwargs filter;
    struct reason what = {0};
    if (soapy_pairs_parse(s->config->device, &pairs, &what) < 0)
        return source_fail(s, -EINVAL, "device %s", what.sentence);
    if (soapy_kwargs(&filter, &pairs) < 0)
        return source_fail(s, -ENOMEM, "device: no memory");
    SoapySDR_registerLogHandler(on_log);
    const int err = open_first(s, &filter, out, shared);
    SoapySDRKwargs_clear(&filter);
    return err;
}

void soapy_device_close(SoapySDRDevice *device)
{
    if (!device)
        return;
    unregister_device(device);
    if (SoapySDRDevice_unmake(device) != 0)
        log_warn("SoapySDR unmake: %s", SoapySDRDevice_lastError());
}

/* Omits the label, and values that a key=value list cannot hold. */
static void print_args(const SoapySDRKwargs *args, FILE *out)
{
    const char *driver = SoapySDRKwargs_get(args, "driver");
    fprintf(out, "driver=%s", driver ? driver : "");
    for (size_t i = 0; i < args->size; i++) {
        const char *key = args->keys[i], *value = args->vals[i];
        if (strcmp(key, "driver") == 0 || strcmp(key, "label") == 0 || strpbrk(value, ",\n"))
            continue;
        fprintf(out, ",%s=%s", key, value);
    }
}

static void print_device(const SoapySDRKwargs *args, FILE *out)
{
    char about[160];
    describe(args, about, sizeof about);
    fprintf(out, "--source soapy --device '");
    print_args(args, out);
    fprintf(out, "'  # %s%s\n", about, is_sound_card(args) ? " (a sound card)" : "");
}

int soapy_device_list(FILE *out)
{
    size_t count = 0;
    SoapySDR_registerLogHandler(on_log);
    SoapySDRKwargs *found = SoapySDRDevice_enumerateStrArgs("", &count);
    for (int sound = 0; sound < 2; sound++) {
        for (size_t i = 0; i < count; i++) {
            if (is_sound_card(&found[i]) == sound)
                print_device(&found[i], out);
        }
    }
    SoapySDRKwargsList_clear(found, count);
    return (int)count;
}
