/* host_device.c - a simulated device: the cpu engine on protected pages. */
#include "tests/support/cmocka_all.h"

#include "tests/support/engine/host_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fft/buffer.h"
#include "fft/cpu/engine_cpu.h"
#include "fft/real.h"
#include "tests/support/engine/capabilities.h"

enum { FRESH = 0x7f }; /* bytes of floats near 3.4e38; differs from the tests' own poison */

struct device_counts device_counts;
int device_fails;

/* ---- memory ----------------------------------------------------------------------------- */

/* A buffer's state: `bytes` bytes on the device and as many on the host. */
struct block {
    char *device, *host;
    size_t bytes;
};

static void set_access(void *memory, size_t bytes, bool open)
{
    assert_int_equal(mprotect(memory, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE), 0);
}

/* Pages of buffers that are gone, still protected. To map and unmap them takes longer than the
 * tests. */
static struct {
    char *pages;
    size_t bytes;
} spare[16];

static char *map_pages(size_t bytes)
{
    for (size_t i = 0; i < sizeof spare / sizeof spare[0]; i++)
        if (spare[i].pages && spare[i].bytes == bytes) {
            char *pages = spare[i].pages;
            spare[i].pages = NULL;
            return pages;
        }
    void *pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    return pages;
}

static void unmap_pages(char *pages, size_t bytes)
{
    static size_t next; /* of the oldest ones */
    const size_t i = next++ % (sizeof spare / sizeof spare[0]);
    if (spare[i].pages)
        munmap(spare[i].pages, spare[i].bytes);
    spare[i].pages = pages;
    spare[i].bytes = bytes;
}

static int device_buffer_create(struct fft_buffer *b)
{
    struct block *block = b->priv;
    assert_null(b->memory);
    *block = (struct block){map_pages(b->bytes), map_pages(b->bytes), b->bytes};
    set_access(block->device, b->bytes, true);
    memset(block->device, FRESH, b->bytes);
    set_access(block->device, b->bytes, false);
    device_counts.buffers++;
    return 0;
}

static void copy_block(const struct block *block, bool to_host)
{
    set_access(block->device, block->bytes, true);
    if (to_host)
        memcpy(block->host, block->device, block->bytes);
    else
        memcpy(block->device, block->host, block->bytes);
    set_access(block->device, block->bytes, false);
}

static int device_wait(struct fft_engine *e);

static int device_buffer_map(struct fft_buffer *b, void **at)
{
    struct block *block = b->priv;
    const int err = device_wait(b->engine);
    if (err < 0)
        return err;
    set_access(block->host, block->bytes, true);
    if (b->access & FFT_BUFFER_READ) {
        copy_block(block, true);
        device_counts.to_host++;
    } else {
        memset(block->host, FRESH, block->bytes);
    }
    *at = block->host;
    return 0;
}

static int device_buffer_unmap(struct fft_buffer *b)
{
    const struct block *block = b->priv;
    if (b->access & FFT_BUFFER_WRITE) {
        copy_block(block, false);
        device_counts.to_device++;
    }
    set_access(block->host, block->bytes, false);
    return 0;
}

static void device_buffer_destroy(struct fft_buffer *b)
{
    const struct block *block = b->priv;
    device_wait(b->engine);
    unmap_pages(block->device, block->bytes);
    unmap_pages(block->host, block->bytes);
    device_counts.buffers--;
}

/* ---- passes ----------------------------------------------------------------------------- */

/* A pass of the cpu engine, or the library's real pass on top of it. */
struct device_pass {
    struct fft_engine cpu;
    struct engine_pass inner;
    struct engine_pass columns; /* of planes, in place after `inner` */
    struct real real;
};

static bool is_limited(const struct fft_engine *e)
{
    return e->ops == device_ops(DEVICE_LIMITED);
}

static int limited_can(const struct fft_engine *e, const struct fft_spectrum_config *plan,
                       struct fft_reason why)
{
    if (capabilities_cover_spectrum(capabilities_of(e->ops->name), plan))
        return 0;
    fft_reason_set(why, "the table does not list it");
    return -ENOTSUP;
}

static bool device_pass_joins(const struct engine_pass *p)
{
    return p->n % 2 == 0 && p->next.count % 2 == 0;
}

/* A loop of the rows that has one iteration. */
static struct engine_rows *spare_loop(struct engine_pass *p)
{
    uint32_t i = 1; /* not rows[0], whose count may change */
    while (p->rows[i].count > 1)
        assert_true(++i < 3);
    return &p->rows[i];
}

/* Planes: the rows, then the columns. The loops have room for one more because of rank 3. */
static int init_columns(struct device_pass *d, struct fft_reason why)
{
    const struct engine_pass *p = &d->inner;
    d->columns = *p;
    d->columns.n = p->next.count;
    d->columns.from = d->columns.to = p->next.to;
    for (uint32_t i = 0; i < 3; i++)
        d->columns.rows[i].from = p->rows[i].to;
    *spare_loop(&d->columns) = (struct engine_rows){p->n, p->to, p->to};
    *spare_loop(&d->inner) = p->next;
    d->inner.scale = 1;
    d->inner.next.count = d->columns.next.count = 0;
    d->columns.priv = calloc(1, cpu_engine_ops.pass_size);
    return cpu_engine_ops.pass_init(&d->columns, why);
}

static int device_pass_init(struct engine_pass *p, struct fft_reason why)
{
    struct device_pass *d = p->priv;
    if (is_limited(p->engine) && (p->n < 16 || (p->n & (p->n - 1)) || p->from != 1)) {
        fft_reason_set(why, "the table does not list rows of %u points", p->n);
        return -ENOTSUP;
    }
    d->cpu = *p->engine;
    d->cpu.ops = &cpu_engine_ops;
    d->inner = *p;
    d->inner.engine = &d->cpu;
    d->inner.priv = calloc(1, cpu_engine_ops.pass_size);
    if (p->next.count > 0) {
        assert_true(p->engine->ops->pass_joins && p->engine->ops->pass_joins(p));
        const int err = init_columns(d, why);
        if (err < 0)
            return err;
    }
    if (p->kind == PASS_COMPLEX)
        return cpu_engine_ops.pass_init(&d->inner, why);
    assert_true(p->engine->ops->real_passes);
    return fft_real_init(&d->real, &d->inner, why);
}

/* Passes that wait to run, each with the rows and buffers given when it was queued. */
static struct queued {
    struct device_pass *pass;
    struct engine_rows first_rows;
    struct block *from, *to;
} queue[16];
static size_t queue_length;

static int run_one(const struct queued *q)
{
    struct device_pass *d = q->pass;
    set_access(q->from->device, q->from->bytes, true);
    set_access(q->to->device, q->to->bytes, true);
    struct fft_buffer from = fft_buffer_of_host(&d->cpu, q->from->device, q->from->bytes);
    struct fft_buffer to = fft_buffer_of_host(&d->cpu, q->to->device, q->to->bytes);
    struct fft_buffer *in = q->from == q->to ? &to : &from;

    d->inner.rows[0] = q->first_rows;
    int err = d->inner.kind == PASS_COMPLEX ? cpu_engine_ops.pass_run(&d->inner, in, &to)
                                            : fft_real_run(&d->real, in, &to);
    if (d->columns.priv && err == 0) {
        d->columns.rows[0].count = q->first_rows.count;
        err = cpu_engine_ops.pass_run(&d->columns, &to, &to);
    }
    if (device_fails) {
        err = device_fails;
        device_fails = 0;
    }
    set_access(q->from->device, q->from->bytes, false);
    set_access(q->to->device, q->to->bytes, false);
    return err;
}

static int device_wait(struct fft_engine *e)
{
    int err = 0;
    (void)e;
    for (size_t i = 0; i < queue_length; i++) {
        const int one = run_one(&queue[i]);
        err = err ? err : one;
    }
    queue_length = 0;
    return err;
}

static int device_pass_run(const struct engine_pass *p, struct fft_buffer *from,
                           struct fft_buffer *to)
{
    int err = 0;
    assert_int_equal(from->access, 0);
    assert_int_equal(to->access, 0);
    if (queue_length == sizeof queue / sizeof queue[0])
        err = device_wait(p->engine);
    queue[queue_length++] = (struct queued){p->priv, p->rows[0], from->priv, to->priv};
    device_counts.passes++;
    device_counts.spread_reads += p->n > 1 && p->from != 1;
    return err;
}

static void device_pass_finish(struct engine_pass *p)
{
    struct device_pass *d = p->priv;
    device_wait(p->engine);
    if (!d->inner.priv)
        return; /* pass_init refused it */
    if (d->columns.priv)
        cpu_engine_ops.pass_finish(&d->columns);
    free(d->columns.priv);
    if (p->kind == PASS_COMPLEX)
        cpu_engine_ops.pass_finish(&d->inner);
    else
        fft_real_finish(&d->real);
    free(d->inner.priv);
}

const struct engine_ops *device_ops(enum device_kind kind)
{
    static const char *const names[] = {"device-plain", "device-real", "device-rotate",
                                        "device-plane", "device-limited"};
    static struct engine_ops all[DEVICE_KINDS];
    struct engine_ops *ops = &all[kind];

    *ops = cpu_engine_ops; /* everything but transforms */
    ops->name = names[kind];
    ops->prefers_rotate = kind == DEVICE_ROTATE || kind == DEVICE_LIMITED;
    ops->real_passes = kind == DEVICE_REAL || kind == DEVICE_ROTATE || kind == DEVICE_PLANE;
    ops->can = kind == DEVICE_LIMITED ? limited_can : NULL;
    ops->pass_size = sizeof(struct device_pass);
    ops->pass_init = device_pass_init;
    ops->pass_finish = device_pass_finish;
    ops->pass_run = device_pass_run;
    ops->pass_joins = kind == DEVICE_PLANE ? device_pass_joins : NULL;
    ops->buffer_size = sizeof(struct block);
    ops->buffer_create = device_buffer_create;
    ops->buffer_map = device_buffer_map;
    ops->buffer_unmap = device_buffer_unmap;
    ops->buffer_destroy = device_buffer_destroy;
    ops->wait = device_wait;
    return ops;
}
