/*
 * setting_change.h - the settings that one call changes: read once, then applied.
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_SETTING_CHANGE_H
#define FFTD_DAEMON_CONTROL_SETTING_CHANGE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/control/radio_change.h"
#include "daemon/stream/settings.h"

struct config_option;
struct reason;

/* The options that clients change, by position in the table of options; NULL: beyond the last. */
const struct config_option *setting_at(size_t i);
size_t setting_count(void); /* at most 64 */

struct setting_change {
    uint64_t fields;           /* bit i: it has setting_at(i) */
    struct settings values;    /* of those fields; the others are zero */
    struct radio_change radio; /* fields that only this radio has */
};

/*
 * Reads all fields of an object but "type": texts as below, numbers, true and false. 0, or -EINVAL
 * with one line in *why for the first field that is unknown or has a bad value. *out is complete.
 */
int setting_change_read(const json_t *fields, struct setting_change *out, struct reason *why);

/*
 * Adds a field with a text as on the command line: "433.92 MHz", "8k". -EINVAL with one line in
 * *why: it is unknown, was added before, or the text is not valid.
 */
int setting_change_add(struct setting_change *change, const char *name, const char *text,
                       struct reason *why);
/*
 * Refuses two fields of which one has no effect, as an average and a line rate (exclusions.c). Both
 * may be given as they are in force: a client may send all settings that it got. 0, or -EINVAL with
 * one line in *why that names both.
 */
int setting_change_check(const struct setting_change *change, const struct settings *now,
                         struct reason *why);
/*
 * After the last field was added: a line rate alone sets average to 0, a line rate or an average
 * alone the VBW, and an FFT size alone the RBW. Otherwise they would have no effect.
 */
void setting_change_complete(struct setting_change *change);

/* Copies the changed fields into `settings`, except those of radio_change_apply. */
void setting_change_apply(const struct setting_change *change, struct settings *settings);

#endif
