/*
 * choices.h - the fields that a "set" or a "view" message may have, as JSON: the welcome message's
 * "choices". Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_CHOICES_H
#define FFTD_DAEMON_CONTROL_CHOICES_H

#include <jansson.h>

/*
 * One member for each field of a "set" message, and "detector" of a "view". They come from the
 * option table, and from the radio that is open (NULL: none). The layout is described in wire.h. A
 * new reference; NULL: no memory.
 */
struct radio_options;
json_t *choices_to_json(const struct radio_options *radio);

struct config_option;
/*
 * One of them: {"expected": ..., "values" or "min" and "max"}, with a label also "label", "group"
 * and "help". NULL: no memory.
 */
json_t *choice_to_json(const struct config_option *o, const char *label);

#endif
