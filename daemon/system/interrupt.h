/*
 * interrupt.h - asks long work to end early: a start that repairs large files. Any thread.
 *
 * While the parts of the daemon start, SIGTERM and SIGINT set a flag that repairs look at. They
 * end with -EINTR, and leave what they did so far for the next start.
 */
#ifndef FFTD_DAEMON_SYSTEM_INTERRUPT_H
#define FFTD_DAEMON_SYSTEM_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch_signals(void); /* from now on, until others take over the signals */
void interrupt_request(void);       /* also by a signal handler */
bool interrupt_requested(void);
int interrupt_signal(void); /* the signal that asked; 0: none */

#endif
