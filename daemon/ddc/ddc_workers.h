/* ddc_workers.h - threads that share the work of their caller. */
#ifndef FFTD_DAEMON_DDC_DDC_WORKERS_H
#define FFTD_DAEMON_DDC_DDC_WORKERS_H

enum { DDC_WORKERS = 4 }; /* most of them, the caller included */

struct ddc_workers;

/* workers: 1 .. DDC_WORKERS, the caller included; less if the system has no thread. -ENOMEM. */
int ddc_workers_create(struct ddc_workers **out, unsigned workers);
void ddc_workers_destroy(struct ddc_workers *w); /* NULL is fine */
unsigned ddc_workers_count(const struct ddc_workers *w);
/* Calls work(arg, 0) here and 1 .. parts - 1 in the others; waits for all. parts <= the count. */
void ddc_workers_run(struct ddc_workers *w, void (*work)(void *arg, unsigned part), void *arg,
                     unsigned parts);

#endif
