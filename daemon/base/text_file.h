/* text_file.h - reads a small file of text, and replaces one as a whole. Any thread; both block. */
#ifndef FFTD_DAEMON_BASE_TEXT_FILE_H
#define FFTD_DAEMON_BASE_TEXT_FILE_H

#include "daemon/base/text.h"

/*
 * Appends the contents of a regular file of at most `most` bytes. 0, or -errno with one line in
 * error that begins with the path. -ENOENT: there is no file; -EFBIG. The caller finishes *out.
 */
int text_file_read(struct text *out, const char *path, size_t most, char *error, size_t error_size);
/* Another process sees the old file or the new one, whole. Errors are as above. */
int text_file_replace(const char *path, const struct text *text, char *error, size_t error_size);

#endif
