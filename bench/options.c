/* options.c - one table of options, and their values. */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/study/study.h"
#include "fft/radix.h"

enum {
    FOR_SPECTRUM = 1U << VERB_SPECTRUM,
    FOR_TRANSFORM = 1U << VERB_TRANSFORM,
    FOR_STUDY = 1U << VERB_STUDY,
    FOR_PLAN = 1U << VERB_PLAN,
    FOR_ROWS = FOR_SPECTRUM | FOR_TRANSFORM,
    FOR_ALL = FOR_ROWS | FOR_STUDY
};

static const char *const verbs[VERBS] = {"spectrum", "transform", "study", "plan"};
static const char *const types[FFT_TRANSFORM_TYPES] = {"forward", "inverse", "r2c", "c2r"};
static const char *const traces[FFT_TRACES] = {"mean", "max", "min", "sample"};
static const char *const places[] = {"auto", "cache", "memory"};

const char *options_type_name(enum fft_transform_type type)
{
    return types[type];
}

const char *options_trace_names(unsigned bits, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < FFT_TRACES && used < size; i++)
        if (bits & 1U << i)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", traces[i]);
    return text;
}

/* ---- values ----------------------------------------------------------------------------- */

/* "4096", "4K", "1M"; 0: not a number in 1 .. 2^31. */
static uint32_t parse_count(const char *text, const char **end)
{
    char *rest;
    if (*text < '0' || *text > '9')
        return 0;
    errno = 0;
    uint64_t value = strtoull(text, &rest, 10);
    if (errno || value > INT32_MAX)
        return 0;
    if (*rest == 'K' || *rest == 'M')
        value *= *rest++ == 'K' ? 1U << 10 : 1U << 20;
    *end = rest;
    return value <= INT32_MAX ? (uint32_t)value : 0;
}

static bool parse_number(const char *text, uint32_t *out)
{
    const char *end = text;
    *out = parse_count(text, &end);
    return *out && !*end;
}

/* One of `count` names; false: none of them. */
static bool parse_name(const char *text, const char *const *names, uint32_t count, uint32_t *out)
{
    for (*out = 0; *out < count; ++*out)
        if (strcmp(text, names[*out]) == 0)
            return true;
    return false;
}

static bool take_engine(struct options *o, const char *value)
{
    o->engine = value;
    return true;
}

static bool take_isa(struct options *o, const char *value)
{
    o->isa = value;
    return true;
}

static bool take_engine_options(struct options *o, const char *value)
{
    o->engine_options = value;
    return true;
}

static bool take_sizes(struct options *o, const char *value)
{
    o->list = value;
    return true;
}

static bool take_threads(struct options *o, const char *value)
{
    return parse_number(value, &o->threads);
}

static bool take_vs(struct options *o, const char *value)
{
    return versus_parse(&o->versus, value);
}

static bool take_patient(struct options *o, const char *value)
{
    (void)value;
    return o->patient = true;
}

static bool take_quick(struct options *o, const char *value)
{
    (void)value;
    return o->quick = true;
}

static bool take_json(struct options *o, const char *value)
{
    (void)value;
    return o->json = true;
}

static bool take_explain(struct options *o, const char *value)
{
    (void)value;
    return o->explain = true;
}

static bool take_hop(struct options *o, const char *value)
{
    return parse_number(value, &o->hop);
}

static bool take_format(struct options *o, const char *value)
{
    return fft_iq_parse(value, &o->format) == 0;
}

static bool take_type(struct options *o, const char *value)
{
    uint32_t which;
    const bool found = parse_name(value, types, FFT_TRANSFORM_TYPES, &which);
    o->type = (enum fft_transform_type)which;
    return found;
}

static bool take_place(struct options *o, const char *value)
{
    uint32_t which;
    const bool found = parse_name(value, places, sizeof places / sizeof places[0], &which);
    o->place = (enum place)which;
    return found;
}

static bool take_table(struct options *o, const char *value)
{
    o->table = value; /* of which document is known later */
    return true;
}

static bool take_in_place(struct options *o, const char *value)
{
    (void)value;
    return o->in_place = true;
}

static bool take_traces(struct options *o, const char *value)
{
    char name[8];
    for (o->traces = 0;; value++) {
        const size_t length = strcspn(value, ",");
        uint32_t which;
        snprintf(name, sizeof name, "%.*s", (int)length, value);
        if (!parse_name(name, traces, FFT_TRACES, &which))
            return false;
        o->traces |= 1U << which;
        value += length;
        if (!*value)
            return true;
    }
}

/* "1024x256" */
static bool take_density(struct options *o, const char *value)
{
    const char *end = value;
    o->columns = parse_count(value, &end);
    if (!o->columns || *end != 'x')
        return false;
    return parse_number(end + 1, &o->levels) && o->levels <= FFT_SPECTRUM_MAX_LEVELS;
}

/* ---- sizes ------------------------------------------------------------------------------ */

static bool suits_spectrum(const struct shape *s)
{
    return s->rank == 1 && s->n[0] >= FFT_SPECTRUM_MIN_N && s->n[0] <= FFT_SPECTRUM_MAX_N &&
           (s->n[0] & (s->n[0] - 1)) == 0;
}

static bool suits_transform(const struct shape *s)
{
    const uint32_t most = s->rank == 3 ? FFT_TRANSFORM_MAX_BOX : FFT_TRANSFORM_MAX_POINTS;
    uint64_t points = 1;
    for (uint32_t axis = 0; axis < s->rank; axis++) {
        points *= s->n[axis];
        if (points > most || !fft_radix_is_smooth(s->n[axis]))
            return false;
    }
    return true;
}

/* "64x64x64"; false: not a shape. */
static bool parse_shape(const char **at, struct shape *s)
{
    for (s->rank = 0; s->rank < FFT_TRANSFORM_MAX_RANK; ++*at) {
        const uint32_t n = parse_count(*at, at);
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

static const struct option_row {
    const char *name;
    int argument;
    unsigned verbs;
    bool (*take)(struct options *o, const char *value); /* false: not understood */
} rows[] = {
    {"engine", 1, FOR_ALL, take_engine},
    {"isa", 1, FOR_ALL, take_isa},
    {"options", 1, FOR_ALL | FOR_PLAN, take_engine_options},
    {"explain", 0, FOR_PLAN, take_explain},
    {"n", 1, FOR_ROWS | FOR_PLAN, take_sizes},
    {"threads", 1, FOR_ROWS, take_threads},
    {"vs", 1, FOR_ROWS, take_vs},
    {"patient", 0, FOR_ROWS, take_patient},
    {"quick", 0, FOR_ALL, take_quick},
    {"json", 0, FOR_ALL, take_json},
    {"hop", 1, FOR_SPECTRUM | FOR_PLAN, take_hop},
    {"format", 1, FOR_SPECTRUM | FOR_PLAN, take_format},
    {"traces", 1, FOR_SPECTRUM | FOR_PLAN, take_traces},
    {"density", 1, FOR_SPECTRUM | FOR_PLAN, take_density},
    {"type", 1, FOR_TRANSFORM, take_type},
    {"in-place", 0, FOR_TRANSFORM, take_in_place},
    {"place", 1, FOR_TRANSFORM, take_place},
    {"table", 1, FOR_STUDY, take_table},
};
enum { ROWS = sizeof rows / sizeof rows[0], HELP = ROWS };

static int bad(const char *option, const char *value)
{
    fprintf(stderr, "fft-bench: --%s: \"%s\" is not understood\n", option, value);
    return -EINVAL;
}

/* What to measure comes first: which options there are depends on it. */
static int parse_verb(struct options *o, const char *word)
{
    uint32_t which;
    if (word && parse_name(word, verbs, VERBS, &which)) {
        o->verb = (enum verb)which;
        return 0;
    }
    fputs("fft-bench: say what to measure: spectrum, transform, study DOCUMENT or plan\n", stderr);
    return -EINVAL;
}

static int take(struct options *o, const struct option_row *row, const char *value)
{
    if (!(row->verbs & 1U << o->verb)) {
        fprintf(stderr, "fft-bench: --%s is not an option of %s\n", row->name, verbs[o->verb]);
        return -EINVAL;
    }
    return row->take(o, value) ? 0 : bad(row->name, value);
}

/* What stands beside the options: which document is studied. */
static int parse_words(struct options *o, int count, char **words)
{
    const int wanted = o->verb == VERB_STUDY;
    if (count < wanted) {
        fputs("fft-bench: say what to study: four-easy-ways, gpu-fft, cuda-3d, mali or bainville\n",
              stderr);
        return -EINVAL;
    }
    for (int i = 0; i < count; i++)
        if (i >= wanted || !study_find(words[i])) {
            fprintf(stderr, "fft-bench: \"%s\" is not understood\n", words[i]);
            return -EINVAL;
        }
    o->study = wanted ? words[0] : NULL;
    return o->table && !study_has(study_find(o->study), o->table) ? bad("table", o->table) : 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
    struct option table[ROWS + 2] = {[HELP] = {"help", 0, NULL, 0}};
    int index = 0, which, err = 0;

    *o = (struct options){.engine = "auto",
                          .list = "256,1K,4K,16K,64K,256K,1M,4M",
                          .threads = 1,
                          .format = FFT_IQ_CS16,
                          .traces = FFT_TRACE_MEAN};
    for (int i = 0; i < ROWS; i++)
        table[i] = (struct option){rows[i].name, rows[i].argument, NULL, 0};
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return 1;
    err = parse_verb(o, argc > 1 ? argv[1] : NULL);
    optind = 2;
    while (err == 0 && (which = getopt_long(argc, argv, "", table, &index)) != -1) {
        if (which == 0 && index == HELP)
            return 1;
        err = which == 0 ? take(o, &rows[index], optarg) : -EINVAL;
    }
    if (err == 0)
        err = parse_words(o, argc - optind, argv + optind);
    if (err == 0)
        err = versus_check(o);
    if (err < 0 || o->verb == VERB_STUDY)
        return err;
    return parse_sizes(o) ? 0 : bad("n", o->list);
}
