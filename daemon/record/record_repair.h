/* record_repair.h - completes recordings that a crash or a power failure ended. Any thread. */
#ifndef FFTD_DAEMON_RECORD_RECORD_REPAIR_H
#define FFTD_DAEMON_RECORD_RECORD_REPAIR_H

#include <stddef.h>
#include <stdint.h>

struct reason;

/* In a start, which samples are lost meanwhile: a few seconds. */
#define RECORD_REPAIR_HASHED (UINT64_C(1) << 30)

/*
 * Makes metadata from the journal of each recording that has one: of all in a folder, or of one
 * file of a recording. Recordings that a running fftd writes are left alone. Waits for the disk,
 * and reads the samples of what it repairs for their hashes, at most `most` bytes in all: what is
 * longer gets no hash. Returns the number of recordings repaired, or -errno with one line in *why.
 */
int record_repair(const char *path, uint64_t most, struct reason *why);

#endif
