/*
 * file_kind.h - names the format of a file by its first bytes. Pure, any thread.
 *
 * A file whose header is not known reads as noise. So what begins with the mark of a format is that
 * format, whatever its name says: fftd reads it, or refuses it by its name. A mark is at least four
 * bytes, or fewer with other fields that fit: noise has none in 2^28 files. Text has no mark: it is
 * text if every byte is.
 *
 * Sources: the specifications of the formats, and the table of file(1).
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_FILE_KIND_H
#define FFTD_DAEMON_FORMAT_RECORDING_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_container {
    FILE_REFUSED, /* `mend` says what helps */
    FILE_WAV,
    FILE_NPY,
    FILE_GZIP,
    FILE_ZSTD,
    FILE_TAR /* a SigMF archive, if anything */
};

struct file_kind {
    const char *name; /* "a ZIP archive" */
    enum file_container container;
    const char *mend; /* a sentence's second half, or "" */
};

/*
 * FILE_KIND_BYTES of a file are enough, fewer will do. whole: they are the whole file. NULL: none
 * of these, perhaps raw samples. The result is static.
 */
enum { FILE_KIND_BYTES = 4096 };
const struct file_kind *file_kind_find(const uint8_t *bytes, size_t size, bool whole);

#endif
