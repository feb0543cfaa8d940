/* audio_listener.c - blocks as bytes, with silence for those that were skipped. */
#include "daemon/audio/audio_listener.h"

#include <errno.h>
#include <stdlib.h>

/* Room for a piece of this many bytes. False: no memory. */
static bool make_room(struct audio_listener *l, size_t bytes)
{
    unsigned char *more = bytes > l->capacity ? realloc(l->own, bytes) : l->own;
    if (!more)
        return false;
    l->own = more;
    l->capacity = bytes > l->capacity ? bytes : l->capacity;
    return true;
}

/* What the codec makes of a block's bytes. */
static int set_piece(struct audio_listener *l, const unsigned char *data, size_t bytes,
                     uint64_t frames)
{
    const struct audio_codec *c = l->codec;
    l->framing.frames += frames;
    if (c->frame && !make_room(l, bytes + c->frame_max))
        return -ENOMEM;
    l->from = c->frame ? l->own : data;
    l->to = l->from + (c->frame ? c->frame(&l->framing, data, bytes, l->own) : bytes);
    return 1;
}

static int set_head(struct audio_listener *l)
{
    l->headed = true;
    if (!l->codec->head)
        return 1;
    if (!make_room(l, AUDIO_HEAD_MAX))
        return -ENOMEM;
    l->from = l->own;
    l->to = l->from + l->codec->head(&l->framing, l->own);
    return 1;
}

/* The next piece of what is missing. */
static int set_silence(struct audio_listener *l)
{
    static const size_t room = AUDIO_SILENCE_MAX;
    size_t covered = 0;
    unsigned char silence[AUDIO_SILENCE_MAX];
    if (!make_room(l, room))
        return -ENOMEM;
    unsigned char *into = l->codec->frame ? silence : l->own;
    const size_t bytes =
        l->ops->silence(l->framing.rate_hz, l->framing.channels, l->missing, into, &covered);
    l->missing -= covered < l->missing ? covered : l->missing;
    return set_piece(l, into, bytes, covered);
}

static int set_block(struct audio_listener *l)
{
    const struct audio_block *b = l->block;
    l->begun = true;
    l->index = b->index + b->frames;
    return set_piece(l, b->data, b->bytes, b->frames);
}

/* 0: there is none yet. */
static int next_piece(struct audio_listener *l)
{
    const uint64_t second = (uint64_t)l->framing.rate_hz;
    bool closed;
    if (!l->headed)
        return set_head(l);
    if (l->missing > 0)
        return set_silence(l);
    if (l->block && l->block->index >= l->index) /* it was held back for the silence before it */
        return set_block(l);
    channel_block_unref(l->block);
    l->block = channel_output_take(l->output, &l->cursor, &closed);
    if (!l->block)
        return closed ? -ENODATA : 0;
    const uint64_t from = l->index;
    if (!l->begun || l->block->index <= from)
        return set_block(l);
    l->missing = l->block->index - from < second ? l->block->index - from : second;
    l->index = l->block->index;
    return set_silence(l);
}

ssize_t audio_listener_data(struct audio_listener *l, const void **data)
{
    int more = 1;
    while (l->from == l->to && more > 0)
        more = next_piece(l);
    *data = l->from;
    return l->from == l->to ? more : l->to - l->from;
}

void audio_listener_skip(struct audio_listener *l, size_t bytes)
{
    l->from += bytes;
}
