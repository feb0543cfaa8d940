/* record_name.h - the names of a recording's files. Pure, any thread. */
#ifndef FFTD_DAEMON_RECORD_RECORD_NAME_H
#define FFTD_DAEMON_RECORD_RECORD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_META ".sigmf-meta"
#define RECORD_DATA ".sigmf-data"
#define RECORD_PART ".sigmf-part"
#define RECORD_GONE ".sigmf-gone" /* metadata of a recording that is being deleted */
enum { RECORD_NAME = 96, RECORD_SUFFIX = sizeof RECORD_META - 1 };

#define RECORD_UNDATED INT64_MIN
/*
 * "fftd_20261121T101500Z_433.92M_2400k": UTC of the first sample, centre (NAN: left out), rate.
 * Of a time that is not known, RECORD_UNDATED, the name has the seconds of the first sample since
 * the start of the replayed recording, "fftd_undated-12.345s_433.92M_2400k", in which nobody reads
 * a date. iq_name.h and rtl_433 read centre and rate from it. With copy > 0, "-2" and so on follows
 * the time.
 */
struct record_start {
    int64_t time_ns;   /* Unix time, or RECORD_UNDATED */
    double since_s;    /* since the start of that recording */
    const char *label; /* (optional) of a channel: it follows the time. Letters, digits and -_. */
};
void record_name(struct record_start start, double center_hz, double rate_hz, unsigned copy,
                 char into[RECORD_NAME]);

/* The length of NAME if the file is NAME and the suffix, and NAME is of this form; else 0. */
size_t record_name_length(const char *file, const char *suffix);

#endif
