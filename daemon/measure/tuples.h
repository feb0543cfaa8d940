/*
 * tuples.h - lists of numbers in an option: "5M:3.84M:-45, 10M:3.84M". Pure.
 *
 * Commas separate tuples, colons separate their numbers. Numbers may have SI suffixes and units.
 */
#ifndef FFTD_DAEMON_MEASURE_TUPLES_H
#define FFTD_DAEMON_MEASURE_TUPLES_H

#include <stddef.h>

#include "daemon/base/si.h"

enum { TUPLE_NUMBERS = 3, TUPLES = 64, TUPLES_TEXT = 1024 };

struct tuple_form {
    unsigned least, most; /* numbers in a tuple */
    enum si_unit unit[TUPLE_NUMBERS];
};

/*
 * The number of tuples; numbers that are absent are NAN. "" has none. -EINVAL: a tuple is no list
 * of such numbers, or there are more than TUPLES.
 */
int tuples_parse(const char *text, const struct tuple_form *form,
                 double out[TUPLES][TUPLE_NUMBERS]);

#endif
