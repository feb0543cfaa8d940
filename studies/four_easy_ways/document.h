/* document.h - the document's printed figures: tables I to III. */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_DOCUMENT_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_DOCUMENT_H

#include <stdint.h>

/*
 * Seconds of whole programs, which include FFTW's planning; NaN: failed, or a size that the
 * document does not have.
 */
struct document_origin { /* table I: SGI Origin 2000, 195 MHz, 14 GB */
    double radix2, imsl, nag, scsl, fftw;
};
struct document_sp2 { /* table II: IBM SP-2, 160 MHz, 1 GB */
    double radix2, essl, fftw;
};

/* Table III: 2^24 points, SUN 20, 64 MB. */
struct document_base {
    uint32_t base;
    double fault_s, faults;         /* faults: of pages */
    double fault_share, user_share; /* of the run's time */
    double run_s;
};
enum { DOCUMENT_BASES = 5 };
extern const struct document_base document_bases[DOCUMENT_BASES];

struct document_origin document_origin(uint32_t n);
struct document_sp2 document_sp2(uint32_t n);

#endif
