/* unpack.c - decompresses with zlib and libzstd. */
#define ZLIB_CONST
#include "daemon/format/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { GZIP_WINDOW = 15 + 16 }; /* 32 KiB, with the header of gzip */

struct unpack {
    enum unpack_format format;
    bool complete; /* the last member is; another one or zeros may follow */
    bool padding;  /* zeros follow it */
    bool has_gzip;
    z_stream gzip;
    ZSTD_DStream *zstd;
};

struct unpack *unpack_create(enum unpack_format format)
{
    struct unpack *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->format = format;
    if (format == UNPACK_GZIP)
        u->has_gzip = inflateInit2(&u->gzip, GZIP_WINDOW) == Z_OK;
    else
        u->zstd = ZSTD_createDStream();
    if (u->has_gzip || u->zstd)
        return u;
    free(u);
    return NULL;
}

void unpack_destroy(struct unpack *u)
{
    if (!u)
        return;
    if (u->has_gzip)
        inflateEnd(&u->gzip);
    ZSTD_freeDStream(u->zstd);
    free(u);
}

bool unpack_may_end(const struct unpack *u)
{
    return u->complete;
}

static int run_gzip(struct unpack *u, struct unpack_buffers *s)
{
    enum { MOST = 1 << 30 }; /* zlib counts with unsigned int */
    const size_t in = s->in_bytes < MOST ? s->in_bytes : MOST;
    const size_t out = s->out_bytes < MOST ? s->out_bytes : MOST;
    z_stream *z = &u->gzip;
    z->next_in = s->in;
    z->avail_in = (unsigned)in;
    z->next_out = s->out;
    z->avail_out = (unsigned)out;
    const int result = inflate(z, Z_NO_FLUSH);
    s->in_bytes -= in - z->avail_in;
    s->out_bytes -= out - z->avail_out;
    s->in = z->next_in;
    s->out = z->next_out;
    if (result == Z_STREAM_END) {
        u->complete = true;
        return inflateReset(z) == Z_OK ? 0 : -EBADMSG;
    }
    return result == Z_OK || result == Z_BUF_ERROR ? 0 : result == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
}

static int run_zstd(struct unpack *u, struct unpack_buffers *s)
{
    ZSTD_inBuffer in = {s->in, s->in_bytes, 0};
    ZSTD_outBuffer out = {s->out, s->out_bytes, 0};
    const size_t result = ZSTD_decompressStream(u->zstd, &out, &in);
    s->in += in.pos;
    s->in_bytes -= in.pos;
    s->out += out.pos;
    s->out_bytes -= out.pos;
    if (!ZSTD_isError(result)) {
        u->complete = result == 0;
        return 0;
    }
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    return code == ZSTD_error_frameParameter_windowTooLarge ? -E2BIG
           : code == ZSTD_error_memory_allocation           ? -ENOMEM
                                                            : -EBADMSG;
}

/* After a member: zeros to the end, or the next member. */
static int skip_padding(struct unpack *u, struct unpack_buffers *s)
{
    for (; s->in_bytes > 0 && *s->in == 0; s->in++, s->in_bytes--)
        u->padding = true;
    return u->padding && s->in_bytes > 0 ? -EBADMSG : 0;
}

/* The decoders keep output that had no room: they run without input, too. */
int unpack_run(struct unpack *u, struct unpack_buffers *s)
{
    int err = 0;
    size_t in, out;
    do {
        err = u->complete ? skip_padding(u, s) : 0;
        if (err < 0 || s->out_bytes == 0 || (u->complete && s->in_bytes == 0))
            break;
        in = s->in_bytes;
        out = s->out_bytes;
        u->complete = false;
        err = u->format == UNPACK_GZIP ? run_gzip(u, s) : run_zstd(u, s);
    } while (err == 0 && (s->in_bytes < in || s->out_bytes < out));
    return err;
}
