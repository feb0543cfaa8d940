/* log.c - formats a line and writes it in one call. */
#include "daemon/base/log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log_limit.h"

static bool journal;
static pthread_mutex_t terminal_lock = PTHREAD_MUTEX_INITIALIZER;
static int progress_columns; /* of the line of progress; 0: none (under terminal_lock) */

/* Taken before terminal_lock. */
static pthread_mutex_t limit_lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_limit limit; /* under limit_lock */

void log_init(void)
{
    journal = getenv("JOURNAL_STREAM") != NULL;
}

/* Overwrites it with blanks: every terminal can do that. */
static void erase_progress(void)
{
    if (progress_columns > 0)
        fprintf(stderr, "\r%*s\r", progress_columns, "");
    progress_columns = 0;
}

/*
 * A name of a file or a message of a client may have line ends, which would make lines of their
 * own, or sequences that a terminal obeys: each such byte becomes a question mark.
 */
static void disarm(char *text, int length)
{
    for (int i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const bool c1 = i > 0 && (unsigned char)text[i - 1] == 0xc2 && byte >= 0x80 && byte < 0xa0;
        if ((byte < ' ' && byte != '\t') || byte == 127 || c1)
            text[i] = '?';
    }
}

/* One fwrite for each line, so that lines of several threads do not mix. */
static void write_line(int priority, const char *format, va_list args)
{
    char line[1024];
    int at = journal ? snprintf(line, sizeof line, "<%d>", priority)
                     : snprintf(line, sizeof line, "fftd: ");
    const int capacity = (int)sizeof line - at - 1;
    const int wrote = vsnprintf(line + at, (size_t)capacity, format, args);
    const int start = at;
    at += wrote < 0 ? 0 : wrote < capacity ? wrote : capacity - 1;
    disarm(line + start, at - start);
    line[at] = '\n';
    pthread_mutex_lock(&terminal_lock);
    erase_progress();
    fwrite(line, 1, (size_t)at + 1, stderr);
    pthread_mutex_unlock(&terminal_lock);
}

bool log_is_on_terminal(void)
{
    return !journal && isatty(STDERR_FILENO) && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void log_progress(const char *text)
{
    const int capacity = terminal_columns() - 1, length = (int)strlen(text);
    const int columns = length < capacity ? length : capacity;
    pthread_mutex_lock(&terminal_lock);
    const int blanks = progress_columns > columns ? progress_columns - columns : 0;
    if (columns == 0) {
        erase_progress();
    } else {
        fprintf(stderr, "\r%.*s%*s", columns, text, blanks, "");
        progress_columns = columns + blanks;
    }
    fflush(stderr);
    pthread_mutex_unlock(&terminal_lock);
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
    write_text(priority, "%s (repeated %llu time%s)", text, (unsigned long long)repeats,
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
    pthread_mutex_lock(&limit_lock);
    const bool admitted = log_limit_admits(&limit, (int)priority, text, clock_now_ns(), &repeats);
    pthread_mutex_unlock(&limit_lock);
    if (admitted && repeats > 0)
        write_repeats(priority, text, repeats);
    else if (admitted)
        write_text(priority, "%s", text);
}

void log_capped(const char *about, const char *text)
{
    static atomic_ullong since_ns;
    static atomic_uint logged;
    const uint64_t now_ns = clock_now_ns();
    if (logged == 0 || now_ns - since_ns >= UINT64_C(60000000000)) {
        since_ns = now_ns;
        logged = 0;
    }
    if (logged++ < 10)
        log_warn("%s: %.*s", about, (int)strcspn(text, "\n"), text);
}

void log_finish(void)
{
    pthread_mutex_lock(&limit_lock);
    for (int i = 0; i < LOG_LIMIT_LINES; i++) {
        struct log_limit_line *line = &limit.lines[i];
        if (line->repeats > 0)
            write_repeats((enum log_priority)line->priority, line->text, line->repeats);
        line->repeats = 0;
    }
    pthread_mutex_unlock(&limit_lock);
}
