/* keys_json.h - the keys of measurements, triggers and named channels, from clients and for them.
 */
#ifndef FFTD_DAEMON_API_KEYS_JSON_H
#define FFTD_DAEMON_API_KEYS_JSON_H

#include "daemon/api/resource.h"
#include "daemon/base/reason.h"
#include "daemon/measure/measure_setup.h"

struct measure_thread;

/*
 * The keys of a measurement, trigger or channel as they were written, but for the type, URLs, and
 * the folders of files. NULL: no memory.
 */
json_t *keys_to_json(const struct option_text *text, const struct option_family *family,
                     const struct option_type *type);
/*
 * PUT: hands the keys that a call names for its measurement, trigger or channel to `set`, and tells
 * the reply where a new one is.
 */
int keys_put(const struct api_call *call, struct api_reply *reply, bool is_new,
             int (*set)(const struct api_call *call, const struct option_text *text,
                        struct reason *why),
             struct reason *why);
/* {"measurements": [...]}, the newest results. NULL: no memory. */
json_t *measurements_to_json(struct measure_thread *m);

#endif
