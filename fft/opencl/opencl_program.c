/* opencl_program.c - finds programs in memory or on disk, or builds them with the driver's
 * compiler. */
#include "fft/opencl/opencl_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { UNUSED_KEPT = 8 };

/* ---- the build log ---------------------------------------------------------------------- */

/* Returns the first line that names an error, else the first line that is not empty. Modifies the
 * log. */
static const char *first_error(char *log)
{
    const char *best = "";
    char *rest = NULL;
    bool is_error = false;
    for (char *line = strtok_r(log, "\n", &rest); line && !is_error;
         line = strtok_r(NULL, "\n", &rest)) {
        is_error = strstr(line, "error") != NULL;
        if (is_error || !best[0])
            best = line + strspn(line, " \t");
    }
    return best;
}

static void report_log(const struct opencl_device *d, struct _cl_program *program,
                       struct fft_reason why)
{
    size_t size = 0;
    char *log = NULL;
    if (d->driver->build_info(program, d->id, OPENCL_PROGRAM_BUILD_LOG, 0, NULL, &size) ==
        OPENCL_OK)
        log = calloc(1, size + 1);
    if (log && d->driver->build_info(program, d->id, OPENCL_PROGRAM_BUILD_LOG, size, log, NULL) ==
                   OPENCL_OK)
        fft_reason_set(why, "the driver cannot compile the kernels: %s", first_error(log));
    else
        fft_reason_set(why, "the driver cannot compile the kernels and gives no reason");
    free(log);
}

/* ---- from disk -------------------------------------------------------------------------- */

static struct opencl_key key_of(const struct opencl_device *d, const struct opencl_program *p)
{
    return (struct opencl_key){{d->identity, p->options, p->text, NULL}};
}

/* A binary that the driver rejects is no error. */
static struct _cl_program *load(const struct opencl_device *d, const struct opencl_program *p)
{
    const struct opencl_key key = key_of(d, p);
    size_t bytes;
    int32_t status = OPENCL_OK, result = OPENCL_OK;
    unsigned char *binary = opencl_cache_load(d->cache, &key, &bytes);
    if (!binary)
        return NULL;
    const unsigned char *binaries[] = {binary};
    struct _cl_program *program =
        d->driver->program_binary(d->context, 1, &d->id, &bytes, binaries, &status, &result);
    free(binary);
    if (result != OPENCL_OK)
        return NULL;
    if (status == OPENCL_OK &&
        d->driver->program_build(program, 1, &d->id, p->options, NULL, NULL) == OPENCL_OK)
        return program;
    d->driver->program_release(program);
    return NULL;
}

static void store(const struct opencl_device *d, const struct opencl_program *p)
{
    const struct opencl_key key = key_of(d, p);
    size_t bytes = 0;
    if (d->driver->program_info(p->handle, OPENCL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes,
                                NULL) != OPENCL_OK ||
        bytes == 0)
        return;
    unsigned char *binary = malloc(bytes);
    if (binary && d->driver->program_info(p->handle, OPENCL_PROGRAM_BINARIES, sizeof binary,
                                          &binary, NULL) == OPENCL_OK)
        opencl_cache_store(d->cache, &key, binary, bytes);
    free(binary);
}

/* ---- building --------------------------------------------------------------------------- */

static int compile(const struct opencl_device *d, struct opencl_program *p, struct fft_reason why)
{
    const char *texts[] = {p->text};
    int32_t result = OPENCL_OK;
    p->handle = d->driver->program_source(d->context, 1, texts, NULL, &result);
    if (result != OPENCL_OK) {
        p->handle = NULL;
        return opencl_check(result, "a program", why);
    }
    result = d->driver->program_build(p->handle, 1, &d->id, p->options, NULL, NULL);
    if (result == OPENCL_OK)
        return 0;
    if (result == OPENCL_BUILD_FAILURE)
        report_log(d, p->handle, why);
    else
        opencl_check(result, "compiling the kernels", why);
    return opencl_error(result);
}

static int load_or_compile(const struct opencl_device *d, struct opencl_program *p,
                           struct fft_reason why)
{
    p->handle = load(d, p);
    if (p->handle)
        return 0;
    const int err = compile(d, p, why);
    if (err < 0) {
        if (p->handle)
            d->driver->program_release(p->handle);
        return err;
    }
    store(d, p);
    return 0;
}

static void destroy_program(const struct opencl_device *d, struct opencl_program *p)
{
    if (p->handle)
        d->driver->program_release(p->handle);
    free(p->text);
    free(p);
}

/* ---- the list --------------------------------------------------------------------------- */

/* NULL: no such program. */
static struct opencl_program *find(struct opencl_device *d, const char *text, const char *options)
{
    pthread_mutex_lock(&d->lock);
    struct opencl_program *p = d->programs;
    while (p && (strcmp(p->text, text) != 0 || strcmp(p->options, options) != 0))
        p = p->next;
    if (p)
        p->users++;
    pthread_mutex_unlock(&d->lock);
    return p;
}

static void add(struct opencl_device *d, struct opencl_program *p)
{
    pthread_mutex_lock(&d->lock);
    p->next = d->programs;
    d->programs = p;
    pthread_mutex_unlock(&d->lock);
}

/* Keeps the newest programs of those that no plan uses. */
static void evict_unused(struct opencl_device *d)
{
    uint32_t unused = 0;
    for (struct opencl_program **at = &d->programs; *at;) {
        struct opencl_program *p = *at;
        if (p->users == 0 && ++unused > UNUSED_KEPT) {
            *at = p->next;
            destroy_program(d, p);
        } else {
            at = &p->next;
        }
    }
}

/* Owns the text, also on failure. Two threads may build the same program: both keep theirs. */
static int build(struct opencl_device *d, char *text, const char *options,
                 struct opencl_program **out, struct fft_reason why)
{
    struct opencl_program *p = calloc(1, sizeof *p);
    int err = -ENOMEM;
    if (p) {
        *p = (struct opencl_program){.text = text, .options = options, .users = 1};
        err = load_or_compile(d, p, why);
    }
    if (err < 0) {
        free(text);
        free(p);
        return err;
    }
    add(d, p);
    *out = p;
    return 0;
}

int opencl_program_acquire(struct opencl_device *d, char *text, const char *options,
                           struct opencl_program **out, struct fft_reason why)
{
    *out = find(d, text, options);
    if (!*out)
        return build(d, text, options, out, why);
    free(text);
    return 0;
}

void opencl_program_release(struct opencl_device *d, struct opencl_program *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&d->lock);
    p->users--;
    evict_unused(d);
    pthread_mutex_unlock(&d->lock);
}
