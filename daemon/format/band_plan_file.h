/* band_plan_file.h - reads the files of band plans and bookmarks. Any thread; blocks. */
#ifndef FFTD_DAEMON_FORMAT_BAND_PLAN_FILE_H
#define FFTD_DAEMON_FORMAT_BAND_PLAN_FILE_H

#include "daemon/format/band_plan.h"

struct reason;

/*
 * paths: file names, separated by commas; NULL: none. 0, or -errno with one line in *why that
 * begins with the path. *out is overwritten; zeroed after a failure.
 */
int band_plan_files_read(struct band_plan *out, const char *paths, struct reason *why);

#endif
