/* run_tables.c - reads the tables of a run. */
#include "daemon/run/run_tables.h"

#include <errno.h>
#include <stdio.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/calibration/spurs.h"
#include "daemon/config/config.h"
#include "daemon/format/band_plan_file.h"

int run_tables_create(struct run_tables *t)
{
    const int err = active_calibration_create(&t->calibration);
    return err < 0 ? err : spurs_create(&t->spurs);
}

/* Keeps the old plan if the new one has a mistake. */
static int load_band_plan(struct run_tables *t, const struct config *config, struct reason *why)
{
    struct band_plan fresh;
    const int err = band_plan_files_read(&fresh, config->server.band_plan, why);
    if (err < 0)
        return err;
    if (fresh.left_out[0])
        log_warn("band-plan: %s", fresh.left_out);
    band_plan_finish(&t->band_plan);
    t->band_plan = fresh;
    return 0;
}

/* Without a file in the configuration, learnt spurs are kept in the state directory. */
static void find_spurs_file(struct run_tables *t, const struct config *config)
{
    const char *folder = config_state_dir(config);
    t->spurs_file = config->calibration.spurs_file;
    t->spurs_own = !t->spurs_file;
    if (!t->spurs_own || !folder)
        return;
    snprintf(t->own_file, sizeof t->own_file, "%s/spurs.txt", folder);
    t->spurs_file = t->own_file;
}

/*
 * The file of the configuration must be there and right. The learnt one is fftd's own: damage to it
 * is no reason not to start. It stays as it is, and nothing is added to it.
 */
static int load_spurs(struct run_tables *t, struct reason *why)
{
    struct reason inner = {0};
    if (!t->spurs_own || !t->spurs_file)
        return spurs_load(t->spurs, t->spurs_file, t->spurs_own, why);
    const int err = spurs_load(t->spurs, t->spurs_file, true, &inner);
    if (err < 0 && err != -ENOENT && err != -ENOTDIR)
        log_warn("learnt spurs are left out: %s", inner.sentence);
    return err < 0 ? spurs_load(t->spurs, NULL, true, why) : 0;
}

int run_tables_load(struct run_tables *t, const struct config *config, struct reason *why)
{
    const struct calibration_options *o = &config->calibration;
    int err = active_calibration_load(t->calibration, o->file, (enum level_unit)o->unit_index, why);
    find_spurs_file(t, config);
    if (err == 0)
        err = load_band_plan(t, config, why);
    return err < 0 ? err : load_spurs(t, why);
}

void run_tables_finish(struct run_tables *t)
{
    active_calibration_destroy(t->calibration);
    spurs_destroy(t->spurs);
    band_plan_finish(&t->band_plan);
}
