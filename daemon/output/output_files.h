/* output_files.h - the files that the options of a run name, with their forms. */
#ifndef FFTD_DAEMON_OUTPUT_OUTPUT_FILES_H
#define FFTD_DAEMON_OUTPUT_OUTPUT_FILES_H

#include "daemon/config/config.h"
#include "daemon/files/out_file.h"

struct reason;

enum output_file {
    OUTPUT_CSV,
    OUTPUT_JSON,
    OUTPUT_MEASURE_JSON,
    OUTPUT_EVENTS,
    OUTPUT_STATS,
    OUTPUT_CHANNEL,
    OUTPUT_FILES
};

/* .path NULL: the run has no such output. */
struct out_file_config output_file_config(const struct config *c, enum output_file which);
/*
 * Before a start, and for --check-config: refuses a file that contains something else, and with
 * overwrite what fftd keeps in its folders. One line in *why.
 */
int output_files_check(const struct config *c, struct reason *why);

#endif
