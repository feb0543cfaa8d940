/*
 * problem_log.h - log lines of problems between samples, which may come with every read. The ledger
 * counts every one of them. Plain state, one thread.
 */
#ifndef FFTD_DAEMON_SOURCE_PROBLEM_LOG_H
#define FFTD_DAEMON_SOURCE_PROBLEM_LOG_H

#include <stdint.h>

struct problem_log {
    uint64_t logged_ns; /* time of the last line; 0: none */
    uint64_t problems;  /* since then */
};

/* Warns of a problem at most once in 10 s, with the number of those since the last line. */
void problem_log_warn(struct problem_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
