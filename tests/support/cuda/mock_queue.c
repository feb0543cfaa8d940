/* mock_queue.c - runs queued work, as early or as late as the test wants. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/cuda/mock_internal.h"

static struct CUstream_st *streams;

struct CUstream_st *queue_create(int device)
{
    struct CUstream_st *s = calloc(1, sizeof *s);
    s->device = device;
    s->next = streams;
    streams = s;
    return s;
}

/* Removes the waits of other streams for a stream that is destroyed. */
static void stop_waiting(struct CUstream_st *s, const struct CUstream_st *gone)
{
    for (uint64_t i = s->done; i < s->added; i++) {
        if (s->ops[i].kind == OP_WAIT && s->ops[i].other == gone)
            s->ops[i].other = NULL;
    }
}

void queue_destroy(struct CUstream_st *s)
{
    struct CUstream_st **at = &streams;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    for (struct CUstream_st *other = streams; other; other = other->next)
        stop_waiting(other, s);
    mock_cuda.did.abandoned += mock_cuda.lost ? 0 : s->added - s->done;
    free(s->ops);
    free(s);
}

static void run(const struct op *op)
{
    switch (op->kind) {
    case OP_COPY:
        memmove(op->to, op->from, op->bytes);
        break;
    case OP_LAUNCH: {
        struct cuda_launch launch = op->launch;
        launch.kernel = op->kernel;
        mock_kernel_run(&launch);
        break;
    }
    case OP_WAIT:
        if (op->other)
            queue_reach(op->other, op->until);
        break;
    }
}

static void step(struct CUstream_st *s)
{
    s->working = true; /* streams that it waits for must not step it */
    run(&s->ops[s->done]);
    s->done++;
    s->working = false;
}

/*
 * Steps every other stream by one operation first, so that the work of two batches interleaves as
 * far as possible.
 */
static void others_step(const struct CUstream_st *s)
{
    static bool busy;
    if (busy || mock_cuda.order != MOCK_INTERLEAVED)
        return;
    busy = true;
    for (struct CUstream_st *other = streams; other; other = other->next) {
        if (other != s && !other->working && !other->capturing && other->done < other->added)
            step(other);
    }
    busy = false;
}

bool queue_reach(struct CUstream_st *s, uint64_t until)
{
    if (mock_cuda.stalled)
        return s->done >= until;
    while (s->done < until) {
        others_step(s);
        step(s);
    }
    if (s->done == s->added)
        s->has_launches = false;
    return true;
}

/* Copies with neither a kernel nor a wait before them may run ahead. */
static bool may_run_ahead(const struct CUstream_st *s)
{
    return mock_cuda.order == MOCK_COPIES_FIRST && !s->has_launches;
}

void queue_add(struct CUstream_st *s, const struct op *op)
{
    if (s->added == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->ops = realloc(s->ops, s->capacity * sizeof *s->ops);
    }
    s->ops[s->added++] = *op;
    s->has_launches = s->has_launches || op->kind == OP_LAUNCH || op->kind == OP_WAIT;
    if (s->capturing)
        return;
    if (mock_cuda.order == MOCK_EAGER || may_run_ahead(s))
        queue_reach(s, s->added);
}
