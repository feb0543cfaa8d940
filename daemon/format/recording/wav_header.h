/*
 * wav_header.h - parses the header of a two-channel WAV, RF64, BW64 or Wave64 file. Pure, any
 * thread.
 *
 *     "RIFF" | "RF64" | "BW64", u32 size (ignored), "WAVE"
 *     chunks: char[4] id, u32 size, content, padded to even, until "data":
 *       "ds64"  u64 riff size, u64 data size, ...              (RF64, BW64)
 *       "fmt "  u16 tag, u16 channels, u32 rate, u32 bytes/s, u16 block, u16 bits; tag 0xfffe: u16
 *               size, u16 valid bits, u32 mask, then a GUID that begins with the tag
 *       "auxi"  of SDR recorders: start and centre, see wav_auxi.h
 *       "rcvr"  of Perseus: u32 centre in Hz, u32 index of the rate, u32 Unix time, ...
 *     "data"  size 0 or 0xffffffff (written by a recorder to a pipe): to the end of the file
 *
 * Samples of 8 bits are unsigned with their zero at 128 (wav8). The size of
 * data is modulo 4 GiB in files of writers that ignore the limit of RIFF, such as GNU Radio.
 *
 * Wave64 (Sony) has GUIDs that begin with these four characters in lower case in place of the ids,
 * and u64 sizes that include the id and the size; its chunks begin at multiples of 8. A size of
 * 2^63 - 1 or more, which FFmpeg writes to a pipe, and samples of 0 bytes: to the end of the file.
 * A chunk smaller than its head is refused by its name; after the samples, it ends the file.
 *
 * All little-endian. Sources: Microsoft/IBM "Multimedia Programming Interface 1.0", EBU Tech 3306
 * (RF64), ITU-R BS.2088 (BW64), mmreg.h, and of Wave64 the readers of libsndfile and FFmpeg.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_WAV_HEADER_H
#define FFTD_DAEMON_FORMAT_RECORDING_WAV_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/format/recording/iq_sample.h"

struct reason;

#define WAV_TO_END UINT64_MAX
enum { WAV_HEADER_MAX = 1 << 20 }; /* bytes before the samples; a longer header is refused */

/* How the files of a family write the heads of their chunks. */
struct wav_layout {
    size_t magic_bytes; /* before the first chunk */
    size_t head_bytes;  /* of an id and a size */
    uint64_t align;     /* of the beginning of chunks */
};
enum { WAV_HEAD_MAX = 24 };
extern const struct wav_layout wav_layout_riff; /* also of RF64 and BW64 */

struct wav_header {
    const struct wav_layout *layout;
    uint64_t data_at;               /* byte position of the first sample */
    uint64_t data_bytes;            /* WAV_TO_END: to the end of the file */
    bool has_size64;                /* data_bytes is from ds64 or Wave64; else it has 32 bits */
    const struct iq_sample *sample; /* NULL: one that fftd cannot read, `kind` */
    char kind[32];                  /* "20-bit integer" */
    uint32_t rate_hz;               /* may be 0; the caller refuses that */
    double center_hz;               /* NAN: not in the file */
    bool has_time;
    int64_t start_ns; /* Unix time */
};

/*
 * Parses the first `size` bytes. 0: complete, and no byte after data_at was read. > 0: call again
 * with this many bytes (more than `size`, at most WAV_HEADER_MAX). -EINVAL: not such a file; the
 * line in *why does not name it.
 */
int wav_header_parse(const uint8_t *bytes, size_t size, struct wav_header *out, struct reason *why);

/*
 * The same for a caller that reads the bytes little by little: chunks that were complete before are
 * not parsed again. Zeroed before the first call.
 */
struct wav_progress {
    size_t at;      /* bytes of complete chunks; 0: none yet */
    uint64_t heads; /* of chunks that were looked at: at most two for each chunk */
    bool has_format, has_size64;
    uint64_t size64; /* of data, from ds64 */
    uint32_t auxi_rate_hz;
};
int wav_header_continue(struct wav_progress *progress, const uint8_t *bytes, size_t size,
                        struct wav_header *out, struct reason *why);

/* Whether a chunk after the samples may begin with these bytes: four characters and a size. */
bool wav_is_chunk(const struct wav_layout *layout, const uint8_t *head);
/* The bytes of the content of a chunk, without padding; a size that cannot be is 0. */
uint64_t wav_chunk_size(const struct wav_layout *layout, const uint8_t *head);
/* A position or a size, up to the beginning of the next chunk. */
uint64_t wav_padded(const struct wav_layout *layout, uint64_t size);
bool wav_is_data(const struct wav_layout *layout, const uint8_t *head); /* more samples */
/* The time of GPS that a KiwiSDR writes before more samples. */
bool wav_is_kiwi(const struct wav_layout *layout, const uint8_t *head);

#endif
