/* cut_workers.h - threads that share the work of their caller. */
#ifndef FFTD_DAEMON_RECORD_CUT_WORKERS_H
#define FFTD_DAEMON_RECORD_CUT_WORKERS_H

enum { CUT_WORKERS = 4 }; /* most of them, the caller included */

struct cut_workers;

/* workers: 1 .. CUT_WORKERS, the caller included; less if the system has no thread. -ENOMEM. */
int cut_workers_create(struct cut_workers **out, unsigned workers);
void cut_workers_destroy(struct cut_workers *w); /* NULL is fine */
unsigned cut_workers_count(const struct cut_workers *w);
/* Calls work(arg, 0) here and 1 .. parts - 1 in the others; waits for all. parts <= the count. */
void cut_workers_run(struct cut_workers *w, void (*work)(void *arg, unsigned part), void *arg,
                     unsigned parts);

#endif
