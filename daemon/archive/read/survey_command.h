/* survey_command.h - fftd survey DIR,KEY=VALUE,... Blocks on the disk. */
#ifndef FFTD_DAEMON_ARCHIVE_READ_SURVEY_COMMAND_H
#define FFTD_DAEMON_ARCHIVE_READ_SURVEY_COMMAND_H

#include <stddef.h>
#include <stdio.h>

struct reason;

/* Prints CSV, unless the text says otherwise. 0, or -errno with one line in *why. */
int survey_command(const char *text, FILE *out, struct reason *why);

#endif
