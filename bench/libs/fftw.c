/* fftw.c - loads FFTW's functions and keeps its wisdom in a file. */
#include "bench/libs/fftw.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/message.h"

static bool find(struct fftw *f, const char *name, void *pointer_to_function)
{
    void *symbol = dlsym(f->library, name);
    memcpy(pointer_to_function, &symbol, sizeof symbol);
    return symbol;
}

static bool find_all(struct fftw *f)
{
    return find(f, "fftwf_plan_many_dft", &f->api.plan_c2c) &&
           find(f, "fftwf_plan_many_dft_r2c", &f->api.plan_r2c) &&
           find(f, "fftwf_plan_many_dft_c2r", &f->api.plan_c2r) &&
           find(f, "fftwf_execute_dft", &f->api.run_c2c) &&
           find(f, "fftwf_execute_dft_r2c", &f->api.run_r2c) &&
           find(f, "fftwf_execute_dft_c2r", &f->api.run_c2r) &&
           find(f, "fftwf_destroy_plan", &f->api.destroy) &&
           find(f, "fftwf_cleanup", &f->api.cleanup) &&
           find(f, "fftwf_forget_wisdom", &f->api.forget) &&
           find(f, "fftwf_import_wisdom_from_filename", &f->api.load_wisdom) &&
           find(f, "fftwf_export_wisdom_to_filename", &f->api.save_wisdom) &&
           find(f, "fftwf_version", &f->api.version);
}

/* FFTW would use PATIENT wisdom for MEASURE requests too, so only PATIENT wisdom is saved. */
static void name_wisdom(struct fftw *f)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[200];
    if (cache && *cache)
        snprintf(folder, sizeof folder, "%s", cache);
    else
        snprintf(folder, sizeof folder, "%s/.cache", home ? home : ".");
    mkdir(folder, 0700); /* usually exists */
    snprintf(f->wisdom, sizeof f->wisdom, "%s/fft-bench.%.60s.patient", folder, f->api.version);
}

int fftw_open(struct fftw **out, bool patient, char *why, size_t size)
{
    const char *file = getenv("FFT_BENCH_FFTW");
    struct fftw *f = *out = calloc(1, sizeof *f);
    if (!f)
        return -ENOMEM;
    f->effort = patient ? FFTW_PATIENT : FFTW_MEASURE;
    f->library = dlopen(file && *file ? file : "libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!f->library || !find_all(f)) {
        const char *reason = dlerror();
        snprintf(why, size, "no FFTW: %s", reason ? reason : "a function is missing");
        fftw_close(f);
        *out = NULL;
        return -ENODEV;
    }
    snprintf(f->name, sizeof f->name, "%.60s %s", f->api.version, patient ? "PATIENT" : "MEASURE");
    name_wisdom(f);
    if (patient)
        f->api.load_wisdom(f->wisdom);
    return 0;
}

void fftw_close(struct fftw *f)
{
    if (!f)
        return;
    if (f->api.cleanup)
        f->api.cleanup(); /* frees the planner's memory */
    if (f->library)
        dlclose(f->library);
    free(f);
}

void fftw_keep(struct fftw *f)
{
    if (f->effort == FFTW_PATIENT && !f->api.save_wisdom(f->wisdom))
        bench_error("cannot write %s: its plans will be made again", f->wisdom);
}
