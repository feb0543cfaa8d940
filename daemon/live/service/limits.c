/* limits.c - reports the limits of clients: in the message "welcome" and in the status. */
#include "daemon/live/service/limits.h"

#include "daemon/base/json.h"
#include "daemon/channel/channels.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/live/live.h"
#include "daemon/live/message/density_message.h"
#include "daemon/live/message/marker_message.h"
#include "daemon/live/message/measure_message.h"
#include "daemon/live/message/own_measure.h"
#include "daemon/measure/active_measurement.h"

/* Channels that audio may come of. */
static uint64_t audio_channels(const struct live *l)
{
    struct channels_state state;
    channels_state(l->services->channels, &state);
    return l->services->audio ? state.most : 0;
}

json_t *limits_to_json(const struct live *l)
{
    const struct server_options *o = &l->clients.http->options;
    const struct {
        const char *name;
        uint64_t value;
    } limits[] = {
        {"views", FEED_SLOTS},
        {"columns", WIRE_COLUMNS_MAX},
        {"frames_in_flight", WIRE_CREDIT_MAX},
        {"message_bytes", WIRE_MESSAGE_MAX},
        {"messages_per_second", CLIENT_MESSAGES_PER_S},
        {"messages_at_once", CLIENT_MESSAGES_BURST},
        {"unread_answers", CLIENT_QUEUE},
        {"density_frames_per_second", DENSITY_FRAMES_PER_S},
        {"measure_messages_per_second", MEASURE_MESSAGES_PER_S},
        {"own_measurements", OWN_MEASUREMENTS},
        {"own_measure_messages_per_second", OWN_MESSAGES_PER_S},
        {"own_measure_samples", OWN_IQ_MAX},
        {"markers", READOUT_MARKERS},
        {"peak_tables_per_second", MARKER_PEAK_TABLES_PER_S},
        {"history_rows", l->history->thread ? HISTORY_ROWS_MAX : 0},
        {"history_levels", l->history->thread ? HISTORY_LEVELS_MAX : 0},
        {"audio_channels", audio_channels(l)},
        {"all_history_bytes", l->history->bytes},
        {"all_clients", o->max_clients},
        {"all_views", o->max_views},
        {"all_trace_bytes", VIEW_TRACES_BUDGET},
        {"all_measurements", MEASUREMENTS_MAX},
        {"all_triggers", TRIGGERS_MAX},
        {"all_events", EVENTS_KEPT},
        {"all_own_measurements", OWN_MEASUREMENTS_ALL},
        {"all_own_measure_bytes", OWN_MEASURE_BUDGET},
        {"all_presets", PRESETS_MAX},
        {"all_references", REFERENCES_MAX},
        {"all_reference_bytes", REFERENCES_BYTES_MAX},
        {"reference_bins", REFERENCE_BINS_MAX},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        json_object_set_new(object, limits[i].name, count_to_json(limits[i].value));
    return object;
}
