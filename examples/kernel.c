/* kernel.c - reads a kernel, or computes a Gaussian one. */
#include "examples/kernel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/complain.h"

static const char blanks[] = " \t\r\n,";

/* Appends a number; the kernel is one long row until its width is known. */
static int append(struct kernel *k, size_t count, float number)
{
    if ((count & (count - 1)) == 0) { /* full at each power of two */
        float *more = realloc(k->at, (count ? 2 * count : 1) * sizeof *more);
        if (!more)
            return -ENOMEM;
        k->at = more;
    }
    k->at[count] = number;
    return 0;
}

/* Reads the numbers of a line. Returns how many, or -errno after a message. */
static int read_row(struct kernel *k, char *line, const char *path, unsigned number)
{
    const size_t before = (size_t)k->width * k->height;
    char *rest = line, *end;
    int count = 0;
    line[strcspn(line, "#")] = 0;
    for (rest += strspn(rest, blanks); *rest; rest = end + strspn(end, blanks)) {
        const float value = strtof(rest, &end);
        if (end == rest || !isfinite(value) || !strchr(blanks, *end))
            return complain(-EINVAL, "%s:%u: \"%.*s\" is not a number", path, number,
                            (int)strcspn(rest, blanks), rest);
        if (count == KERNEL_MAX)
            return complain(-EINVAL, "%s:%u: more than %d numbers", path, number, KERNEL_MAX);
        if (append(k, before + (size_t)count, value) < 0)
            return complain(-ENOMEM, "%s: no memory", path);
        count++;
    }
    return count;
}

static int read_rows(struct kernel *k, FILE *in, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    int count = 0;
    for (unsigned number = 1; count >= 0 && getline(&line, &size, in) > 0; number++) {
        count = read_row(k, line, path, number);
        if (count > 0 && k->height == 0)
            k->width = (uint32_t)count;
        if (count > 0 && (uint32_t)count != k->width)
            count = complain(-EINVAL, "%s:%u: %d numbers, and %u in the first row", path, number,
                             count, k->width);
        k->height += count > 0;
        if (k->height > KERNEL_MAX)
            count = complain(-EINVAL, "%s:%u: more than %d rows", path, number, KERNEL_MAX);
    }
    free(line);
    if (count >= 0 && k->height == 0)
        return complain(-EINVAL, "%s: no numbers", path);
    return count < 0 ? count : 0;
}

int kernel_read(struct kernel *k, const char *path)
{
    *k = (struct kernel){0};
    FILE *in = fopen(path, "r");
    if (!in)
        return complain(-errno, "%s: %s", path, strerror(errno));
    const int err = read_rows(k, in, path);
    fclose(in);
    return err;
}

/* One row of the Gaussian: it is the product of two of them. Sums to 1. */
static void fill_row(double *row, uint32_t reach, double deviation)
{
    double sum = 0;
    for (uint32_t i = 0; i <= 2 * reach; i++) {
        const double far = ((double)i - reach) / deviation;
        row[i] = exp(-far * far / 2);
        sum += row[i];
    }
    for (uint32_t i = 0; i <= 2 * reach; i++)
        row[i] /= sum;
}

int kernel_gaussian(struct kernel *k, double cutoff, bool high)
{
    const double deviation = sqrt(2 * M_LN2) / (2 * M_PI * cutoff);
    const uint32_t reach = (uint32_t)ceil(5 * deviation), width = 2 * reach + 1; /* 6e-7 is left */
    double *row = malloc(width * sizeof *row);
    *k = (struct kernel){width, width, malloc((size_t)width * width * sizeof *k->at)};
    if (!row || !k->at) {
        free(row);
        return complain(-ENOMEM, "no memory for a kernel of %u x %u numbers", width, width);
    }
    fill_row(row, reach, deviation);
    for (uint32_t y = 0; y < width; y++)
        for (uint32_t x = 0; x < width; x++)
            k->at[(size_t)y * width + x] = (float)(high ? -row[y] * row[x] : row[y] * row[x]);
    if (high)
        k->at[(size_t)reach * width + reach] += 1;
    free(row);
    return 0;
}

void kernel_free(struct kernel *k)
{
    free(k->at);
    k->at = NULL;
}
