/* spur_file.h - reads the file of a spur list, and adds to it. Any thread; both block. */
#ifndef FFTD_DAEMON_CALIBRATION_SPUR_FILE_H
#define FFTD_DAEMON_CALIBRATION_SPUR_FILE_H

#include <stdbool.h>

#include "daemon/format/spur_list.h"

struct reason;

/* own: the file is in fftd's own folder; otherwise the user named it. See text_file.h. */

/*
 * 0, or -errno with one line in *why that begins with the path and, where there is one, the line's
 * number. -ENOENT: there is no file.
 */
int spur_file_read(struct spur_list *out, const char *path, bool own, struct reason *why);
/*
 * Adds lines of text at the end of the file, or creates it. They must be lines of a list, and so
 * must the result. Another process sees the old file or the new one, whole. Errors are as above.
 */
int spur_file_add(const char *path, bool own, const struct text *lines, struct reason *why);

#endif
