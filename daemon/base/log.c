/* log.c - formats a line and writes it in one call. */
#include "daemon/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool journal;

void log_init(void)
{
    journal = getenv("JOURNAL_STREAM") != NULL;
}

/* One fwrite for each line, so that lines of several threads do not mix. */
static void write_line(int priority, const char *format, va_list args)
{
    char line[1024];
    int at = journal ? snprintf(line, sizeof line, "<%d>", priority)
                     : snprintf(line, sizeof line, "fftd: ");
    const int room = (int)sizeof line - at - 1;
    const int wrote = vsnprintf(line + at, (size_t)room, format, args);
    at += wrote < 0 ? 0 : wrote < room ? wrote : room - 1;
    line[at] = '\n';
    fwrite(line, 1, (size_t)at + 1, stderr);
}

#define LOG_FUNCTION(name, priority)                                                               \
    void name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        write_line(priority, format, args);                                                        \
        va_end(args);                                                                              \
    }

LOG_FUNCTION(log_error, 3)
LOG_FUNCTION(log_warn, 4)
LOG_FUNCTION(log_info, 6)
