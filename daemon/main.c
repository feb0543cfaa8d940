/*
 * main.c - reads the configuration, then prints what was asked for or runs the daemon.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/app.h"
#include "daemon/base/log.h"
#include "daemon/calibrate.h"
#include "daemon/check.h"
#include "daemon/config/config.h"
#include "daemon/measure/setup.h"
#include "daemon/verify.h"
#include "fft/fft.h"

static void print_engine(void *user, const char *name, int err, const char *text)
{
    (void)user;
    if (err == 0)
        printf("%-8s ok: %s\n", name, text);
    else
        printf("%-8s not here: %s\n", name, *text ? text : strerror(-err));
}

static int list_devices(void)
{
    int found = 0;
    for (size_t i = 0; sources[i]; i++) {
        const int count = sources[i]->list ? sources[i]->list(stdout) : 0;
        found += count > 0 ? count : 0;
    }
    if (found == 0)
        printf("no radio found; --source sim works without one\n");
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run(struct config *config)
{
    if (config_action(config, stdout))
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    if (config->list_measurements) {
        measure_print_types(stdout);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (config->verify)
        return verify(config);
    if (config->check_config)
        return check_config(config);
    if (config->list_devices)
        return list_devices();
    if (config->list_engines) {
        fft_engine_each(print_engine, NULL);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (isfinite(config->calibration.level_dbm))
        return calibrate(config);
    return app_run(config);
}

int main(int argc, char **argv)
{
    struct config config;
    char error[512] = "";
    log_init();
    if (config_load(&config, argc, argv, error, sizeof error) < 0 ||
        measure_check_config(&config, error, sizeof error) < 0) {
        log_error("%s", error);
        config_finish(&config);
        return EXIT_FAILURE;
    }
    const int status = run(&config);
    log_finish();
    config_finish(&config);
    return status;
}
