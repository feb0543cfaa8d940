/*
 * tar.h - parses headers of tar archives (ustar, pax, GNU long names and sizes). Pure, any thread.
 *
 * An archive is a sequence of blocks of 512 bytes: a header, the content padded to whole blocks,
 * and so on. A block of zeros ends it. Source: POSIX.1-2017, pax, "ustar Interchange Format" and
 * "pax Header Block".
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_TAR_H
#define FFTD_DAEMON_FORMAT_RECORDING_TAR_H

#include <stddef.h>
#include <stdint.h>

enum { TAR_BLOCK = 512 };
/* Of struct tar_entry.type. The name and size of the next entry are not in the last two. */
enum {
    TAR_FILE = '0',
    TAR_PAX = 'x',
    TAR_LONG_NAME = 'L',
    TAR_PAX_GLOBAL = 'g',
    TAR_LONG_LINK = 'K'
};

struct tar_entry {
    char name[4096]; /* truncated if longer */
    uint64_t size;   /* bytes of content, below 2^62 */
    char type;       /* TAR_FILE also for its older codes; others as in the header */
};

/* 0, 1: the end of the archive, -EINVAL: no tar header (wrong checksum or size). */
int tar_parse_header(const uint8_t block[TAR_BLOCK], struct tar_entry *out);

/*
 * Parses the content of a TAR_PAX entry. Its name and size replace those of the next entry. An
 * absent name is "", an absent size UINT64_MAX. -EINVAL: malformed.
 */
int tar_parse_pax(const char *text, size_t size, struct tar_entry *out);

#endif
