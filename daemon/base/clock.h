/* clock.h - the clocks of the daemon, and waiting until one of them reaches a time. Any thread. */
#ifndef FFTD_DAEMON_BASE_CLOCK_H
#define FFTD_DAEMON_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

uint64_t clock_now_ns(void);             /* CLOCK_MONOTONIC: for durations */
uint64_t clock_after_ms(int timeout_ms); /* clock_now_ns() + timeout_ms */
int64_t clock_unix_ns(void);             /* CLOCK_REALTIME: Unix time */

/* Waits for a signal with the mutex held. False: clock_now_ns() has reached until_ns. */
bool clock_wait(uv_cond_t *changed, uv_mutex_t *lock, uint64_t until_ns);

#endif
