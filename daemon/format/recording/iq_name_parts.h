/*
 * iq_name_parts.h - for iq_name.c: the parts of a name without folder and suffix. Pure, any thread.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_IQ_NAME_PARTS_H
#define FFTD_DAEMON_FORMAT_RECORDING_IQ_NAME_PARTS_H

#include <stddef.h>

#include "daemon/format/recording/iq_name.h"

/* Larger values are taken for something else: the radio spectrum ends at 300 GHz. */
#define IQ_NAME_CENTER_MAX_HZ 300e9
#define IQ_NAME_RATE_MAX_HZ   10e9

/* Sets centre and rate from numbers with units. */
void iq_name_read_values(const char *name, size_t length, struct iq_name *out);

/*
 * Sets the time, and what programs write without a unit: centre and rate in names of gqrx, and the
 * centre in names of the KiwiSDR. gqrx's names determine the sample format, too.
 */
void iq_name_read_style(const char *name, size_t length, struct iq_name *out);

#endif
