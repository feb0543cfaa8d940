/* standard_files.h - keeps the numbers of standard input, output and error for these. */
#ifndef FFTD_DAEMON_SYSTEM_STANDARD_FILES_H
#define FFTD_DAEMON_SYSTEM_STANDARD_FILES_H

/*
 * For the start of main, before anything is opened. The caller of a program may have closed one of
 * the three ("fftd --csv x 2>&-"). The next file would get its number, and log lines would be
 * written into it. Reading a standard input that was closed, and writing to such an output, fails
 * with EBADF; messages to a closed standard error are lost.
 */
void standard_files_reserve(void);

#endif
