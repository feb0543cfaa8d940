/*
 * completion.h - prints what a shell needs to complete the command line of fftd, from the tables of
 * options and commands.
 *
 * Any thread.
 */
#ifndef FFTD_DAEMON_CONFIG_COMPLETION_H
#define FFTD_DAEMON_CONFIG_COMPLETION_H

#include <stdio.h>

#define COMPLETION_SHELLS "bash, zsh, fish"

/* The script for one of COMPLETION_SHELLS, which that shell reads at its start. */
void completion_print(const char *shell, FILE *out);

#endif
