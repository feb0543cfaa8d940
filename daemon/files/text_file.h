/*
 * text_file.h - reads a small file of text, and replaces one as a whole. Any thread; all block.
 *
 * A file that the user names may be a symbolic link, which is followed and stays. A file in one of
 * fftd's own folders may not: see own_file.h.
 */
#ifndef FFTD_DAEMON_FILES_TEXT_FILE_H
#define FFTD_DAEMON_FILES_TEXT_FILE_H

#include "daemon/base/text.h"

struct reason;

/*
 * Appends the contents of a regular file of at most `most` bytes. 0, or -errno with one line in
 * *why that begins with the path. -ENOENT: there is no file; -EFBIG. The caller finishes *out.
 */
int text_file_read(struct text *out, const char *path, size_t most, struct reason *why);
int text_file_read_own(struct text *out, const char *path, size_t most, struct reason *why);
/*
 * Another process sees the old file or the new one, whole. Only a regular file is replaced:
 * -EISDIR, -ENODEV for a directory, a device, a FIFO, or a socket. Errors are as above.
 */
int text_file_replace(const char *path, const struct text *text, struct reason *why);
/* A symbolic link of this name is replaced; its target stays as it is. */
int text_file_replace_own(const char *path, const struct text *text, struct reason *why);

#endif
