/* mask_file.h - reads the file of a mask. Any thread; blocks. */
#ifndef FFTD_DAEMON_FORMAT_MASK_FILE_H
#define FFTD_DAEMON_FORMAT_MASK_FILE_H

#include "daemon/format/mask_text.h"

struct reason;

/*
 * 0, or -errno with one line in *why that begins with the path and, where there is one, the line's
 * number.
 */
int mask_file_read(struct mask_text *out, const char *path, struct reason *why);

#endif
