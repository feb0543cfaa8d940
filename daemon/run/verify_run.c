/* verify_run.c - checks the engine, then a second of the simulation through the whole analyser. */
#include "daemon/run/verify_run.h"
#include "daemon/base/reason.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/run/line_run.h"
#include "daemon/verify/verify.h"

static const double usual_rate_hz = 2.4e6;

static double rate_of(const struct config *config)
{
    const double rate_hz = config->settings.tuning.rate_hz;
    return rate_hz > 0 ? rate_hz : usual_rate_hz;
}

/* A second, but at most 20 million samples, and enough of them for many frames. */
static double seconds_of(double rate_hz)
{
    const double most = 20e6, least = 262144;
    return fmin(fmax(rate_hz, least), most) / rate_hz;
}

/* ---- the ledger ------------------------------------------------------------------------- */

/* Up to a second of the simulation, as fast as it goes, with the engine of `config`. */
static int load_simulation(struct config *out, const struct config *config, struct reason *why)
{
    char rate[32], threads[16], seconds[32];
    snprintf(rate, sizeof rate, "%.17g", rate_of(config));
    snprintf(threads, sizeof threads, "%u", config->engine.threads);
    snprintf(seconds, sizeof seconds, "%.17g", seconds_of(rate_of(config)));
    const char *const args[] = {
        "fftd",       "--source", "sim",      "--full-speed",
        "--duration", seconds,    "--listen", "none",
        "--rate",     rate,       "--engine", config->engine.name,
        "--threads",  threads,    "--isa",    config->engine.isa ? config->engine.isa : "auto"};
    return config_load(out, sizeof args / sizeof args[0], (char **)args, why);
}

/* Samples were analysed, and every one but the rest after the last whole frame. */
static bool is_whole(const struct ledger *l, double samples, uint32_t n)
{
    bool whole = l->seen > 0 && fabs((double)l->produced - samples) < 1 && l->lost[LOSS_TAIL] < n &&
                 l->produced == l->seen + l->lost[LOSS_TAIL];
    for (int cause = 0; cause < LOSS_TAIL; cause++)
        whole = whole && l->lost[cause] == 0;
    return whole;
}

static bool check_ledger(const struct config *config)
{
    struct config simulation;
    struct line_run run = {0};
    struct reason why = {0};
    int err = load_simulation(&simulation, config, &why);
    if (err == 0)
        err = line_run(&run, &simulation, NULL, NULL, &why);
    const struct ledger *l = &run.status.dsp.ledger;
    const bool passed =
        err == 0 && is_whole(l, rate_of(config) * seconds_of(rate_of(config)), run.status.dsp.n);
    printf("%s  %-40s ", passed ? "pass" : "FAIL", "ledger: the simulation");
    if (err < 0)
        printf("%s\n", why.sentence[0] ? why.sentence : strerror(-err));
    else
        printf("%llu samples: %llu seen, %llu after the last frame, %llu lost\n",
               (unsigned long long)l->produced, (unsigned long long)l->seen,
               (unsigned long long)l->lost[LOSS_TAIL],
               (unsigned long long)(l->produced - l->seen - l->lost[LOSS_TAIL]));
    if (run.rest != ACQUISITION_ENDED)
        printf("FAIL\n"); /* line_run_finish ends the process */
    line_run_finish(&run, EXIT_FAILURE);
    config_finish(&simulation);
    return passed;
}

/* ---- the report ------------------------------------------------------------------------- */

int verify(const struct config *config)
{
    const struct fft_engine_config choice = config_engine(config);
    struct fft_engine *engine = NULL;
    char why[512] = "";
    const int err = fft_engine_open(&engine, &choice, why, sizeof why);
    if (err < 0) {
        log_error("engine %s: %s", config->engine.name, why[0] ? why : strerror(-err));
        return EXIT_FAILURE;
    }
    printf("fftd %s, %s\n", FFTD_VERSION, fft_engine_describe(engine));
    bool passed = verify_engine(engine, rate_of(config), stdout);
    fft_engine_close(engine);
    passed = check_ledger(config) && passed;
    printf("%s\n", passed ? "PASS" : "FAIL");
    return fflush(stdout) == 0 && passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
