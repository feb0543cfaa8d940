/* wav_chunks.h - for wav_source.c: the chunks after the samples, which may contain more samples. */
#ifndef FFTD_DAEMON_SOURCE_FILE_WAV_CHUNKS_H
#define FFTD_DAEMON_SOURCE_FILE_WAV_CHUNKS_H

#include "daemon/format/recording/wav_header.h"
#include "daemon/source/file/recording_source.h"

/* Whether nothing but chunks lies between this position and the end of the file. */
bool wav_only_chunks_follow(struct byte_stream *bytes, const struct wav_layout *layout,
                            uint64_t at);

/*
 * Makes one segment of each data chunk of a file, and sets data_bytes up to the end of the last
 * one. kiwirecorder writes a chunk "kiwi" with the time of GPS and a data chunk, again and again.
 */
int wav_make_segments(struct recording *r, const struct wav_layout *layout, size_t sample_bytes);

#endif
