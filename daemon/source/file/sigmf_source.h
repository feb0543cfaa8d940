/* sigmf_source.h - what SigMF pairs and SigMF archives share. */
#ifndef FFTD_DAEMON_SOURCE_FILE_SIGMF_SOURCE_H
#define FFTD_DAEMON_SOURCE_FILE_SIGMF_SOURCE_H

#include "daemon/format/recording/sigmf_meta.h"
#include "daemon/source/file/recording_source.h"

enum { SIGMF_META_MAX = 64 << 20 }; /* bytes */

/* Parses, and refuses unreadable formats. Call sigmf_meta_finish after a failure, too. */
int recording_parse_meta(struct recording *r, const char *text, size_t size, bool any_format,
                         struct sigmf_meta *meta);
/* Sets format, rate and segments of a recording whose data_at and data_bytes are set. */
int recording_take_meta(struct recording *r, const struct sigmf_meta *meta);

#endif
