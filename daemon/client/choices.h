/*
 * choices.h - what a "set" or a "view" message may hold, as JSON: the welcome message's "choices".
 * Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_CHOICES_H
#define FFTD_DAEMON_CLIENT_CHOICES_H

#include <jansson.h>

/*
 * One member for each field of a "set" message, and "detector" of a "view". All come from the
 * option table. The layout is described in wire.h. A new reference; NULL: no memory.
 */
json_t *choices_to_json(void);

#endif
