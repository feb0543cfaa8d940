/* channel_file.c - a thread that writes the pieces of a channel. */
#include "daemon/output/channel_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channel_reader.h"
#include "daemon/channel/channels.h"
#include "daemon/output/output_thread.h"

struct channel_file {
    struct channel_file_config config;
    struct output_thread thread;
    struct channel *channel; /* NULL: it was closed */
    struct channel_reader reader;
    uint64_t written; /* bytes */
};

/* ---- the thread --------------------------------------------------------------------------- */

/* Keys of the command line are without units. */
static const char *without_unit(const char *message, char into[256])
{
    const size_t key = strcspn(message, ":");
    const bool has_unit = key > 3 && strncmp(message + key - 3, "_hz", 3) == 0;
    snprintf(into, 256, "%.*s%s", (int)(has_unit ? key - 3 : key), message, message + key);
    return into;
}

/* The stream cannot have the channel, or it never was where the channel is. */
static int check_end(struct channel_file *f)
{
    char message[256];
    struct channel_info info;
    const double center_hz = f->config.text->request.center_hz;
    struct reason *why = &f->thread.file.why;
    channel_info(f->channel, &info);
    if (info.state == CHANNEL_REFUSED)
        return reason_set(why, -EINVAL, "--channel: %s", without_unit(info.message, message));
    if (f->reader.silent > 0 && f->reader.silent == f->reader.blocks)
        return reason_set(
            why, -ERANGE,
            "--channel: center: the radio never received %.10g Hz, all samples are 0%s", center_hz,
            fabs(center_hz) < 1e5 ? ": a number in MHz needs an M" : "");
    return 0;
}

/* Those of the piece that are within the duration. */
static size_t count_bytes(struct channel_file *f)
{
    const size_t bytes = f->reader.to - f->reader.from;
    const double most = ceil(f->config.duration_s * f->reader.rate_hz);
    const uint64_t left = most > 0 && most < 0x1p62
                              ? ((uint64_t)most * fft_iq_bytes(f->reader.format)) - f->written
                              : UINT64_MAX;
    return bytes < left ? bytes : (size_t)left;
}

static int make_piece(void *maker, bool *closed)
{
    struct channel_file *f = maker;
    struct channel_reader *r = &f->reader;
    if (row_file_busy(&f->thread.file))
        return 0;
    const int more = channel_reader_next(r, OUTPUT_WAIT_MS);
    if (more == -ENODATA) {
        *closed = true;
        return check_end(f);
    }
    if (more <= 0)
        return more;
    struct text *piece = row_file_next(&f->thread.file);
    const size_t bytes = count_bytes(f);
    text_add_bytes(piece, (const char *)r->bytes + r->from, bytes);
    f->written += bytes;
    *closed = bytes < r->to - r->from;
    r->from = r->to;
    output_thread_count(&f->thread, &f->thread.state.rows, 1);
    return piece->failed ? -ENOMEM : 0;
}

static void drop_piece(void *maker, bool *closed)
{
    struct channel_file *f = maker;
    const int more = channel_reader_next(&f->reader, OUTPUT_WAIT_MS);
    *closed = more < 0;
    if (more <= 0)
        return;
    f->reader.from = f->reader.to;
    output_thread_count(&f->thread, &f->thread.state.dropped, 1);
}

/* A replay does not wait for it any more. */
static void close_channel(void *maker)
{
    struct channel_file *f = maker;
    channel_close(f->channel);
    f->channel = NULL;
}

static const struct output_maker pieces = {
    .make = make_piece, .drop = drop_piece, .finish = close_channel};

/* ---- the loop thread ---------------------------------------------------------------------- */

static int open_channel(struct channel_file *f, struct reason *why)
{
    char message[256];
    struct reason inner = {0};
    struct channel_request request = f->config.text->request;
    request.waits = true;
    const int err = channel_open(f->config.channels, &request, &f->channel, &inner);
    if (err < 0)
        return reason_set(why, err, "--channel: %s", without_unit(inner.sentence, message));
    channel_reader_init(&f->reader, f->channel, request.rate_hz, &f->config.text->format);
    return 0;
}

int channel_file_start(struct channel_file **out, const struct channel_file_config *config,
                       struct reason *why)
{
    struct channel_file *f = calloc(1, sizeof *f);
    *out = NULL;
    if (!f)
        return -ENOMEM;
    f->config = *config;
    const struct output_thread_config thread = {.name = "channel",
                                                .file = config->file,
                                                .lossless = config->lossless,
                                                .ops = &pieces,
                                                .maker = f,
                                                .ended = config->ended,
                                                .user = config->user};
    int err = output_thread_open(&f->thread, &thread, why);
    if (err == 0)
        err = open_channel(f, why);
    if (err == 0)
        err = output_thread_run(&f->thread);
    if (err < 0) {
        channel_file_destroy(f);
        return err;
    }
    *out = f;
    return 0;
}

int channel_file_start_writing(struct channel_file *f, struct reason *why)
{
    return output_thread_start_writing(&f->thread, why);
}

void channel_file_state(struct channel_file *f, struct output_state *out)
{
    output_thread_state(&f->thread, out);
}

void channel_file_stop(struct channel_file *f)
{
    if (f)
        output_thread_stop(&f->thread);
}

void channel_file_destroy(struct channel_file *f)
{
    if (!f)
        return;
    output_thread_finish(&f->thread);
    close_channel(f);
    channel_reader_finish(&f->reader);
    free(f);
}
