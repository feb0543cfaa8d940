/*
 * iq_name.h - parses format, centre and rate from the name of a recording. Pure, any thread.
 *
 *     [format:]path        format: one of the suffixes below; forces a raw file of that format
 *
 *     suffix                              content         (as in rtl_433's IQ_FORMATS.md,
 *     .cu8 .data .complex16u              raw cu8          upper or lower case)
 *     .cs8 .complex16s                    raw cs8
 *     .cs16                               raw cs16
 *     .cf32 .cfile .complex               raw cf32
 *     .wav .wave .bwf .rf64 .bw64         WAV             (prefix wav: for a pipe)
 *     .sigmf-meta .sigmf-data             SigMF pair
 *     .sigmf                              SigMF archive   (prefix sigmf: for a pipe)
 *     .cu4 .cs4 .cu12 .cs12 .cu16 .cu32
 *     .cs32 .cu64 .cs64 .cf64             known formats that fftd cannot read
 *
 * Parts of the file's name between underscores or blanks:
 *
 *     433.92M 7100kHz 2.4GHz 433920000Hz 2.4G    centre
 *     250k 250ksps 2.4Msps 250000sps             rate
 *     1M6 = 1.6 M, 433M92 = 433.92 M             rate if the name has a centre, else centre if
 *                                                it has a rate, else rate
 *
 * Two parts with a plain M and no rate (868.95M_2M) are centre and rate. Otherwise the last part of
 * a kind wins, as in rtl_433.
 */
#ifndef FFTD_DAEMON_FORMAT_IQ_NAME_H
#define FFTD_DAEMON_FORMAT_IQ_NAME_H

#include <stdbool.h>

#include "fft/iq.h"

enum iq_container {
    IQ_UNKNOWN, /* no known suffix */
    IQ_RAW,
    IQ_WAV,
    IQ_SIGMF_PAIR,
    IQ_SIGMF_ARCHIVE,
    IQ_REFUSED /* a format that fftd cannot read: `refused` */
};

struct iq_name {
    const char *path; /* points into the given text, after the prefix */
    enum iq_container container;
    enum fft_iq_format format; /* of IQ_RAW */
    char refused[8];           /* "cs12" */
    double center_hz;          /* NAN: not in the name */
    double rate_hz;            /* 0: not in the name */
};

void iq_name_parse(const char *text, struct iq_name *out);

#endif
