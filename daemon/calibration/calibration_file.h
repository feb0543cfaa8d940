/* calibration_file.h - reads and writes the file of a calibration table. Any thread; both block. */
#ifndef FFTD_DAEMON_CALIBRATION_CALIBRATION_FILE_H
#define FFTD_DAEMON_CALIBRATION_CALIBRATION_FILE_H

#include "daemon/format/calibration.h"

struct reason;

/*
 * Reads a regular file of at most CALIBRATION_BYTES_MAX. 0, or -errno with one line in *why that
 * begins with the path and, where there is one, the line's number. -ENOENT: there is no file.
 */
int calibration_file_read(struct calibration *out, const char *path, struct reason *why);
/*
 * Adds a row to the file, or sets its ppm, or creates it: see calibration_set_row. Another process
 * sees the old file or the new one, whole. Errors are as above.
 */
int calibration_file_set_row(const char *path, const struct calibration_entry *entry,
                             struct reason *why);
int calibration_file_set_ppm(const char *path, const struct calibration_entry *entry,
                             struct reason *why);

#endif
