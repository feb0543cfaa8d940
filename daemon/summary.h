/*
 * summary.h - what a run amounted to: one line for people, one JSON object for --stats.
 */
#ifndef FFTD_DAEMON_SUMMARY_H
#define FFTD_DAEMON_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

#include "daemon/status.h"

void summary_log(const struct status *s);

/*
 * Opens a path, or "-", before anything starts; NULL and one line in error that names it. What an old
 * file holds is kept until summary_begin. Standard output is never emptied: its file is the shell's.
 */
FILE *summary_open(const char *path, char *error, size_t error_size);
int summary_begin(FILE *file); /* -errno */
/* One object; closes the file. -errno. */
int summary_write(const struct status *s, FILE *file);

#endif
