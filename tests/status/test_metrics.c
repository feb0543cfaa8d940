/*
 * test_metrics.c - tests the status as text for Prometheus, as OpenMetrics and as JSON: each line
 * of a text conforms to its format, and each number is present.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/server/server_counts.h"
#include "daemon/status/metrics.h"
#include "daemon/status/status_json.h"
#include "daemon/system/build_commit.h"

static const struct record_totals recorded = {.on = true,
                                              .running = 2,
                                              .ended = 20,
                                              .failed = 19,
                                              .samples = 21,
                                              .missing = 22,
                                              .history_bytes = 51,
                                              .history_used_bytes = 52,
                                              .history_s = 53.5,
                                              .history_written = 54,
                                              .history_overrun = 55,
                                              .history_failed = 56};

static struct status example(void)
{
    return (struct status){
        .state = SOURCE_RUNNING,
        .source = "sim",
        .stream = {.format = FFT_IQ_CS16,
                   .tuning = {.center_hz = 100e6, .rate_hz = 61.44e6, .gain = "auto"},
                   .gain_db = NAN,
                   .simulated = true,
                   .about = "a \"scene\" \\ with\nbreaks and \xff"},
        .dsp = {.engine = "cpu: AVX-512, 2 threads",
                .epoch = 3,
                .n = 1024,
                .hop = 512,
                .frames_per_line = 6000,
                .enbw_bins = 1.5,
                .window = "hann",
                .line_rate_hz = 20,
                .ring_bytes = 1 << 20,
                .ring_fill = 0.25,
                .beat_age_ns = 2500000000,
                .ledger = {.produced = 9000000000000000001,
                           .seen = 8000,
                           .lost = {1, 2, 3, 4, 5},
                           .events = {6, 7, 8, 9, 10},
                           .clipped = 11,
                           .beyond = 12,
                           .invalid = 14,
                           .frames = 12,
                           .lines = 13,
                           .folded = 14}},
        .source_counts.of = {[COUNT_TIMEOUTS] = 15,
                             [COUNT_REOPENED] = 16,
                             [COUNT_ABANDONED] = 17,
                             [COUNT_CLOCK] = 18},
        .record = recorded,
        .archive = {.on = true,
                    .lines = 41,
                    .missed = 42,
                    .rows = 43,
                    .lost_rows = 44,
                    .bytes = 45,
                    .failure = "full"},
        .channels = {.on = true, .open = 61, .opened_total = 62, .missed = 63},
        .audio = {.on = true, .receivers = 71, .encodings = 72, .listeners = 73, .skipped = 74},
        .rtl_tcp = {.on = true,
                    .clients = 81,
                    .clients_total = 82,
                    .refused = 83,
                    .missing = 84,
                    .outside = 85,
                    .commands = 86,
                    .ignored = 87},
        .triggers = {.triggers = 91, .missed = 92, .frames = 93, .without_iq = 94, .events = 95},
        .event_log = {.on = true, .stored = 101, .errors = 102},
        .webhooks = {.on = true, .delivered = 111, .failed = 112, .dropped = 113, .waiting = 114},
        .nats = {.on = true,
                 .subject = "fftd.attic.radio",
                 .lines = 125,
                 .folded = 126,
                 .missed = 127,
                 .dropped_lines = 128,
                 .outbox = {.up = true,
                            .links = 121,
                            .messages = 122,
                            .bytes = 123,
                            .again = 124,
                            .dropped_events = 129,
                            .waiting = 130}},
        .seconds = 99.5,
        .output = {{.name = "csv", .error = -ENOSPC, .rows = 23, .dropped = 24}},
        .measure = {.measurements = 2, .lines = 31, .missed = 32},
        .settings = {.n = 2048, .overlap = 50, .window = {FFT_WINDOW_HANN, 0}, .line_rate_hz = 20},
    };
}

static const struct measure_ops an_ops = {.name = "channel-power"};

/* One measurement with values and limits, and one that cannot be right. */
static struct measure_snapshot *measured_example(void)
{
    const struct line line = {.number = 5};
    struct measure_snapshot *m = measure_snapshot_create(&line, 2, NULL);
    assert_non_null(m);
    m->report[0] = (struct measure_report){.name = "voice",
                                           .ops = &an_ops,
                                           .verdict = MEASURE_FAIL,
                                           .values = 3,
                                           .value = {{"power", MEASURE_DBFS, -20.5, 0},
                                                     {"width", MEASURE_HZ, 25e3, 0},
                                                     {"carriers", MEASURE_COUNT, NAN, 0}}};
    m->report[1] = (struct measure_report){
        .name = "b", .ops = &an_ops, .reason = "the band is not within the span"};
    return m;
}

static char *text_of(const struct status *s, const struct server_counts *c,
                     const struct measure_snapshot *measured, enum metrics_format format,
                     size_t *size)
{
    struct metric_writer m;
    metrics_open(&m, format);
    metrics_write(&m, s, measured);
    server_counts_write(&m, c);
    return metrics_close(&m, size);
}

static char *text_of_example(enum metrics_format format)
{
    const struct status s = example();
    const struct server_counts c = {.clients = 4,
                                    .views = 2,
                                    .refused_total = 21,
                                    .spectra_total = 22,
                                    .tls = {.open = 131,
                                            .handshakes_total = 132,
                                            .failures_total = 133,
                                            .not_after_s = 1700000000}};
    size_t size = 0;
    struct measure_snapshot *measured = measured_example();
    char *text = text_of(&s, &c, measured, format, &size);
    measure_snapshot_unref(measured);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    return text;
}

static void has_line(const char *text, const char *line)
{
    char with_ends[300];
    snprintf(with_ends, sizeof with_ends, "\n%s\n", line);
    if (!strstr(text, with_ends))
        fail_msg("the metrics lack the line %s", line);
}

static void every_number_of_the_ledger_is_a_metric(void **state)
{
    char build[200];
    (void)state;
    char *text = text_of_example(METRICS_OPENMETRICS);
    has_line(text, "fftd_samples_total 9000000000000000001");
    has_line(text, "fftd_seen_samples_total 8000");
    has_line(text, "fftd_lost_samples_total{cause=\"overflow\"} 1");
    has_line(text, "fftd_lost_samples_total{cause=\"overrun\"} 2");
    has_line(text, "fftd_lost_samples_total{cause=\"gap\"} 3");
    has_line(text, "fftd_lost_samples_total{cause=\"retune\"} 4");
    has_line(text, "fftd_output_rows_total{output=\"csv\"} 23");
    has_line(text, "fftd_output_dropped_lines_total{output=\"csv\"} 24");
    has_line(text, "fftd_output_failing{output=\"csv\"} 1");
    has_line(text, "fftd_lost_samples_total{cause=\"tail\"} 5");
    has_line(text, "fftd_loss_events_total{cause=\"tail\"} 10");
    has_line(text, "fftd_beat_age_seconds{thread=\"dsp\"} 2.500");
    has_line(text, "fftd_clock_corrections_total 18");
    has_line(text, "fftd_recordings_running 2");
    has_line(text, "fftd_recordings_ended_total 20");
    has_line(text, "fftd_recordings_failed_total 19");
    has_line(text, "fftd_recorded_samples_total 21");
    has_line(text, "fftd_recording_missing_samples_total 22");
    has_line(text, "fftd_iq_history_bytes 51");
    has_line(text, "fftd_iq_history_used_bytes 52");
    has_line(text, "fftd_iq_history_seconds 53.5");
    has_line(text, "fftd_iq_history_written_samples_total 54");
    has_line(text, "fftd_iq_history_overrun_samples_total 55");
    has_line(text, "fftd_iq_history_failed_samples_total 56");
    has_line(text, "fftd_archive_lines_total 41");
    has_line(text, "fftd_archive_missed_lines_total 42");
    has_line(text, "fftd_archive_rows_total 43");
    has_line(text, "fftd_archive_lost_rows_total 44");
    has_line(text, "fftd_archive_bytes 45");
    has_line(text, "fftd_archive_failing 1");
    has_line(text, "fftd_adc_clip_total 11");
    has_line(text, "fftd_beyond_full_scale_samples_total 12");
    has_line(text, "fftd_invalid_samples_total 14");
    has_line(text, "fftd_frames_total 12");
    has_line(text, "fftd_clients 4");
    has_line(text, "fftd_refused_total 21");
    has_line(text, "fftd_spectra_total 22");
    has_line(text, "fftd_tls_connections 131");
    has_line(text, "fftd_tls_handshakes_total 132");
    has_line(text, "fftd_tls_handshake_failures_total 133");
    has_line(text, "fftd_tls_certificate_not_after_seconds 1700000000");
    snprintf(build, sizeof build, "fftd_build_info{version=\"%s\",revision=\"%s\"} 1", FFTD_VERSION,
             build_commit());
    has_line(text, build);
    has_line(text, "fftd_state{fftd_state=\"running\"} 1");
    has_line(text, "fftd_state{fftd_state=\"waiting\"} 0");
    free(text);
}

static void each_part_of_the_daemon_has_its_metrics(void **state)
{
    static const char *const lines[] = {
        "fftd_channels_open 61",
        "fftd_channels_opened_total 62",
        "fftd_channel_missed_samples_total 63",
        "fftd_audio_receivers 71",
        "fftd_audio_encodings 72",
        "fftd_audio_listeners 73",
        "fftd_audio_skipped_blocks_total 74",
        "fftd_rtl_tcp_clients 81",
        "fftd_rtl_tcp_connections_total 82",
        "fftd_rtl_tcp_refused_total 83",
        "fftd_rtl_tcp_missing_samples_total 84",
        "fftd_rtl_tcp_outside_total 85",
        "fftd_rtl_tcp_ignored_commands_total 87",
        "fftd_triggers 91",
        "fftd_trigger_missed_lines_total 92",
        "fftd_trigger_frames_total 93",
        "fftd_trigger_inexact_lines_total 94",
        "fftd_events_total 95",
        "fftd_events_stored_total 101",
        "fftd_event_store_errors_total 102",
        "fftd_webhooks_delivered_total 111",
        "fftd_webhook_failures_total 112",
        "fftd_webhooks_dropped_total 113",
        "fftd_webhooks_waiting 114",
        "fftd_nats_connected 1",
        "fftd_nats_links_total 121",
        "fftd_nats_messages_total 122",
        "fftd_nats_bytes_total 123",
        "fftd_nats_again_total 124",
        "fftd_nats_lines_total 125",
        "fftd_nats_folded_lines_total 126",
        "fftd_nats_missed_lines_total 127",
        "fftd_nats_dropped_lines_total 128",
        "fftd_nats_dropped_events_total 129",
        "fftd_nats_waiting 130",
        "fftd_read_timeouts_total 15",
        "fftd_source_reopened_total 16",
        "fftd_source_abandoned_total 17",
    };
    (void)state;
    char *text = text_of_example(METRICS_OPENMETRICS);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        has_line(text, lines[i]);
    free(text);
}

static void a_part_that_is_off_has_neither_metrics_nor_figures(void **state)
{
    static const char *const families[] = {
        "fftd_rec",     "fftd_channel",  "fftd_audio",   "fftd_rtl_tcp", "fftd_iq_hist",
        "fftd_archive", "fftd_events_s", "fftd_webhook", "fftd_nats",    "fftd_tls"};
    static const char *const parts[] = {"iq_history", "archive", "nats", "rtl_tcp", "calibration"};
    (void)state;
    const struct status s = {0};
    const struct server_counts c = {0};
    size_t size = 0;
    char *text = text_of(&s, &c, NULL, METRICS_TEXT, &size);
    json_t *json = status_to_json(&s);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        assert_null(strstr(text, families[i]));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_true(json_is_null(json_object_get(json, parts[i])));
    json_decref(json);
    free(text);
}

static void values_of_measurements_are_gauges_with_their_unit(void **state)
{
    (void)state;
    char *text = text_of_example(METRICS_TEXT);
    has_line(text, "fftd_measure_value{name=\"voice\",type=\"channel-power\",value=\"power\","
                   "unit=\"dbfs\"} -20.5");
    has_line(text, "fftd_measure_value{name=\"voice\",type=\"channel-power\",value=\"width\","
                   "unit=\"hz\"} 25000");
    has_line(text, "fftd_measure_value{name=\"voice\",type=\"channel-power\",value=\"carriers\","
                   "unit=\"\"} NaN");
    has_line(text, "fftd_measure_valid{name=\"voice\",type=\"channel-power\"} 1");
    has_line(text, "fftd_measure_valid{name=\"b\",type=\"channel-power\"} 0");
    has_line(text, "fftd_measure_pass{name=\"voice\",type=\"channel-power\"} 0");
    assert_null(strstr(text, "fftd_measure_value{name=\"b\""));
    assert_null(strstr(text, "fftd_measure_pass{name=\"b\""));
    has_line(text, "fftd_measurements 2");
    has_line(text, "fftd_measured_lines_total 31");
    has_line(text, "fftd_measure_missed_lines_total 32");
    free(text);
}

static void the_poi_time_equals_the_published_example(void **state)
{
    (void)state;
    char *text = text_of_example(METRICS_OPENMETRICS);
    const char *at = strstr(text, "\nfftd_poi_seconds ");
    assert_non_null(at);
    assert_near(strtod(at + 18, NULL) * 1e6, 24.98, 0.01); /* 61.44 MS/s, 1024, 50 % */
    free(text);
}

static void label_values_are_escaped_and_the_simulation_is_marked(void **state)
{
    (void)state;
    char *text = text_of_example(METRICS_OPENMETRICS);
    has_line(text, "fftd_source_info{source=\"sim\",about=\"a \\\"scene\\\" \\\\ with\\nbreaks and "
                   "?\",simulated=\"true\"} 1");
    free(text);
}

/* The samples of a family: their suffix after the name in TYPE, and the types that the format has.
 */
static const char *suffix_of(enum metrics_format format, const char *type)
{
    if (format == METRICS_TEXT) /* its other types, histogram and summary, are not in use */
        return strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0 ? "" : NULL;
    if (strcmp(type, "counter") == 0)
        return "_total";
    if (strcmp(type, "info") == 0)
        return "_info";
    return strcmp(type, "gauge") == 0 || strcmp(type, "stateset") == 0 ? "" : NULL;
}

/* The end of {name="value",...}; a value escapes backslash, quote and line feed. */
static const char *skip_labels(const char *at)
{
    do {
        at += 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
        assert_memory_equal(at, "=\"", 2);
        for (at += 2; *at != '"'; at++) {
            assert_true(*at >= ' ' && *at <= '~');
            if (*at == '\\')
                assert_non_null(strchr("\\\"n", *++at));
        }
        at++;
    } while (*at == ',');
    assert_int_equal(*at, '}');
    return at + 1;
}

/* A sample: name, labels, value. `name` is the only one allowed. */
static void check_sample(const char *line, const char *name)
{
    const char *at = line + strlen(name);
    char *end;
    assert_memory_equal(line, name, strlen(name));
    if (*at == '{')
        at = skip_labels(at);
    assert_int_equal(*at, ' ');
    strtod(at + 1, &end);
    assert_true(end > at + 1 && *end == '\0');
}

/*
 * Both formats want all lines of a family together, TYPE before the samples. Prometheus,
 * "Exposition formats"; OpenMetrics 1.0, "ABNF".
 */
static void check_format(enum metrics_format format, char *text)
{
    char family[64] = "";
    char seen[8192] = " ";
    char name[80] = "";
    char type[16];
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (sscanf(line, "# TYPE %63s %15s", family, type) == 2) {
            const char *suffix = suffix_of(format, type);
            assert_non_null(suffix);
            snprintf(name, sizeof name, " %s ", family);
            assert_null(strstr(seen, name)); /* no family occurs twice */
            const size_t length = strlen(seen);
            snprintf(seen + length, sizeof seen - length, "%s ", family);
            snprintf(name, sizeof name, "%s%s", family, suffix);
        } else if (strncmp(line, "# HELP ", 7) == 0) {
            assert_memory_equal(line + 7, family, strlen(family));
            assert_int_equal(line[7 + strlen(family)], ' ');
        } else {
            assert_true(name[0] != '\0');
            check_sample(line, name);
        }
    }
}

static void openmetrics_obeys_its_format_and_ends_with_eof(void **state)
{
    (void)state;
    char *text = text_of_example(METRICS_OPENMETRICS);
    char *end = strstr(text, "\n# EOF\n");
    assert_non_null(end);
    assert_string_equal(end, "\n# EOF\n"); /* nothing follows */
    end[1] = '\0';
    check_format(METRICS_OPENMETRICS, text);
    free(text);
}

static void the_text_format_has_its_own_types_and_no_eof(void **state)
{
    (void)state;
    char *text = text_of_example(METRICS_TEXT);
    assert_null(strstr(text, "# EOF"));
    has_line(text, "# TYPE fftd_samples_total counter");
    has_line(text, "fftd_samples_total 9000000000000000001");
    has_line(text, "fftd_state{fftd_state=\"running\"} 1");
    has_line(text, "# TYPE fftd_source_info gauge");
    assert_int_equal(text[strlen(text) - 1], '\n');
    check_format(METRICS_TEXT, text);
    free(text);
}

static void unknown_figures_are_nan(void **state)
{
    (void)state;
    const struct status s = {.state = SOURCE_WAITING};
    const struct server_counts c = {0};
    size_t size = 0;
    char *text = text_of(&s, &c, NULL, METRICS_TEXT, &size);
    assert_non_null(strstr(text, "\nfftd_poi_seconds NaN\n"));
    assert_null(strstr(text, "-nan"));
    free(text);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static const json_t *at(const json_t *object, const char *outer, const char *inner)
{
    const json_t *value = json_object_get(json_object_get(object, outer), inner);
    assert_non_null(value);
    return value;
}

static void status_json_has_the_whole_ledger_and_all_figures(void **state)
{
    (void)state;
    const struct status s = example();
    json_t *j = status_to_json(&s);
    assert_non_null(j);
    assert_true(json_integer_value(at(j, "ledger", "produced")) == 9000000000000000001);
    const json_t *lost = at(j, "ledger", "lost");
    assert_int_equal(json_integer_value(json_object_get(lost, "retune")), 4);
    assert_int_equal(json_object_size(lost), LOSS_CAUSES);
    assert_near(json_number_value(at(j, "spectrum", "poi_seconds")) * 1e6, 24.98, 0.01);
    assert_near(json_number_value(at(j, "spectrum", "spectra_per_second")), 120000, 1e-6);
    assert_near(json_number_value(at(j, "spectrum", "rbw_hz")), 90000, 1e-6);
    assert_true(json_is_true(at(j, "source", "simulated")));
    assert_true(json_is_null(at(j, "source", "gain_db")));
    assert_int_equal(json_integer_value(at(j, "wanted", "fft_size")), 2048);
    assert_string_equal(json_string_value(json_object_get(j, "state")), "running");
    assert_int_equal(json_object_size(json_object_get(j, "outputs")), 1);
    assert_string_equal(json_string_value(json_object_get(at(j, "outputs", "csv"), "state")),
                        "retrying");
    json_decref(j);
}

static void check_counts(const json_t *json, const char *part, const char *const *keys, int first)
{
    for (int i = 0; keys[i]; i++)
        assert_int_equal(json_integer_value(at(json, part, keys[i])), first + i);
}

static void status_json_has_the_figures_of_each_part(void **state)
{
    static const char *const source[] = {"timeouts", "reopened", "abandoned", "clock_corrections",
                                         NULL};
    static const char *const archive[] = {"lines", "missed", "rows", "lost_rows", "bytes", NULL};
    static const char *const history[] = {"bytes", "used_bytes", NULL};
    static const char *const nats[] = {"links",          "messages", "bytes",  "again",
                                       "lines",          "folded",   "missed", "dropped_lines",
                                       "dropped_events", "waiting",  NULL};
    static const char *const rtl_tcp[] = {"clients", "connections", "refused", "missing",
                                          "outside", "commands",    "ignored", NULL};
    (void)state;
    const struct status s = example();
    json_t *j = status_to_json(&s);
    check_counts(j, "source", source, 15);
    check_counts(j, "archive", archive, 41);
    check_counts(j, "iq_history", history, 51);
    check_counts(j, "nats", nats, 121);
    check_counts(j, "rtl_tcp", rtl_tcp, 81);
    assert_string_equal(json_string_value(at(j, "archive", "failure")), "full");
    assert_string_equal(json_string_value(at(j, "nats", "subject")), "fftd.attic.radio");
    assert_true(json_is_true(at(j, "nats", "connected")));
    assert_string_equal(json_string_value(at(j, "iq_history", "oldest")), "");
    assert_int_equal(json_integer_value(at(j, "measure", "lines")), 31);
    json_decref(j);
}

static void names_that_are_no_utf8_do_not_lose_the_status(void **state)
{
    (void)state;
    const struct status s = example();
    json_t *j = status_to_json(&s);
    const char *about = json_string_value(at(j, "source", "about"));
    assert_string_equal(about, "a \"scene\" \\ with\nbreaks and ?");
    json_decref(j);
}

static void an_empty_status_is_valid_json(void **state)
{
    (void)state;
    const struct status s = {0};
    json_t *j = status_to_json(&s);
    assert_non_null(j);
    assert_true(json_is_null(at(j, "spectrum", "poi_seconds")));
    char *text = json_dumps(j, 0);
    assert_non_null(text);
    free(text);
    json_decref(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_the_ledger_is_a_metric),
        cmocka_unit_test(each_part_of_the_daemon_has_its_metrics),
        cmocka_unit_test(a_part_that_is_off_has_neither_metrics_nor_figures),
        cmocka_unit_test(values_of_measurements_are_gauges_with_their_unit),
        cmocka_unit_test(the_poi_time_equals_the_published_example),
        cmocka_unit_test(label_values_are_escaped_and_the_simulation_is_marked),
        cmocka_unit_test(openmetrics_obeys_its_format_and_ends_with_eof),
        cmocka_unit_test(the_text_format_has_its_own_types_and_no_eof),
        cmocka_unit_test(unknown_figures_are_nan),
        cmocka_unit_test(status_json_has_the_whole_ledger_and_all_figures),
        cmocka_unit_test(status_json_has_the_figures_of_each_part),
        cmocka_unit_test(names_that_are_no_utf8_do_not_lose_the_status),
        cmocka_unit_test(an_empty_status_is_valid_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
