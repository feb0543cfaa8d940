/* record_name.h - the names of a recording's files. Pure, any thread. */
#ifndef FFTD_DAEMON_RECORD_RECORD_NAME_H
#define FFTD_DAEMON_RECORD_RECORD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_META ".sigmf-meta"
#define RECORD_DATA ".sigmf-data"
#define RECORD_PART ".sigmf-part"
enum { RECORD_NAME = 96, RECORD_SUFFIX = sizeof RECORD_META - 1 };

/*
 * "fftd_20261121T101500Z_433.92M_2400k": UTC of the first sample, centre (NAN: left out), rate.
 * iq_name.h and rtl_433 read centre and rate from it. With copy > 0, "-2" and so on follows the
 * time.
 */
void record_name(int64_t time_ns, double center_hz, double rate_hz, unsigned copy,
                 char into[RECORD_NAME]);

/* The length of NAME if the file is NAME and the suffix, and NAME is of this form; else 0. */
size_t record_name_length(const char *file, const char *suffix);

#endif
