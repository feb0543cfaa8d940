/* message.c - prints messages of the bench's programs. */
#include "bench/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    return BENCH_REPORTED;
}

int bench_report(const char *what, int err)
{
    return err < 0 && err != BENCH_REPORTED ? bench_fail(what, strerror(-err)) : err;
}
