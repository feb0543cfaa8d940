/* sigmf.h - shared by the two ways in which SigMF comes: a pair of files, an archive. */
#ifndef FFTD_DAEMON_SOURCE_FILE_SIGMF_H
#define FFTD_DAEMON_SOURCE_FILE_SIGMF_H

#include "daemon/format/sigmf_meta.h"
#include "daemon/source/file/recording.h"

enum { SIGMF_META_MAX = 64 << 20 }; /* bytes */

/* Parses, and refuses what fftd cannot read. sigmf_meta_finish in every case. */
int recording_parse_meta(struct recording *r, const char *text, size_t size, bool any_format,
                         struct sigmf_meta *meta);
/* Format, rate and captures of the meta for a recording whose data_at and data_bytes are set. */
int recording_take_meta(struct recording *r, const struct sigmf_meta *meta);

#endif
