/*
 * process.h - fftd as a child process: its socket, its answers, its processor time by thread.
 *
 * fftd listens on a Unix socket in a folder of its own, which finish removes. Errors are -errno,
 * with one line on standard error.
 */
#ifndef FFTD_BENCH_DAEMON_PROCESS_H
#define FFTD_BENCH_DAEMON_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_THREADS = 32, PROCESS_STATUS = 65536 };

struct process {
    pid_t pid; /* 0: none */
    char folder[64], socket[96], log[96];
};

/* arguments: NULL last, without the program and --listen. "" as program: fftd in the folder of
 * fft-bench. */
int process_start(struct process *p, const char *program, char *const *arguments);
void process_finish(struct process *p); /* ends fftd and waits for it; zeroed is fine */
bool process_ended(struct process *p);  /* prints what fftd wrote */

int process_connect(const struct process *p); /* a connected socket, or -errno without a line */
/* The answer to GET path, without its head. -errno, without a line. */
int process_get(const struct process *p, const char *path, char *into, size_t size);

/* Threads of one name together, as CPU seconds since the start. */
struct process_times {
    uint32_t count;
    struct process_thread {
        char name[16];
        double seconds;
    } thread[PROCESS_THREADS];
};
void process_times(const struct process *p, struct process_times *out);
double process_memory_mib(const struct process *p); /* its own, without the ring; 0: not known */

/* The number that follows "key": after "object": in JSON text; a missing one is 0. */
double process_number(const char *json, const char *object, const char *key);
void process_text(const char *json, const char *object, const char *key, char *into, size_t size);

#endif
