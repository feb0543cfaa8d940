/* ocl_program.c - builds programs, makes kernels and launches them. */
#include "studies/ocl_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/ocl_internal.h"
#include "fft/opencl/opencl_sources.h"

/* ---- programs ---------------------------------------------------------------------------- */

static const char *find(const char *stem)
{
    const char *study = ocl_source(stem);
    return study ? study : opencl_source(stem);
}

/* #line makes the compiler's messages name the file and its line. */
char *ocl_text(const char *const *stems, const char *defines)
{
    char *text = NULL;
    size_t length = 0;
    bool complete = true;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fprintf(out, "%s\n", defines);
    for (; complete && *stems; stems++) {
        const char *file = find(*stems);
        complete = file != NULL;
        fprintf(out, "#line 1 \"%s.cl\"\n%s", *stems, complete ? file : "");
    }
    if (fclose(out) == 0 && complete)
        return text;
    free(text);
    return NULL;
}

int ocl_build(struct ocl *o, struct opencl_program **out, const char *const *stems,
              const char *defines, const char *options)
{
    char line[200];
    *out = NULL;
    for (const char *const *stem = stems; *stem; stem++)
        if (!find(*stem)) {
            snprintf(line, sizeof line, "no file %s.cl", *stem);
            return ocl_report(-ENOENT, line);
        }
    char *text = ocl_text(stems, defines);
    return text ? ocl_build_text(o, out, text, options) : ocl_report(-ENOMEM, "");
}

int ocl_build_text(struct ocl *o, struct opencl_program **out, char *text, const char *options)
{
    char why[400] = "";
    *out = NULL;
    /* The program is never released by its user, so the device keeps it. */
    return ocl_report(opencl_program_acquire(&o->device, text, options, out,
                                             (struct fft_reason){why, sizeof why}),
                      why);
}

/* ---- kernels ----------------------------------------------------------------------------- */

static int ask(struct ocl *o, const struct ocl_kernel *k, uint32_t what, void *value, size_t size,
               const char *name)
{
    return ocl_check(o->driver.kernel_group(k->handle, o->device.id, what, size, value, NULL),
                     name);
}

int ocl_kernel(struct ocl *o, struct ocl_kernel *k, struct opencl_program *p, const char *name)
{
    int32_t result = OPENCL_OK;
    *k = (struct ocl_kernel){.handle = o->driver.kernel_create(p->handle, name, &result)};
    int err = ocl_check(result, name);
    if (err < 0) {
        k->handle = NULL;
        return err;
    }
    err = ask(o, k, OPENCL_KERNEL_GROUP_SIZE, &k->group, sizeof k->group, name);
    if (err == 0)
        err = ask(o, k, OPENCL_KERNEL_PRIVATE_BYTES, &k->private_bytes, sizeof k->private_bytes,
                  name);
    if (err == 0)
        err = ask(o, k, OPENCL_KERNEL_LOCAL_BYTES, &k->local_bytes, sizeof k->local_bytes, name);
    return err;
}

void ocl_kernel_free(struct ocl *o, struct ocl_kernel *k)
{
    if (k->handle)
        o->driver.kernel_release(k->handle);
    *k = (struct ocl_kernel){0};
}

int ocl_launch(struct ocl *o, const struct ocl_launch *l)
{
    int32_t result = OPENCL_OK;
    uint32_t dims = 0;
    for (uint32_t i = 0; result == OPENCL_OK && i < l->arg_count; i++) {
        const struct ocl_arg *a = &l->args[i];
        result = o->driver.kernel_arg(l->kernel->handle, i, a->bytes, a->is_local ? NULL : &a->u);
    }
    while (dims < OCL_DIMS && l->global[dims])
        dims++;
    if (o->profiling && o->events == OCL_EVENTS)
        return ocl_report(-E2BIG, "too many launches to profile");
    struct _cl_event **event = o->profiling ? &o->event[o->events] : NULL;
    if (result == OPENCL_OK)
        result = o->driver.launch(o->queue, l->kernel->handle, dims, NULL, l->global,
                                  l->local[0] ? l->local : NULL, 0, NULL, event);
    o->events += event && result == OPENCL_OK;
    return ocl_check(result, "launching a kernel");
}
