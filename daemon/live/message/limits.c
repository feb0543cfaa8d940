/* limits.c - tells clients what they may have: in the message "welcome" and in the status. */
#include "daemon/base/json.h"
#include "daemon/http/internal.h"
#include "daemon/measure/measuring.h"

json_t *server_limits_json(const struct server *s)
{
    const struct {
        const char *name;
        uint64_t value;
    } limits[] = {
        {"views", FEED_SLOTS},
        {"columns", WIRE_COLUMNS_MAX},
        {"frames_in_flight", WIRE_CREDIT_MAX},
        {"message_bytes", WIRE_MESSAGE_MAX},
        {"messages_per_second", MESSAGES_PER_S},
        {"messages_at_once", MESSAGES_BURST},
        {"unread_answers", CLIENT_QUEUE},
        {"density_frames_per_second", DENSITY_FRAMES_PER_S},
        {"measure_messages_per_second", MEASURE_MESSAGES_PER_S},
        {"own_measurements", OWN_MEASUREMENTS},
        {"own_measure_messages_per_second", OWN_MESSAGES_PER_S},
        {"own_measure_samples", OWN_IQ_MAX},
        {"markers", READOUT_MARKERS},
        {"peak_tables_per_second", PEAK_TABLES_PER_S},
        {"history_rows", s->history.thread ? HISTORY_ROWS_MAX : 0},
        {"history_levels", s->history.thread ? HISTORY_LEVELS_MAX : 0},
        {"all_history_bytes", s->history.bytes},
        {"all_clients", s->options.max_clients},
        {"all_views", s->options.max_views},
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
