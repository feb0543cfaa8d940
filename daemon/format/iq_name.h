/*
 * iq_name.h - what the name of a recording says about it. Pure, any thread.
 *
 *     [format:]path        format: one of the suffixes below; forces a raw file of that format
 *
 *     suffix                              content
 *     .cu8 .data .complex16u              raw cu8         (suffixes as in rtl_433's
 * FFT_IQ_FORMATS.md, .cs8 .complex16s                    raw cs8          upper or lower case)
 *     .cs16                               raw cs16
 *     .cf32 .cfile .complex               raw cf32
 *     .wav .wave .bwf .rf64 .bw64         WAV             (prefix wav: for a pipe)
 *     .sigmf-meta .sigmf-data             SigMF pair
 *     .sigmf                              SigMF archive   (prefix sigmf: for a pipe)
 *     .cu4 .cs4 .cu12 .cs12 .cu16 .cu32
 *     .cs32 .cu64 .cs64 .cf64             known to others, refused by name
 *
 * Parts of the file's name between underscores or blanks:
 *
 *     433.92M 7100kHz 2.4GHz 433920000Hz 2.4G    centre
 *     250k 250ksps 2.4Msps 250000sps             rate
 *     1M6 = 1.6 M, 433M92 = 433.92 M             rate when a centre is there as well, else centre
 *                                                when a rate is there, else rate
 *
 * Two parts with a plain M and no rate (868.95M_2M) are centre, rate; otherwise the last one of a
 * kind wins, as in rtl_433.
 */
#ifndef FFTD_DAEMON_FORMAT_IQ_NAME_H
#define FFTD_DAEMON_FORMAT_IQ_NAME_H

#include <stdbool.h>

#include "fft/iq.h"

enum iq_container {
    IQ_UNKNOWN, /* no suffix that we know */
    IQ_RAW,
    IQ_WAV,
    IQ_SIGMF_PAIR,
    IQ_SIGMF_ARCHIVE,
    IQ_REFUSED /* a format that we cannot read: `refused` */
};

struct iq_name {
    const char *path; /* into the text given: without the prefix */
    enum iq_container container;
    enum fft_iq_format format; /* of IQ_RAW */
    char refused[8];           /* "cs12" */
    double center_hz;          /* NAN: the name does not say */
    double rate_hz;            /* 0: the name does not say */
};

void iq_name_parse(const char *text, struct iq_name *out);

#endif
