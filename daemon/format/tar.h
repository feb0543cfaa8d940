/*
 * tar.h - headers of tar archives (ustar, pax, GNU long names and large sizes). Pure, any thread.
 *
 * An archive is blocks of 512 bytes: a header, then the content padded to whole blocks, ...; a
 * block of zeros ends it. Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header
 * Block".
 */
#ifndef FFTD_DAEMON_FORMAT_TAR_H
#define FFTD_DAEMON_FORMAT_TAR_H

#include <stddef.h>
#include <stdint.h>

enum { TAR_BLOCK = 512 };
enum { TAR_FILE = '0', TAR_PAX = 'x', TAR_LONG_NAME = 'L' }; /* of struct tar_entry.type */

struct tar_entry {
    char name[512]; /* cut when longer */
    uint64_t size;  /* bytes of content, below 2^62 */
    char type;      /* TAR_FILE also for the older spellings; others as in the header */
};

/* 0, 1: the end of the archive, -EINVAL: no tar header (wrong checksum or size). */
int tar_parse_header(const uint8_t block[TAR_BLOCK], struct tar_entry *out);

/*
 * The content of a TAR_PAX entry: name and size in it replace those of the entry that follows.
 * Gives what it says in *out (name "" and size UINT64_MAX: not said). -EINVAL: malformed.
 */
int tar_parse_pax(const char *text, size_t size, struct tar_entry *out);

#endif
