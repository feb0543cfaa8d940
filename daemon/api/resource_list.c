/* resource_list.c - the list of resources. */
#include <stddef.h>

#include "daemon/api/resource.h"

/* Each is in a file of its own, with others of the same subject. */
/* clang-format off */
#define RESOURCES(one) \
    one(band_plan) \
    one(channels) \
    one(channel) \
    one(lease) \
    one(measurement_types) \
    one(measurements) \
    one(measurement) \
    one(openapi) \
    one(presets) \
    one(preset) \
    one(recordings) \
    one(recording) \
    one(references) \
    one(reference) \
    one(replay) \
    one(settings) \
    one(spurs) \
    one(status) \
    one(trigger_types) \
    one(triggers) \
    one(trigger)
/* clang-format on */

#define DECLARATION(name) extern const struct api_resource api_##name;
RESOURCES(DECLARATION)

/* clang-format off */
#define CONNECTION_RESOURCES(one) \
    one(connection) \
    one(own_history) \
    one(own_markers) \
    one(own_measurement)
/* clang-format on */

CONNECTION_RESOURCES(DECLARATION)

#define POINTER(name) &api_##name,
const struct api_resource *const api_resources[] = {RESOURCES(POINTER) NULL};
const struct api_resource *const api_connection_resources[] = {CONNECTION_RESOURCES(POINTER) NULL};
