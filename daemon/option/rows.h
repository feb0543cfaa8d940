/*
 * rows.h - short forms for a table of options. Define OPTION_OF, the struct that has the fields; a
 * row {0} ends the table.
 */
#ifndef FFTD_DAEMON_OPTION_ROWS_H
#define FFTD_DAEMON_OPTION_ROWS_H

#include <math.h>

#include "daemon/option/option.h"

#define FIELD(member)        OPTION_FIELD(OPTION_OF, member)
#define FLAG(member)         .kind = OPTION_FLAG, .fallback = "no", FIELD(member)
#define STRING(member, text) .kind = OPTION_STRING, .fallback = (text), FIELD(member)
#define LABEL(member, text)  .kind = OPTION_LABEL, .fallback = (text), FIELD(member)
#define NUMBER(member, text) .kind = OPTION_NUMBER, .fallback = (text), FIELD(member)
#define COUNT(member, text)  .kind = OPTION_COUNT, .fallback = (text), FIELD(member)
#define BYTES(member, text)                                                                        \
    .kind = OPTION_BYTES, .fallback = (text), .metavar = "BYTES", .unit = SI_BINARY, FIELD(member)
#define RANGE(low, top) .min = (low), .max = (top)

#endif
