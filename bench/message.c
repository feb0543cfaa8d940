/* message.c - prints messages of the bench's programs. */
#include "bench/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

void bench_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int bench_fail(const char *what, const char *why)
{
    bench_error("%s: %s", what, why);
    return -EIO;
}
