/* verify_list.c - the checks of --verify in their order, and what they print. */
#include <string.h>

#include "daemon/verify/verify.h"

const struct verify_check verify_list[] = {
    {"levels: 9 windows, 5 offsets, 4 formats", verify_level},
    {"bursts: n = 256, 75 % overlap", verify_burst},
    {"density: a tone in 25 % of the frames", verify_density},
    {"correction: -20 dBFS, 1 dB, 5 degrees", verify_correction},
    {"speed: n = 1024, 75 %, all detectors", verify_speed},
};
const size_t verify_count = sizeof verify_list / sizeof verify_list[0];

bool verify_engine(struct fft_engine *e, double rate_hz, FILE *out)
{
    bool all = true;
    for (size_t i = 0; i < verify_count; i++) {
        struct verify_result result = {0};
        const int err = verify_list[i].run(e, rate_hz, &result);
        if (err < 0) {
            result.passed = false;
            snprintf(result.figure, sizeof result.figure, "the engine failed: %s", strerror(-err));
        }
        fprintf(out, "%s  %-40s %s\n", result.passed ? "pass" : "FAIL", verify_list[i].name,
                result.figure);
        fflush(out);
        all = all && result.passed;
    }
    return all;
}
