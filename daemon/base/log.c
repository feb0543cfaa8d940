/* log.c - formats a line and writes it in one call. */
#include "daemon/base/log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/clock.h"
#include "daemon/base/log_limit.h"

static bool journal;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_limit limit; /* under lock */

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

LOG_FUNCTION(log_error, LOG_PRIORITY_ERROR)
LOG_FUNCTION(log_warn, LOG_PRIORITY_WARN)
LOG_FUNCTION(log_info, LOG_PRIORITY_INFO)

/* ---- lines that may repeat -------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void write_text(enum log_priority priority,
                                                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line((int)priority, format, args);
    va_end(args);
}

static void write_repeats(enum log_priority priority, const char *text, uint64_t repeats)
{
    write_text(priority, "%s (repeated %" PRIu64 " time%s)", text, repeats,
               repeats == 1 ? "" : "s");
}

void log_limited(enum log_priority priority, const char *format, ...)
{
    char text[LOG_LIMIT_TEXT];
    uint64_t repeats = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pthread_mutex_lock(&lock);
    const bool admitted = log_limit_admits(&limit, (int)priority, text, clock_now_ns(), &repeats);
    pthread_mutex_unlock(&lock);
    if (admitted && repeats > 0)
        write_repeats(priority, text, repeats);
    else if (admitted)
        write_text(priority, "%s", text);
}

void log_finish(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < LOG_LIMIT_LINES; i++) {
        struct log_limit_line *line = &limit.lines[i];
        if (line->repeats > 0)
            write_repeats((enum log_priority)line->priority, line->text, line->repeats);
        line->repeats = 0;
    }
    pthread_mutex_unlock(&lock);
}
