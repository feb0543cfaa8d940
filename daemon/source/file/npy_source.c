/* npy_source.c - opens a NumPy array. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/format/recording/iq_sample.h"
#include "daemon/format/recording/npy.h"
#include "daemon/source/file/recording_source.h"

/* Reads exactly the bytes that the parser needs. A pipe is then at its first sample. */
static int read_header(struct recording *r, struct npy *header)
{
    uint8_t *bytes = malloc(NPY_HEADER_MAX);
    struct reason why = {0};
    size_t have = 0;
    int need = 0, err = bytes ? 0 : -ENOMEM;
    while (err == 0 && (need = npy_parse(bytes, have, header, &why)) > 0) {
        err = byte_stream_fill(&r->bytes, bytes + have, (size_t)need - have, RECORDING_HEADER_MS);
        have = (size_t)need;
    }
    free(bytes);
    if (err == -ENODATA)
        return recording_fail(r, -EINVAL, "%s: ends inside its header of NumPy", r->name);
    if (err < 0)
        return recording_fail(r, err, "%s: no header: %s", r->name,
                              byte_stream_error(&r->bytes, err));
    return need < 0 ? recording_fail(r, need, "%s: %s", r->name, why.sentence) : 0;
}

/* A file may have been cut, or have a second array behind the first. */
static uint64_t find_length(const struct recording *r, const struct npy *header)
{
    const uint64_t stated = header->data_bytes;
    if (!r->bytes.seekable)
        return stated;
    const uint64_t there = r->bytes.size > r->data_at ? r->bytes.size - r->data_at : 0;
    if (there < stated)
        log_warn("%s: the header states %llu bytes of samples, the file has %llu: reading these",
                 r->name, (unsigned long long)stated, (unsigned long long)there);
    else if (there > stated)
        log_warn("%s: the %llu bytes after its array are ignored", r->name,
                 (unsigned long long)(there - stated));
    return there < stated ? there : stated;
}

int recording_open_npy(struct recording *r, const char *path)
{
    struct npy header = {0};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = read_header(r, &header);
    if (err == 0)
        err = recording_make_segments(r, 1);
    if (err < 0)
        return err;
    r->length_is_hint = true;
    r->data_at = header.data_at;
    r->sample = header.sample;
    r->data_bytes = find_length(r, &header);
    return r->bytes.seekable ? byte_stream_seek(&r->bytes, r->data_at) : 0;
}
