/*
 * build_programs.c - builds programs on the first OpenCL device and creates all of their kernels,
 * for drivers whose compiler prints statistics. It runs no kernel. The name of each kernel appears
 * on standard error before the driver creates it.
 *
 *     build_programs FILE.cl...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/ocl_internal.h"
#include "studies/ocl_program.h"

enum { KERNEL_NAMES = 0x1168 }; /* CL_PROGRAM_KERNEL_NAMES */

/* Returns the malloc'ed text, 0-terminated, or NULL if the file cannot be read. */
static char *read_text(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (in && getdelim(&text, &size, '\0', in) < 0) {
        free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    return text;
}

static int make_kernels(struct ocl *o, struct opencl_program *p, const char *path)
{
    char names[4096] = "";
    int err = ocl_check(
        o->driver.program_info(p->handle, KERNEL_NAMES, sizeof names - 1, names, NULL), path);
    for (char *name = strtok(names, ";"); err == 0 && name; name = strtok(NULL, ";")) {
        struct ocl_kernel k;
        fprintf(stderr, "kernel %s\n", name);
        err = ocl_kernel(o, &k, p, name);
        fprintf(stderr, "group %zu private %llu\n", k.group, (unsigned long long)k.private_bytes);
        ocl_kernel_free(o, &k);
    }
    return err;
}

static int build(struct ocl *o, const char *path)
{
    struct opencl_program *p;
    char *text = read_text(path);
    fprintf(stderr, "program %s\n", path);
    if (!text)
        return ocl_report(-1, "it cannot be read");
    const int err = ocl_build_text(o, &p, text, "");
    return err < 0 ? err : make_kernels(o, p, path);
}

int main(int argc, char **argv)
{
    struct ocl *o;
    char why[400];
    int err = 0;
    if (ocl_open(&o, "opencl", "cache=off", why, sizeof why) < 0) {
        fprintf(stderr, "no device: %s\n", why);
        return 77;
    }
    fprintf(stderr, "device %s\n", ocl_name(o));
    for (int i = 1; err == 0 && i < argc; i++)
        err = build(o, argv[i]);
    ocl_close(o);
    return err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
