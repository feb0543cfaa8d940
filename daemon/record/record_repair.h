/* record_repair.h - completes recordings that a crash or a power failure ended. Any thread. */
#ifndef FFTD_DAEMON_RECORD_RECORD_REPAIR_H
#define FFTD_DAEMON_RECORD_RECORD_REPAIR_H

#include <stddef.h>

/*
 * Makes metadata from the journal of each recording that has one: of all in a folder, or of one
 * file of a recording. Recordings that a running fftd writes are left alone. Waits for the disk,
 * and reads the samples of what it repairs. Returns the number of recordings repaired, or -errno
 * with one line in error.
 */
int record_repair(const char *path, char *error, size_t error_size);

#endif
