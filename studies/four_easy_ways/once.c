/* once.c - one transform by one library, from planning to the checked result, as a program. */
#include "studies/four_easy_ways/once.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "studies/four_easy_ways/four_easy_ways.h"
#include "studies/four_easy_ways/libraries.h"
#include "studies/four_easy_ways/work.h"

struct once {
    const struct study_options *options;
    uint32_t n;
    struct fft_iq *in, *out;
};

static int by_general(const struct once *o)
{
    const uint32_t base = o->options->radix.count ? o->options->radix.at[0] : 2;
    struct radices radices;
    struct general g;
    fft_radix_factor(&radices, o->n, (const uint32_t[]){base, 0}); /* checked: n is a power */
    const int err = fft_general_init(&g, &radices);
    if (err == 0)
        fft_general_fft(&g, o->in, 1, o->out, false);
    fft_general_finish(&g);
    return err;
}

static int by_engine(const struct once *o)
{
    const struct fft_engine_config config = {o->options->engine, 1, o->options->isa,
                                             o->options->engine_options};
    const struct fft_transform_config plan = {.rank = 1, .n = {o->n}, .batch = 1};
    struct fft_engine *engine = NULL;
    struct fft_transform *t = NULL;
    char why[400];
    int err = fft_engine_open(&engine, &config, why, sizeof why);
    if (err == 0)
        err = fft_transform_create(&t, engine, &plan, why, sizeof why);
    if (err == 0)
        err = fft_transform_execute(t, o->in, o->out);
    fft_transform_destroy(t);
    fft_engine_close(engine);
    return err;
}

static int by_fftw(const struct once *o, unsigned effort)
{
    const int n = (int)o->n;
    struct fftw *f;
    char why[400];
    const int err = fftw_open(&f, false, why, sizeof why);
    if (err < 0)
        return err;
    const fftw_plan plan =
        f->api.plan_c2c(1, &n, 1, o->in, NULL, 1, n, o->out, NULL, 1, n, FFTW_FORWARD, effort);
    if (plan) {
        noise_fill(o->in, o->n); /* planning overwrites the input */
        f->api.run_c2c(plan, o->in, o->out);
        f->api.destroy(plan);
    }
    fftw_close(f);
    return plan ? 0 : -ENOMEM;
}

static int by_fftw_estimate(const struct once *o)
{
    return by_fftw(o, FFTW_ESTIMATE);
}

static int by_fftw_measure(const struct once *o)
{
    return by_fftw(o, FFTW_MEASURE);
}

static int by_kiss(const struct once *o)
{
    struct kiss kiss;
    void *configuration = kiss_open(&kiss) ? kiss.alloc((int)o->n, 0, NULL, NULL) : NULL;
    const int err = configuration ? 0 : kiss.library ? -ENOMEM : -ENODEV;
    if (configuration)
        kiss.run(configuration, o->in, o->out);
    free(configuration);
    kiss_close(&kiss);
    return err;
}

static const struct {
    const char *name;
    int (*run)(const struct once *o); /* NULL: no transform, to measure the rest of the program */
} libraries[] = {{"radix", by_general},
                 {"engine", by_engine},
                 {"fftw-estimate", by_fftw_estimate},
                 {"fftw-measure", by_fftw_measure},
                 {"kiss", by_kiss},
                 {"nothing", NULL}};
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

/* LIBRARIES: there is none of this name. */
static uint32_t find(const char *name)
{
    uint32_t i = 0;
    while (i < LIBRARIES && strcmp(libraries[i].name, name) != 0)
        i++;
    return i;
}

int study_check_once(const struct study_options *o)
{
    const uint32_t base = o->radix.count ? o->radix.at[0] : 2;
    if (find(o->once) == LIBRARIES)
        return command_line_refuse("once", o->once);
    if (o->n.count != 1 || o->radix.count > 1)
        bench_error("--once needs one --n, and takes one --radix");
    else if (strcmp(o->once, "radix") == 0 && !study_is_power(o->n.at[0], base))
        bench_error("--n: %u is no power of %u", o->n.at[0], base);
    else
        return 0;
    return -EINVAL;
}

static int transform(const struct once *o)
{
    int (*const run)(const struct once *) = libraries[find(o->options->once)].run;
    if (!o->in || !o->out)
        return -ENOMEM;
    noise_fill(o->in, o->n);
    return run ? run(o) : 0;
}

int study_once(struct study *s)
{
    const uint32_t n = s->options.n.at[0];
    const size_t bytes = ((size_t)n * sizeof(struct fft_iq) + 63) / 64 * 64;
    struct once o = {&s->options, n, aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    const int err = transform(&o);
    int status = err < 0 ? ONCE_FAILED : ONCE_DONE;

    if (err < 0)
        bench_fail(s->options.once, strerror(-err));
    else if (libraries[find(s->options.once)].run && !work_is_right(o.in, o.out, n)) {
        bench_fail(s->options.once, "the transform is wrong");
        status = ONCE_WRONG;
    }
    free(o.in);
    free(o.out);
    return status;
}

/* ---- as a process ------------------------------------------------------------------------- */

/* The engine that the search for --engine auto found, so that the program does not search again. */
static const char *engine_of(const struct study *s)
{
    const bool search = strcmp(s->options.engine, "auto") == 0;
    return search && s->engine ? fft_engine_name(s->engine) : s->options.engine;
}

static void become(const struct study *s, const char *library, uint32_t n, size_t data_bytes)
{
    const struct study_options *o = &s->options;
    const struct rlimit limit = {data_bytes, data_bytes};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    char size[12];
    const char *words[16] = {"fft-study", s->document->name, "--once", library,
                             "--engine",  engine_of(s),      "--n",    size};
    uint32_t count = 8;
    snprintf(size, sizeof size, "%u", n);
    if (o->isa) {
        words[count++] = "--isa";
        words[count++] = o->isa;
    }
    if (o->engine_options) {
        words[count++] = "--options";
        words[count++] = o->engine_options;
    }
    if (data_bytes) {
        setrlimit(RLIMIT_DATA, &limit);
        dup2(nowhere, STDERR_FILENO); /* the table says that it failed */
    }
    execv("/proc/self/exe", (char *const *)words);
    _exit(ONCE_FAILED);
}

int once_run(const struct study *s, const char *library, uint32_t n, size_t data_bytes,
             double *seconds)
{
    int status;
    const double start = contest_clock(true);
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        return -errno;
    if (child == 0)
        become(s, library, n, data_bytes);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    *seconds = contest_clock(true) - start;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ONCE_FAILED;
}
