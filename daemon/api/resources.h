/* resources.h - every resource; each is in a file of its own. */
#ifndef FFTD_DAEMON_API_RESOURCES_H
#define FFTD_DAEMON_API_RESOURCES_H

#include "daemon/api/resource.h"

extern const struct api_resource api_band_plan, api_lease, api_measurement, api_measurement_types,
    api_measurements, api_openapi, api_preset, api_presets, api_recording, api_recordings,
    api_reference, api_references, api_replay, api_settings, api_spurs, api_status, api_trigger,
    api_trigger_types, api_triggers;

/* 0, or -ENOMEM without `json`. */
int api_answer(struct api_reply *reply, json_t *json);
/* resource_lease.c: addresses are of no concern to those who may only watch. */
json_t *lease_to_json(const struct lease *l, bool with_address);

#endif
