/* opencl_settings.h - parses the options of the opencl engine: "plan=local
 * radix=8,profile=mali-g52,measure". */
#ifndef FFTD_FFT_OPENCL_OPENCL_SETTINGS_H
#define FFTD_FFT_OPENCL_OPENCL_SETTINGS_H

#include <limits.h>

#include "fft/engine.h"
#include "fft/opencl/opencl_plan.h"

struct opencl_settings {
    struct opencl_choice choice; /* plan=: forced; 0: the planner decides */
    bool half;        /* storage=half: spectra keep points between passes as 16-bit floats */
    char profile[64]; /* profile=: plans for this simulated device; "": for the device itself */
    char cache[PATH_MAX - 64]; /* cache=: a folder, or "off"; "": the user's cache */
    bool measure;              /* measure: choose plans by timing them */
};

/* text: KEY=VALUE, separated by commas, or NULL. Returns -EINVAL with the reason. */
int opencl_settings_parse(struct opencl_settings *s, const char *text, struct fft_reason why);

#endif
