/*
 * main.c - reads the configuration, then prints what was asked for or runs the daemon.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/app.h"
#include "daemon/archive/read/survey_command.h"
#include "daemon/audio/audio_request.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/named/channel_setup.h"
#include "daemon/check_config.h"
#include "daemon/config/config.h"
#include "daemon/hub/serve/hub_run.h"
#include "daemon/measure/measure_setup.h"
#include "daemon/nats/link_process.h"
#include "daemon/record/cut_file.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_repair.h"
#include "daemon/run/calibrate_run.h"
#include "daemon/run/learn_run.h"
#include "daemon/run/verify_run.h"
#include "daemon/system/standard_files.h"
#include "daemon/tls/tls_make.h"
#include "daemon/trigger/trigger_setup.h"
#include "fft/fft.h"

static void print_engine(void *user, const char *name, int err, const char *text)
{
    (void)user;
    if (err == 0)
        printf("%-8s ok: %s\n", name, text);
    else
        printf("%-8s not here: %s\n", name, *text ? text : strerror(-err));
}

/* A write that failed before leaves nothing for fflush to report. */
static int finish_stdout(void)
{
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int list_measurements(const struct config *c)
{
    (void)c;
    measure_print_types(stdout);
    return finish_stdout();
}

static int list_triggers(const struct config *c)
{
    (void)c;
    trigger_print_types(stdout);
    return finish_stdout();
}

static int list_engines(const struct config *c)
{
    (void)c;
    fft_engine_each(print_engine, NULL);
    return finish_stdout();
}

static int list_devices(const struct config *c)
{
    int found = 0;
    (void)c;
    for (size_t i = 0; sources[i]; i++) {
        const int count = sources[i]->list ? sources[i]->list(stdout) : 0;
        found += count > 0 ? count : 0;
    }
    if (found == 0)
        printf("no radio found; --source sim works without one\n");
    return finish_stdout();
}

static int repair(const struct config *c)
{
    struct reason why = {0};
    const int repaired = record_repair(c->repair, UINT64_MAX, &why);
    if (repaired < 0) {
        log_error("%s", why.sentence);
        return EXIT_FAILURE;
    }
    printf("%d recording%s repaired\n", repaired, repaired == 1 ? "" : "s");
    return finish_stdout();
}

static int cut(const struct config *c)
{
    struct reason why = {0};
    struct box_text box;
    struct cut_file_result done = {0};
    signal(SIGXFSZ, SIG_IGN); /* write fails with EFBIG instead */
    int err = box_text_parse(c->cut, &box);
    if (err == 0)
        err = record_prepare_folder(c->record.folder, &why);
    if (err == 0)
        err = cut_file(&c->source, &c->record, &box, &done, &why);
    if (err < 0) {
        log_error("%s", why.sentence);
        return EXIT_FAILURE;
    }
    printf("%s/%s" RECORD_META ": %llu samples at %.10g S/s\n", c->record.folder, done.name,
           (unsigned long long)done.samples, done.rate_hz);
    if (done.missing > 0)
        log_warn("cut: %llu samples of the box were received elsewhere",
                 (unsigned long long)done.missing);
    return finish_stdout();
}

static int make_certificate(const struct config *c)
{
    struct reason why = {0};
    struct tls_made made;
    if (tls_make(c->make_certificate, &made, &why) < 0) {
        log_error("%s", why.sentence);
        return EXIT_FAILURE;
    }
    printf(
        "Made for %s, for %d days.\n"
        "Browsers warn of it once: compare the SHA-256 fingerprint, then accept it.\n\n    %s\n\n"
        "    fftd --listen 'tls:[::]:8443' --tls-certificate %s --tls-key %s\n",
        made.names, TLS_MADE_DAYS, made.fingerprint, made.certificate, made.key);
    return finish_stdout();
}

static int survey(const struct config *c)
{
    struct reason why = {0};
    if (survey_command(c->survey, stdout, &why) < 0) {
        log_error("%s", why.sentence);
        return EXIT_FAILURE;
    }
    return finish_stdout();
}

/* What is done in place of the daemon: the first whose option is given. */
static const struct {
    const char *option;
    int (*run)(const struct config *c);
} actions[] = {
    {"list-measurements", list_measurements},
    {"list-triggers", list_triggers},
    {"check-config", check_config},
    {"list-devices", list_devices},
    {"list-engines", list_engines},
    {"repair", repair},
    {"cut", cut},
    {"make-certificate", make_certificate},
    {"survey", survey},
    {"verify", verify},
    {"calibrate-level", calibrate},
    {"calibrate-ppm", calibrate},
    {"learn-spurs", learn_spurs},
    {"hub", hub_run},
};

static int run(struct config *config)
{
    if (config_action(config, stdout))
        return finish_stdout();
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (config_given(config, actions[i].option))
            return actions[i].run(config);
    return app_run(config);
}

int main(int argc, char **argv)
{
    struct config config;
    struct reason why = {0};
    standard_files_reserve();
    log_init();
    if (link_process_is_asked(argc, argv))
        return link_process_run(argc, argv);
    if (config_load(&config, argc, argv, &why) < 0 || measure_check_config(&config, &why) < 0 ||
        trigger_check_config(&config, &why) < 0 ||
        channel_setup_check_all(config.channel_texts, config.channel_count, config.file,
                                audio_request_check_named, &why) < 0) {
        log_error("%s", why.sentence);
        config_finish(&config);
        return EXIT_FAILURE;
    }
    config_warn(&config);
    const int status = run(&config);
    log_finish();
    config_finish(&config);
    return status;
}
