/*
 * radio_options.h - what an open radio can be set to: gain elements, antennas, filters, settings of
 * its driver. Immutable once it is published; any thread may keep it.
 */
#ifndef FFTD_DAEMON_STREAM_RADIO_OPTIONS_H
#define FFTD_DAEMON_STREAM_RADIO_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RADIO_OPTIONS = 48, RADIO_VALUES_SIZE = 768 };
#define RADIO_GAIN    "gain."    /* and the name of an element: a gain in dB */
#define RADIO_SETTING "setting." /* and the key of the driver: a text */

struct radio_option {
    char name[80];   /* of a field of "set": center_hz, antenna, gain.LNA, setting.biastee */
    char label[64];  /* for people; "": the field has one */
    char help[160];  /* what it does; "": not known */
    char unit[16];   /* of a number; "": it has none, or is a text */
    double min, max; /* of a number, if max > min */
    double step;     /* of its values; 0: any */
    bool open;       /* the values are proposals for a number within the range */
    char values[RADIO_VALUES_SIZE]; /* each followed by '\n'; "": any */
};

struct radio_options {
    atomic_uint refs;
    uint32_t count;
    struct radio_option option[RADIO_OPTIONS];
};

struct radio_options *radio_options_create(void); /* with one user; NULL: no memory */
struct radio_options *radio_options_ref(struct radio_options *r); /* NULL is fine */
void radio_options_unref(struct radio_options *r);                /* NULL is fine */
/* A new option with this name, zeroed; the last one again if there are too many. */
struct radio_option *radio_options_add(struct radio_options *r, const char *prefix,
                                       const char *name);
void radio_option_add_value(struct radio_option *o, const char *value); /* left out if too long */
/* NULL: none; r may be NULL. */
const struct radio_option *radio_options_find(const struct radio_options *r, const char *name);
/* 0, or -EINVAL with what is expected, as in "a number from 0 to 40". */
int radio_option_check(const struct radio_option *o, const char *text, char *expected, size_t size);

#endif
