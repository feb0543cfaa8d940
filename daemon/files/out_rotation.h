/* out_rotation.h - renames a full output, and deletes the oldest of those. See out_file.h. */
#ifndef FFTD_DAEMON_FILES_OUT_ROTATION_H
#define FFTD_DAEMON_FILES_OUT_ROTATION_H

#include "daemon/files/out_file.h"

/* When the file began, on the monotonic clock: a file that was there has an age already. */
uint64_t out_rotation_since(const struct out_file *f);
/* True if the file has rows, and must be renamed before a row of so many bytes. */
bool out_rotation_is_due(const struct out_file *f, uint64_t bytes);
/* Gives the file its next number. The path, which is not a link, names it. 0 or -errno. */
int out_rotation_rename(const char *path);
/* Deletes the oldest files of the form beyond the limit. Logs each. */
void out_rotation_prune(const char *path, const struct out_file_config *config);

#endif
