/* versus.c - the libraries that --vs names, and which measurements each can be compared with. */
#include "bench/versus.h"

#include <errno.h>
#include <string.h>

#include "bench/message.h"
#include "bench/options.h"

static const struct rule {
    const char *name;
    unsigned verbs;     /* 0: any */
    const char *engine; /* the only engine to compare with; NULL: any */
    bool means;         /* spectra: a mean only */
    const char *what;
} rules[] = {
    [VERSUS_FFTW] = {"fftw", 0, NULL, true, "means only, without --detectors and --density"},
    [VERSUS_CUFFT] = {"cufft", 1U << VERB_TRANSFORM, "cuda", false,
                      "transforms of --engine cuda only"},
    [VERSUS_CLFFT] = {"clfft", 1U << VERB_SPECTRUM, "opencl", true,
                      "mean spectra of --engine opencl only"},
    [VERSUS_VKFFT] = {"vkfft", 1U << VERB_SPECTRUM, "opencl", true,
                      "mean spectra of --engine opencl only"},
};
enum { RULES = sizeof rules / sizeof rules[0] };

bool versus_parse(enum versus *out, const char *name)
{
    for (int i = VERSUS_NONE + 1; i < RULES; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            *out = (enum versus)i;
            return true;
        }
    }
    return false;
}

/* Compares without the device: "opencl:1/0" is opencl. */
static bool is_engine(const char *what, const char *name)
{
    const size_t length = strcspn(what, ":");
    return strlen(name) == length && strncmp(what, name, length) == 0;
}

int versus_check(const struct options *o)
{
    const struct rule *r = &rules[o->versus];
    if (o->versus != VERSUS_NONE && o->scale != FFT_TRANSFORM_UNSCALED) {
        bench_error("--vs %s compares unscaled transforms, without --scale", r->name);
        return -EINVAL;
    }
    if (o->versus == VERSUS_NONE ||
        ((!r->verbs || r->verbs & 1U << o->verb) &&
         (!r->engine || is_engine(o->engine, r->engine)) &&
         (!r->means || (!o->columns && o->detectors == FFT_DETECTOR_MEAN))))
        return 0;
    bench_error("--vs %s compares %s", r->name, r->what);
    return -EINVAL;
}
