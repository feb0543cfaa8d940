/*
 * si.h - numbers with SI suffixes: "433.92M", "2.4e6", "250k", "1G". Pure, any thread.
 */
#ifndef FFTD_DAEMON_BASE_SI_H
#define FFTD_DAEMON_BASE_SI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Suffixes k M G (and K; m is refused as ambiguous). NaN, infinity and trailing junk: -EINVAL. */
int si_parse(const char *text, double *out);

/* The unit that a number may have: what people write after it. */
enum si_unit {
    SI_PLAIN,   /* none */
    SI_HZ,      /* Hz */
    SI_RATE,    /* S/s, Sps, Sa/s, samples/s, Hz */
    SI_LINES,   /* Hz, /s, lines/s */
    SI_DB,      /* dB */
    SI_DBM,     /* dBm */
    SI_PPM,     /* ppm */
    SI_PERCENT, /* % */
    SI_SECONDS, /* s, sec, ms, min, h, d, and no k, M or G; the result is in seconds */
    SI_BINARY,  /* k M G are powers of 1024; KiB, MB and the like are the same */
};

/*
 * As si_parse, and with spaces around the number and its unit, in any case: "2.4 MS/s", "30dB".
 * Suffixes keep their case. web/util/quantity.js reads the same texts.
 */
int si_parse_unit(const char *text, enum si_unit unit, double *out);
/* "433.92M", exact to the given significant digits, no trailing zeros; returns `into`. */
const char *si_format(double value, int digits, char *into, size_t size);

/*
 * Reads the number of a port: `length` bytes, decimal digits alone, at most five of them. False: it
 * is none, or above 65535. 0 is one, which some of the callers refuse.
 */
bool si_parse_port(const char *text, size_t length, uint16_t *port);

#endif
