/* options.c - the table of fft-bench's options, and how their values are parsed. */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command_line.h"
#include "bench/message.h"
#include "fft/radix.h"

enum {
    FOR_SPECTRUM = 1U << VERB_SPECTRUM,
    FOR_TRANSFORM = 1U << VERB_TRANSFORM,
    FOR_PLAN = 1U << VERB_PLAN,
    FOR_DAEMON = 1U << VERB_DAEMON,
    FOR_ROWS = FOR_SPECTRUM | FOR_TRANSFORM,
    FOR_ANY = FOR_ROWS | FOR_DAEMON
};

static const char *const verbs[VERBS] = {"spectrum", "transform", "plan", "daemon"};
static const char *const types[FFT_TRANSFORM_TYPES] = {"forward", "inverse", "r2c", "c2r"};
static const char *const scales[FFT_TRANSFORM_SCALES] = {"none", "n", "root-n"};
static const char *const detectors[FFT_DETECTORS] = {"mean", "max", "min", "sample"};
static const char *const working_sets[] = {"auto", "cache", "memory"};

const char *options_type_name(enum fft_transform_type type)
{
    return types[type];
}

const char *options_scale_name(enum fft_transform_scale scale)
{
    return scales[scale];
}

const char *options_detector_names(unsigned bits, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < FFT_DETECTORS && used < size; i++)
        if (bits & 1U << i)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", detectors[i]);
    return text;
}

/* ---- values ----------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint32_t *out)
{
    const char *end = text;
    *out = command_line_count(text, &end);
    return *out && !*end;
}

/* Finds text among `count` names. */
static bool parse_name(const char *text, const char *const *names, uint32_t count, uint32_t *out)
{
    for (*out = 0; *out < count; ++*out)
        if (strcmp(text, names[*out]) == 0)
            return true;
    return false;
}

static bool parse_threads(void *options, const char *value)
{
    struct options *o = options;
    return parse_number(value, &o->threads);
}

static bool parse_vs(void *options, const char *value)
{
    struct options *o = options;
    return versus_parse(&o->versus, value);
}

static bool parse_hop(void *options, const char *value)
{
    struct options *o = options;
    return parse_number(value, &o->hop);
}

static bool parse_format(void *options, const char *value)
{
    struct options *o = options;
    return fft_iq_parse(value, &o->format) == 0;
}

static bool parse_type(void *options, const char *value)
{
    struct options *o = options;
    uint32_t which;
    const bool found = parse_name(value, types, FFT_TRANSFORM_TYPES, &which);
    o->type = (enum fft_transform_type)which;
    return found;
}

static bool parse_scale(void *options, const char *value)
{
    struct options *o = options;
    uint32_t which;
    const bool found = parse_name(value, scales, FFT_TRANSFORM_SCALES, &which);
    o->scale = (enum fft_transform_scale)which;
    return found;
}

static bool parse_place(void *options, const char *value)
{
    struct options *o = options;
    uint32_t which;
    const bool found =
        parse_name(value, working_sets, sizeof working_sets / sizeof working_sets[0], &which);
    o->working_set = (enum working_set)which;
    return found;
}

static bool parse_detectors(void *options, const char *value)
{
    struct options *o = options;
    char name[8];
    for (o->detectors = 0;; value++) {
        const size_t length = strcspn(value, ",");
        uint32_t which;
        snprintf(name, sizeof name, "%.*s", (int)length, value);
        if (!parse_name(name, detectors, FFT_DETECTORS, &which))
            return false;
        o->detectors |= 1U << which;
        value += length;
        if (!*value)
            return true;
    }
}

/* "1024x256" */
static bool parse_density(void *options, const char *value)
{
    struct options *o = options;
    const char *end = value;
    o->columns = command_line_count(value, &end);
    if (!o->columns || *end != 'x')
        return false;
    return parse_number(end + 1, &o->levels) && o->levels <= FFT_SPECTRUM_MAX_LEVELS;
}

/* "245.76M"; si suffixes are decimal here: samples a second. */
static bool parse_rate(void *options, const char *value)
{
    struct options *o = options;
    char *end;
    o->rate_hz = strtod(value, &end);
    o->rate_hz *= *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;
    end += *end == 'k' || *end == 'M' || *end == 'G';
    return end > value && !*end && o->rate_hz >= 1e3 && o->rate_hz <= 1e10;
}

/* "512" or "32+2425": open channels, and armed channels. */
static bool parse_channels(void *options, const char *value)
{
    struct options *o = options;
    const char *end = value;
    o->channels_open = command_line_count(value, &end);
    if (*end == '+')
        o->channels_armed = command_line_count(end + 1, &end);
    return end > value && !*end && o->channels_open + o->channels_armed <= 4096;
}

static bool parse_channel_rate(void *options, const char *value)
{
    struct options *o = options;
    const double rate_hz = o->rate_hz;
    const bool good = parse_rate(options, value);
    o->channel_rate_hz = o->rate_hz;
    o->rate_hz = rate_hz;
    return good;
}

static bool parse_seconds(void *options, const char *value)
{
    struct options *o = options;
    return parse_number(value, &o->seconds) && o->seconds <= 86400;
}

static bool parse_measurements(void *options, const char *value)
{
    struct options *o = options;
    if (strcmp(value, "0") == 0)
        o->measurements = 0;
    return strcmp(value, "0") == 0 ||
           (parse_number(value, &o->measurements) && o->measurements <= 10);
}

/* ---- sizes ------------------------------------------------------------------------------ */

static bool suits_spectrum(const struct shape *s)
{
    return s->rank == 1 && s->n[0] >= FFT_SPECTRUM_MIN_N && s->n[0] <= FFT_SPECTRUM_MAX_N &&
           (s->n[0] & (s->n[0] - 1)) == 0;
}

static bool suits_transform(const struct shape *s)
{
    const uint32_t most = s->rank == 3 ? FFT_TRANSFORM_MAX_POINTS_3D : FFT_TRANSFORM_MAX_POINTS;
    uint64_t points = 1;
    for (uint32_t axis = 0; axis < s->rank; axis++) {
        points *= s->n[axis];
        if (points > most || !fft_radix_is_smooth(s->n[axis]))
            return false;
    }
    return true;
}

/* Parses "64x64x64"; false: not a shape. */
static bool parse_shape(const char **at, struct shape *s)
{
    for (s->rank = 0; s->rank < FFT_TRANSFORM_MAX_RANK; ++*at) {
        const uint32_t n = command_line_count(*at, at);
        if (!n)
            return false;
        s->n[s->rank++] = n;
        if (**at != 'x')
            return true;
    }
    return false;
}

static bool parse_sizes(struct options *o)
{
    const char *at = o->list;
    for (o->count = 0; o->count < MAX_SIZES; at++) {
        struct shape *s = &o->sizes[o->count++];
        if (!parse_shape(&at, s) ||
            !(o->verb == VERB_TRANSFORM ? suits_transform : suits_spectrum)(s))
            return false;
        if (*at != ',')
            return !*at;
    }
    return false;
}

/* ---- the line --------------------------------------------------------------------------- */

#define TEXT(name, verbs, field)                                                                   \
    {                                                                                              \
        (name), (verbs), OPTION_TEXT, offsetof(struct options, field), NULL                        \
    }
#define FLAG(name, verbs, field)                                                                   \
    {                                                                                              \
        (name), (verbs), OPTION_FLAG, offsetof(struct options, field), NULL                        \
    }
#define PARSED(name, verbs, parse)                                                                 \
    {                                                                                              \
        (name), (verbs), OPTION_PARSED, 0, (parse)                                                 \
    }

static const struct option_row rows[] = {
    TEXT("engine", FOR_ANY, engine),
    TEXT("isa", FOR_ANY, isa),
    TEXT("options", FOR_ROWS | FOR_PLAN, engine_options),
    FLAG("explain", FOR_PLAN, explain),
    TEXT("n", FOR_ANY | FOR_PLAN, list),
    PARSED("threads", FOR_ANY, parse_threads),
    PARSED("vs", FOR_ROWS, parse_vs),
    FLAG("patient", FOR_ROWS, patient),
    FLAG("quick", FOR_ANY, quick),
    FLAG("json", FOR_ANY, json),
    PARSED("hop", FOR_SPECTRUM | FOR_PLAN | FOR_DAEMON, parse_hop),
    PARSED("format", FOR_SPECTRUM | FOR_PLAN | FOR_DAEMON, parse_format),
    PARSED("detectors", FOR_SPECTRUM | FOR_PLAN, parse_detectors),
    PARSED("density", FOR_SPECTRUM | FOR_PLAN | FOR_DAEMON, parse_density),
    PARSED("type", FOR_TRANSFORM, parse_type),
    PARSED("scale", FOR_TRANSFORM, parse_scale),
    FLAG("in-place", FOR_TRANSFORM, in_place),
    PARSED("place", FOR_TRANSFORM, parse_place),
    PARSED("rate", FOR_DAEMON, parse_rate),
    PARSED("seconds", FOR_DAEMON, parse_seconds),
    PARSED("measurements", FOR_DAEMON, parse_measurements),
    PARSED("channels", FOR_DAEMON, parse_channels),
    PARSED("channel-rate", FOR_DAEMON, parse_channel_rate),
    FLAG("no-viewer", FOR_DAEMON, no_viewer),
    TEXT("fftd", FOR_DAEMON, fftd),
};

/* The verb comes first because it decides which options exist. */
static int parse_verb(struct options *o, const char *word)
{
    uint32_t which;
    if (word && parse_name(word, verbs, VERBS, &which)) {
        o->verb = (enum verb)which;
        return 0;
    }
    if (word && strcmp(word, "study") == 0)
        bench_error("the studies are a program of their own: fft-study DOCUMENT");
    else
        bench_error("say what to measure: spectrum, transform, plan or daemon");
    return -EINVAL;
}

static int parse_options(struct options *o, int argc, char **argv)
{
    const struct command_line line = {rows, sizeof rows / sizeof rows[0], 1U << o->verb,
                                      verbs[o->verb]};
    const int err = command_line_parse(&line, o, 2, argc, argv);
    if (err != 0 || optind >= argc)
        return err;
    o->rest = argv + optind;
    if (o->verb == VERB_DAEMON)
        return 0;
    bench_error("\"%s\" is not understood", argv[optind]);
    return -EINVAL;
}

int options_parse(struct options *o, int argc, char **argv)
{
    static char *none[] = {NULL};
    *o = (struct options){.engine = "auto",
                          .fftd = "",
                          .rate_hz = 61.44e6,
                          .seconds = 10,
                          .measurements = 10,
                          .channel_rate_hz = 25e3,
                          .rest = none,
                          .threads = 1,
                          .format = FFT_IQ_CS16,
                          .detectors = FFT_DETECTOR_MEAN};
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return 1;
    int err = parse_verb(o, argc > 1 ? argv[1] : NULL);
    o->list = o->verb == VERB_DAEMON ? "1K" : "256,1K,4K,16K,64K,256K,1M,4M";
    if (o->verb == VERB_DAEMON)
        o->threads = 0;
    if (err == 0)
        err = parse_options(o, argc, argv);
    if (err == 0)
        err = versus_check(o);
    if (err != 0)
        return err;
    return parse_sizes(o) ? 0 : command_line_refuse("n", o->list);
}
