/* keys_json.h - the keys of measurements and triggers, from clients and for them. */
#ifndef FFTD_DAEMON_API_KEYS_JSON_H
#define FFTD_DAEMON_API_KEYS_JSON_H

#include "daemon/base/reason.h"
#include "daemon/measure/measure_setup.h"

struct measure_thread;

/*
 * The keys of a measurement or trigger as they were written, but for the type, URLs, and the
 * folders of files. NULL: no memory.
 */
json_t *keys_to_json(const struct option_text *text, const struct option_family *family,
                     const struct option_type *type);
/* What a call says of the measurement or trigger of a name. Finish the text in any case. */
int keys_read(struct option_text *out, const char *name, const json_t *values, struct reason *why);
/* {"measurements": [...]}, the newest results. NULL: no memory. */
json_t *measurements_to_json(struct measure_thread *m);

#endif
