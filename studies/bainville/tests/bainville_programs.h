/* bainville_programs.h - the texts of all kernels after Bainville's document, for a compiler. */
#ifndef FFTD_STUDIES_BAINVILLE_TESTS_BAINVILLE_PROGRAMS_H
#define FFTD_STUDIES_BAINVILLE_TESTS_BAINVILLE_PROGRAMS_H

/* Writes a file for each program into the folder. Returns 0; ends the process if it cannot. */
int bainville_write_programs(const char *folder);

#endif
