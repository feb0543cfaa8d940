/* archive_text.h - a picture of the archive as JSON, CSV, PNG and bytes. Pure. */
#ifndef FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_TEXT_H
#define FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_TEXT_H

#include "daemon/archive/read/archive_request.h"
#include "daemon/base/text.h"

enum { ARCHIVE_BINARY_HEAD = 56 }; /* docs/archive.md has its fields */

/*
 * Reads the requested rows, and appends them. 0, or -errno as archive_read and survey_read. Blocks
 * on the disk.
 */
int archive_answer(struct text *out, const char *folder, const struct archive_request *r);

#endif
