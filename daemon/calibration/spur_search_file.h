/*
 * spur_search_file.h - adds the lines that were learnt to the file of a spur list. Any thread;
 * blocks.
 */
#ifndef FFTD_DAEMON_CALIBRATION_SPUR_SEARCH_FILE_H
#define FFTD_DAEMON_CALIBRATION_SPUR_SEARCH_FILE_H

#include "daemon/base/text.h"
#include "daemon/calibration/spur_search.h"

struct reason;

struct spur_search_file {
    const char *path;
    bool own; /* in the state directory: see spur_file.h */
    double threshold_db;
    const char *radio; /* its serial number or description; "": unknown */
};

/*
 * Adds a block with the lines that the file has not, or creates it. rows (zeroed): the rows alone,
 * the caller's to finish in any case. *added: how many. -ERANGE: too few spectra; -EINVAL: the
 * sample rate is not known; or an error of the file; each with one line in *why. -ENOMEM.
 */
int spur_search_file_add(const struct spur_search *l, const struct spur_search_file *file,
                         struct text *rows, size_t *added, struct reason *why);

#endif
