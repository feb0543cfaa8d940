/*
 * run_tables.h - the tables of a run that come from files: calibration, spurs and band plan. The
 * loop thread reads them at the start and at each reload; other threads use them under their own
 * locks, and the band plan not at all.
 */
#ifndef FFTD_DAEMON_RUN_RUN_TABLES_H
#define FFTD_DAEMON_RUN_RUN_TABLES_H

#include <limits.h>
#include <stdbool.h>

#include "daemon/format/band_plan.h"

struct active_calibration;
struct config;
struct reason;
struct spurs;

/* Zeroed at first. */
struct run_tables {
    struct active_calibration *calibration;
    struct spurs *spurs;
    struct band_plan band_plan;
    const char *spurs_file; /* of the configuration, or in the state directory; NULL: neither */
    bool spurs_own;         /* not of the configuration: fftd writes what it learns */
    char own_file[PATH_MAX];
};

int run_tables_create(
    struct run_tables *t); /* empty tables; finish follows in either case. -ENOMEM */
/*
 * Reads the files of the configuration, which may have other contents at a reload. -errno with one
 * line in *why: a file is missing or has a mistake; the band plan is then the old one.
 */
int run_tables_load(struct run_tables *t, const struct config *config, struct reason *why);
void run_tables_finish(struct run_tables *t);

#endif
