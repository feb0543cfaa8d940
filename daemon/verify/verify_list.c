/* verify_list.c - the checks of fftd verify in their order, and what they print. */
#include <string.h>

#include "daemon/verify/verify.h"

static const struct {
    const char *name;
    verify_run *run;
} checks[] = {
    {"levels: 9 windows, 5 offsets, 4 formats", verify_level},
    {"bursts: n = 256, 75 % overlap", verify_burst},
    {"density: a tone in 25 % of the frames", verify_density},
    {"correction: -20 dBFS, 1 dB, 5 degrees", verify_correction},
    {"speed: n = 1024, 75 %, all detectors", verify_speed},
};

bool verify_engine(struct fft_engine *e, double rate_hz, FILE *out)
{
    bool all = true;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        struct verify_result result = {0};
        const int err = checks[i].run(e, rate_hz, &result);
        if (err < 0) {
            result.passed = false;
            snprintf(result.figure, sizeof result.figure, "the engine failed: %s", strerror(-err));
        }
        fprintf(out, "%s  %-40s %s\n", result.passed ? "pass" : "FAIL", checks[i].name,
                result.figure);
        fflush(out);
        all = all && result.passed;
    }
    return all;
}
