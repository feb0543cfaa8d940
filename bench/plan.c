/* plan.c - prints the plans of the opencl engine for a named device profile. */
#include "bench/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "fft/opencl/opencl_settings.h"

enum { FRAMES = 16, DEPTH = 2 };

static int bad_profile(const char *name)
{
    fprintf(stderr, "fft-bench: plan needs --options profile=NAME%s%s; there are",
            name[0] ? ", and not " : "", name);
    for (uint32_t i = 0; opencl_profile_name(i); i++)
        fprintf(stderr, "%s %s", i ? "," : "", opencl_profile_name(i));
    fputc('\n', stderr);
    return -EINVAL;
}

static int print_one(const struct options *o, const struct opencl_profile *profile,
                     const struct opencl_choice *choice, uint32_t n)
{
    const struct fft_spectrum_config job = {
        .n = n,
        .hop = o->hop && o->hop < n ? o->hop : n / 2,
        .max_frames = FRAMES,
        .depth = DEPTH,
        .format = o->format,
        .detectors = o->detectors,
        .density = {.columns = o->columns, .levels = o->levels, .step_db = 1},
    };
    struct opencl_spectrum plan;
    char text[128];
    if (opencl_spectrum_plan(&plan, profile, &job, choice) < 0) {
        snprintf(text, sizeof text, "n = %u cannot be done so on %s", n, profile->name);
        return bench_fail("plan", text);
    }
    if (o->explain) {
        opencl_spectrum_explain(&plan, stdout);
        return 0;
    }
    opencl_choice_print(&plan.choice, text, sizeof text);
    printf("%s: %u points: %s\n", profile->name, n, text);
    return 0;
}

int plan_print(const struct options *o)
{
    struct opencl_settings settings;
    struct opencl_profile profile;
    char why[160];
    int err =
        opencl_settings_parse(&settings, o->engine_options, (struct fft_reason){why, sizeof why});
    if (err < 0) {
        bench_fail("plan", why);
        return err;
    }
    if (!opencl_profile_find(settings.profile, &profile))
        return bad_profile(settings.profile);
    for (uint32_t i = 0; err == 0 && i < o->count; i++)
        err = print_one(o, &profile, &settings.choice, o->sizes[i].n[0]);
    return err;
}
