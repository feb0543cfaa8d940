/*
 * radio_change.h - fields of a "set" message that only the open radio has: gain.ELEMENT and
 * setting.KEY (stream/radio_options.h). Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_RADIO_CHANGE_H
#define FFTD_DAEMON_CONTROL_RADIO_CHANGE_H

#include <jansson.h>

#include "daemon/stream/radio_options.h"
#include "daemon/stream/settings.h"

struct reason;

struct radio_change {
    char gains[sizeof(((struct tuning *)0)->gain)]; /* "LNA=20": those given */
    char settings[sizeof(((struct tuning *)0)->settings)];
};

bool radio_change_is_field(const char *name);
/* -EINVAL with one line in *why: it does not fit, or is given twice. */
int radio_change_add(struct radio_change *c, const char *name, const char *text,
                     struct reason *why);
/*
 * Merges the fields into the settings. A total or automatic gain becomes the elements in force.
 * -EINVAL with one line in *why: the radio has no such option, or the value is not valid.
 */
int radio_change_apply(const struct radio_change *c, const struct radio_options *radio,
                       const struct stream *now, struct settings *settings, struct reason *why);

/* Adds the options of the radio to the "choices" of the welcome message. radio may be NULL. */
void radio_options_add_choices(json_t *choices, const struct radio_options *radio);

#endif
