/* trigger_types.c - the conditions of triggers and their keys, as lists for people. */
#include "daemon/trigger/trigger_setup.h"
#include "daemon/trigger/webhook/http_url.h"

static int check_url(const char *text)
{
    struct http_url url;
    return *text ? http_url_parse(text, &url) : 0;
}

static const struct config_option common[] = {
    {"trigger", "when", .kind = OPTION_INDEX, OPTION_FIELD(struct trigger_setup, when),
     .fallback = "inside", .metavar = "NAME", .choices = WHEN_NAMES,
     .help = "inside: an event lasts while the condition holds; outside: while it does not; enter, "
             "leave: it is the first frame in which it holds, or no longer holds; enter-leave: as "
             "inside, but only known at its end"},
    {"trigger", "for", .kind = OPTION_NUMBER, OPTION_FIELD(struct trigger_setup, for_s),
     .fallback = "0", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0, .max = 10,
     .help = "The condition must hold for this time; 0: a single frame is enough"},
    {"trigger", "gap", .kind = OPTION_NUMBER, OPTION_FIELD(struct trigger_setup, gap_s),
     .fallback = "10ms", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0, .max = 10,
     .help = "An interruption up to this long does not end an event"},
    {"trigger", "holdoff", .kind = OPTION_NUMBER, OPTION_FIELD(struct trigger_setup, holdoff_s),
     .fallback = "0", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0, .max = 1e6,
     .help = "After the last frame of an event, none begins for this time"},
    {"trigger", "mode", .kind = OPTION_INDEX, OPTION_FIELD(struct trigger_setup, mode),
     .fallback = "normal", .metavar = "NAME", .choices = MODE_NAMES,
     .help = "single: disarms after one event; free: each line is an event, whatever it shows, as "
             "far as holdoff allows"},
    {"trigger", "record", .kind = OPTION_FLAG, OPTION_FIELD(struct trigger_setup, record),
     .fallback = "yes", .metavar = "yes|no",
     .help =
         "With --record: each event leaves a recording, from --pre before it to --post after it"},
    {"trigger", "webhook", .kind = OPTION_STRING, OPTION_FIELD(struct trigger_setup, webhook),
     .fallback = "", .metavar = "URL",
     .expected = "a URL as in http://127.0.0.1:8080/events or https://example.org/hook",
     .check = check_url,
     .help = "Each event is sent there by POST as JSON: when it begins and when it has ended"},
    {"trigger", "webhook-timeout", .kind = OPTION_NUMBER,
     OPTION_FIELD(struct trigger_setup, webhook_timeout_s), .fallback = "10 s",
     .metavar = "SECONDS", .unit = SI_SECONDS, .min = 0.1, .max = 60,
     .help = "Without an answer for this time, it is sent again"},
    {"trigger", "then", .kind = OPTION_INDEX, OPTION_FIELD(struct trigger_setup, then),
     .fallback = "go-on", .metavar = "NAME", .choices = THEN_NAMES,
     .help = "hold: a replay in real time pauses when an event begins; stop: fftd ends with status "
             "0 after an event and its recording"},
    {"trigger", "count", .kind = OPTION_COUNT, OPTION_FIELD(struct trigger_setup, count),
     .fallback = "0", .metavar = "EVENTS", .min = 0, .max = 1e9,
     .help = "Disarms after this many events; 0 is no limit"},
};

struct option_type trigger_type(const struct condition_ops *ops)
{
    return (struct option_type){ops->name, ops->about, ops->options, ops->option_count};
}

static struct option_type type_at(size_t i)
{
    return trigger_type(condition_list[i]);
}

struct option_family trigger_family(void)
{
    return (struct option_family){
        "trigger", "trigger", common, sizeof common / sizeof common[0], condition_count, type_at};
}

void trigger_print_types(FILE *out)
{
    const struct option_family f = trigger_family();
    option_family_print(&f, out);
}

void trigger_print_man(FILE *out)
{
    const struct option_family f = trigger_family();
    option_family_print_man(&f, out);
}
