/* learn_run.c - learns the spurs of a radio, and writes them into a spur list. */
#include "daemon/run/learn_run.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/calibration/spur_file.h"
#include "daemon/calibration/spur_search_file.h"
#include "daemon/format/spur_list.h"
#include "daemon/run/line_run.h"
#include "daemon/status/calibration_status.h"

struct learner {
    struct config config;
    struct line_run run;
    struct spur_search search;
};

static int add_line(void *user, const struct line *line, struct reason *why)
{
    return spur_search_add(user, line, why);
}

/* Before the run: a file that cannot be read. */
static int check_file(const char *path, struct reason *why)
{
    struct spur_list known;
    const int err = spur_file_read(&known, path, false, why);
    if (err == 0)
        spur_list_finish(&known);
    return err == -ENOENT ? 0 : err;
}

static int print_rows(const struct text *rows)
{
    return printf("%.*s", (int)rows->length, rows->length ? rows->data : "") < 0 ||
                   fflush(stdout) != 0
               ? -errno
               : 0;
}

static int learn(struct learner *l, struct reason *why)
{
    char radio[64];
    size_t added;
    struct text rows = {0};
    const struct spur_search_file file = {.path = l->config.calibration.learn.file,
                                          .threshold_db = l->config.calibration.learn.threshold_db,
                                          .radio = radio};
    int err = check_file(file.path, why);
    if (err == 0)
        err = line_run(&l->run, &l->config, add_line, &l->search, why);
    status_radio_name(&l->run.status, radio, sizeof radio);
    if (err == 0)
        err = spur_search_file_add(&l->search, &file, &rows, &added, why);
    if (err == 0)
        log_info("%zu new lines are %g dB above the noise floor", added, file.threshold_db);
    if (err == 0)
        err = print_rows(&rows);
    text_finish(&rows);
    return err;
}

int learn_spurs(const struct config *config)
{
    struct learner *l = calloc(1, sizeof *l);
    struct reason why = {0};
    int err = -ENOMEM;
    if (l) {
        l->config = *config;
        l->config.output.detector_index = 0;
        l->config.measure_detectors = l->config.measure_bin_bytes = 0;
        l->config.measure_percentiles = 0;
        l->config.trigger_detectors = 0;
        l->config.trigger_density = false;
        err = learn(l, &why);
    }
    if (err < 0)
        log_error("learn-spurs: %s", why.sentence[0] ? why.sentence : strerror(-err));
    const int status = err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    if (l) {
        line_run_finish(&l->run, status);
        spur_search_finish(&l->search);
    }
    free(l);
    return status;
}
