/* problem_log.c - one line in 10 s. */
#include "daemon/source/problem_log.h"

#include <stdarg.h>
#include <stdio.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

static const uint64_t pause_ns = 10000000000;

void problem_log_warn(struct problem_log *log, const char *format, ...)
{
    const uint64_t now_ns = clock_now_ns();
    char what[400];
    va_list args;
    log->problems++;
    if (log->logged_ns && now_ns - log->logged_ns < pause_ns)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    log_warn("%s; %llu since the last such message", what, (unsigned long long)log->problems);
    *log = (struct problem_log){.logged_ns = now_ns};
}
