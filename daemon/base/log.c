/* log.c - formats a line and writes it in one call. */
#include "daemon/base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool journal;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress_columns; /* of the line of progress on the terminal; 0: none (under lock) */

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
    pthread_mutex_lock(&lock);
    erase_progress();
    fwrite(line, 1, (size_t)at + 1, stderr);
    pthread_mutex_unlock(&lock);
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
    const int room = terminal_columns() - 1, length = (int)strlen(text);
    const int columns = length < room ? length : room;
    pthread_mutex_lock(&lock);
    const int blanks = progress_columns > columns ? progress_columns - columns : 0;
    if (columns == 0) {
        erase_progress();
    } else {
        fprintf(stderr, "\r%.*s%*s", columns, text, blanks, "");
        progress_columns = columns + blanks;
    }
    fflush(stderr);
    pthread_mutex_unlock(&lock);
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
