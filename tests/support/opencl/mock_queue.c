/* mock_queue.c - memory, queues and events of the mock driver. Work runs in the order that the test
 * sets. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/opencl/mock_internal.h"

enum op_kind { OP_COPY_IN, OP_COPY_OUT, OP_COPY_WITHIN, OP_LAUNCH, OP_MAP, OP_UNMAP };
enum { MAP_ALIGN = 128 };

struct op {
    enum op_kind kind;
    struct _cl_mem *mem, *other;
    unsigned char *host;
    size_t at, other_at, bytes;
    uint64_t flags;
    const struct _cl_kernel *kernel;
    struct mock_args args;
    struct _cl_event *wait; /* NULL: none; holds a reference */
};

struct _cl_command_queue {
    struct op *ops;
    uint64_t added, done, capacity;
    struct _cl_command_queue *older;
};

struct _cl_event {
    struct _cl_command_queue *queue;
    uint64_t until;
    int users;
    bool failed;
};

static struct _cl_command_queue *newest;
static size_t taken;
static struct _cl_mem *lent; /* the caller's memory, one block at most */

/* ---- execution -------------------------------------------------------------------------- */

void mock_need_unmapped(const struct _cl_mem *m)
{
    if (m && m->mapped)
        mock_abort("memory is used while it is mapped");
}

static void check_range(const struct _cl_mem *m, size_t at, size_t bytes)
{
    if (at > m->size || bytes > m->size - at)
        mock_abort("outside a buffer");
}

static void run_launch(const struct op *op)
{
    for (int i = 0; i < OPENCL_ARGS; i++)
        mock_need_unmapped(op->args.buffers[i]);
    mock_kernel_run(op->kernel, &op->args);
}

static void run(const struct op *op)
{
    switch (op->kind) {
    case OP_COPY_IN:
        mock_need_unmapped(op->mem);
        memcpy(op->mem->bytes + op->at, op->host, op->bytes);
        break;
    case OP_COPY_OUT:
        mock_need_unmapped(op->mem);
        memcpy(op->host, op->mem->bytes + op->at, op->bytes);
        break;
    case OP_COPY_WITHIN:
        mock_need_unmapped(op->mem);
        mock_need_unmapped(op->other);
        memcpy(op->other->bytes + op->other_at, op->mem->bytes + op->at, op->bytes);
        break;
    case OP_LAUNCH:
        run_launch(op);
        break;
    case OP_MAP:
        op->mem->mapped++;
        if (op->flags & OPENCL_MAP_WRITE_WHOLE && !op->mem->borrowed)
            memset(op->mem->bytes, 0xFF, op->mem->size);
        break;
    case OP_UNMAP:
        if (op->mem->mapped == 0)
            mock_abort("unmapped what is not mapped");
        op->mem->mapped--;
        break;
    }
}

static bool reach(struct _cl_command_queue *q, uint64_t until)
{
    while (q->done < until) {
        struct op *op = &q->ops[q->done];
        if (mock_opencl.stalled || mock_opencl.lost)
            return false;
        if (op->wait && !reach(op->wait->queue, op->wait->until))
            return false;
        run(op);
        if (op->wait && --op->wait->users == 0)
            free(op->wait);
        op->wait = NULL;
        q->done++;
    }
    return true;
}

static void add(struct _cl_command_queue *q, const struct op *op, struct _cl_event **event)
{
    if (q->added == q->capacity) {
        q->capacity = 2 * q->capacity + 16;
        q->ops = realloc(q->ops, (size_t)q->capacity * sizeof *q->ops);
    }
    q->ops[q->added++] = *op;
    if (op->wait)
        op->wait->users++;
    if (event) {
        *event = calloc(1, sizeof **event);
        **event = (struct _cl_event){q, q->added, 1, false};
        mock_opencl.alive++;
    }
    if (mock_opencl.order == MOCK_EAGER || (mock_opencl.order == MOCK_COPIES_FIRST && q == newest))
        reach(q, q->added);
}

/* Queues a call and waits for it if blocking. */
static int32_t add_and_wait(struct _cl_command_queue *q, const struct op *op, uint32_t blocking,
                            struct _cl_event **event)
{
    add(q, op, event);
    mock_opencl.counts.blocking += blocking;
    return blocking && !reach(q, q->added) ? -14 : OPENCL_OK;
}

/* ---- queues and events ------------------------------------------------------------------ */

CALL(struct _cl_command_queue *, clCreateCommandQueue, struct _cl_context *context,
     struct _cl_device_id *device, uint64_t properties, int32_t *result)
{
    ENTER_MAKING(result);
    (void)context, (void)device, (void)properties;
    struct _cl_command_queue *q = calloc(1, sizeof *q);
    q->older = newest;
    newest = q;
    mock_opencl.alive++;
    return q;
}

CALL(int32_t, clReleaseCommandQueue, struct _cl_command_queue *queue)
{
    ALONE;
    struct _cl_command_queue **at = &newest;
    while (*at != queue)
        at = &(*at)->older;
    *at = queue->older;
    if (queue->done < queue->added && !mock_opencl.lost)
        mock_abort("a queue is released with work in it");
    for (uint64_t i = queue->done; i < queue->added; i++)
        if (queue->ops[i].wait && --queue->ops[i].wait->users == 0)
            free(queue->ops[i].wait);
    free(queue->ops);
    free(queue);
    mock_opencl.alive--;
    return OPENCL_OK;
}

CALL(int32_t, clFlush, struct _cl_command_queue *queue)
{
    ENTER;
    (void)queue;
    return OPENCL_OK;
}

CALL(int32_t, clFinish, struct _cl_command_queue *queue)
{
    ENTER;
    mock_opencl.counts.blocking++;
    return reach(queue, queue->added) ? OPENCL_OK : -36;
}

CALL(int32_t, clGetEventInfo, struct _cl_event *event, uint32_t what, size_t size, void *value,
     size_t *actual)
{
    ENTER;
    (void)what, (void)size, (void)actual;
    const bool done = reach(event->queue, event->until);
    *(int32_t *)value = done ? OPENCL_COMPLETE : mock_opencl.lost ? -14 : 2;
    return OPENCL_OK;
}

/* Only the benches ask for times, and only real drivers. */
CALL(int32_t, clGetEventProfilingInfo, struct _cl_event *event, uint32_t what, size_t size,
     void *value, size_t *actual)
{
    ENTER;
    (void)event, (void)what, (void)size, (void)value, (void)actual;
    return -7; /* CL_PROFILING_INFO_NOT_AVAILABLE */
}

CALL(int32_t, clReleaseEvent, struct _cl_event *event)
{
    ALONE;
    mock_opencl.alive--;
    if (--event->users == 0)
        free(event);
    return OPENCL_OK;
}

/* ---- memory ----------------------------------------------------------------------------- */

CALL(struct _cl_mem *, clCreateBuffer, struct _cl_context *context, uint64_t flags, size_t bytes,
     void *host, int32_t *result)
{
    ENTER_MAKING(result);
    (void)context;
    const bool borrowed = flags & OPENCL_MEM_USE_HOST;
    if (bytes == 0 || taken + bytes > mock_opencl.memory ||
        (borrowed && mock_opencl.borrows_nothing)) {
        *result = bytes ? OPENCL_ALLOCATION_FAILURE : OPENCL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    struct _cl_mem *m = calloc(1, sizeof *m);
    m->size = bytes;
    m->host = mock_opencl.unified || flags & OPENCL_MEM_ALLOC_HOST ? bytes : 0;
    mock_opencl.host += m->host;
    m->borrowed = borrowed;
    m->bytes =
        borrowed ? host : aligned_alloc(MAP_ALIGN, (bytes + MAP_ALIGN - 1) / MAP_ALIGN * MAP_ALIGN);
    mock_opencl.borrowed += borrowed;
    if (borrowed)
        lent = m;
    else
        memset(m->bytes, 0xFF, bytes);
    taken += bytes;
    mock_opencl.alive++;
    return m;
}

CALL(int32_t, clReleaseMemObject, struct _cl_mem *m)
{
    ALONE;
    /* Queued work may still need it. A device keeps it until then. */
    for (struct _cl_command_queue *q = newest; q; q = q->older)
        reach(q, q->added);
    if (m->mapped && !mock_opencl.fail && !mock_opencl.lost)
        mock_abort("memory is released while it is mapped");
    taken -= m->size;
    mock_opencl.host -= m->host;
    mock_opencl.borrowed -= m->borrowed;
    if (m->borrowed)
        lent = NULL;
    else
        free(m->bytes);
    free(m);
    mock_opencl.alive--;
    return OPENCL_OK;
}

static bool is_lent(const void *from, size_t bytes)
{
    const unsigned char *at = from;
    return lent && lent->mapped && at >= lent->bytes && at + bytes <= lent->bytes + lent->size;
}

CALL(int32_t, clEnqueueWriteBuffer, struct _cl_command_queue *queue, struct _cl_mem *to,
     uint32_t blocking, size_t at, size_t bytes, const void *from, uint32_t waits,
     struct _cl_event *const *wait, struct _cl_event **event)
{
    ENTER;
    check_range(to, at, bytes);
    mock_opencl.counts.bytes_in += bytes;
    mock_opencl.counts.bytes_pinned += is_lent(from, bytes) ? bytes : 0;
    return add_and_wait(queue,
                        &(struct op){.kind = OP_COPY_IN,
                                     .mem = to,
                                     .at = at,
                                     .bytes = bytes,
                                     .host = (unsigned char *)(uintptr_t)from,
                                     .wait = waits ? wait[0] : NULL},
                        blocking, event);
}

CALL(int32_t, clEnqueueReadBuffer, struct _cl_command_queue *queue, struct _cl_mem *from,
     uint32_t blocking, size_t at, size_t bytes, void *to, uint32_t waits,
     struct _cl_event *const *wait, struct _cl_event **event)
{
    ENTER;
    check_range(from, at, bytes);
    mock_opencl.counts.bytes_out += bytes;
    return add_and_wait(queue,
                        &(struct op){.kind = OP_COPY_OUT,
                                     .mem = from,
                                     .at = at,
                                     .bytes = bytes,
                                     .host = to,
                                     .wait = waits ? wait[0] : NULL},
                        blocking, event);
}

CALL(int32_t, clEnqueueCopyBuffer, struct _cl_command_queue *queue, struct _cl_mem *from,
     struct _cl_mem *to, size_t from_at, size_t to_at, size_t bytes, uint32_t waits,
     struct _cl_event *const *wait, struct _cl_event **event)
{
    ENTER;
    (void)waits, (void)wait;
    check_range(from, from_at, bytes);
    check_range(to, to_at, bytes);
    mock_opencl.counts.bytes_within += bytes;
    add(queue,
        &(struct op){.kind = OP_COPY_WITHIN,
                     .mem = from,
                     .other = to,
                     .at = from_at,
                     .other_at = to_at,
                     .bytes = bytes},
        event);
    return OPENCL_OK;
}

CALL(void *, clEnqueueMapBuffer, struct _cl_command_queue *queue, struct _cl_mem *buffer,
     uint32_t blocking, uint64_t flags, size_t at, size_t bytes, uint32_t waits,
     struct _cl_event *const *wait, struct _cl_event **event, int32_t *result)
{
    ENTER_MAKING(result);
    (void)waits, (void)wait;
    check_range(buffer, at, bytes);
    mock_opencl.counts.maps++;
    *result = add_and_wait(queue, &(struct op){.kind = OP_MAP, .mem = buffer, .flags = flags},
                           blocking, event);
    return *result == OPENCL_OK ? buffer->bytes + at : NULL;
}

CALL(int32_t, clEnqueueUnmapMemObject, struct _cl_command_queue *queue, struct _cl_mem *buffer,
     void *at, uint32_t waits, struct _cl_event *const *wait, struct _cl_event **event)
{
    ENTER;
    (void)at, (void)waits, (void)wait;
    add(queue, &(struct op){.kind = OP_UNMAP, .mem = buffer}, event);
    return OPENCL_OK;
}

CALL(int32_t, clEnqueueNDRangeKernel, struct _cl_command_queue *queue, struct _cl_kernel *kernel,
     uint32_t dims, const size_t *offset, const size_t *global, const size_t *local, uint32_t waits,
     struct _cl_event *const *wait, struct _cl_event **event)
{
    ENTER;
    (void)offset;
    size_t items = 1;
    for (uint32_t i = 0; local && i < dims; i++)
        items *= global[i] % local[i] ? 0 : local[i];
    if (items == 0 || items > mock_group(kernel))
        return -54;
    mock_opencl.counts.launches++;
    add(queue,
        &(struct op){.kind = OP_LAUNCH,
                     .kernel = kernel,
                     .args = kernel->args,
                     .wait = waits ? wait[0] : NULL},
        event);
    return OPENCL_OK;
}
