/* choices.c - derives the values that each field of a message may have from the option table. */
#include "daemon/control/choices.h"

#include <string.h>

#include "daemon/base/si.h"
#include "daemon/config/option_table.h"
#include "daemon/control/setting_change.h"
#include "daemon/option/option.h"
#include "fft/fft.h"

/* A comma-separated list of the option table, as an array of strings. */
static json_t *words_to_json(const char *list)
{
    json_t *words = json_array();
    while (*list) {
        const size_t length = strcspn(list, ",");
        json_array_append_new(words, json_stringn(list, length));
        list += length;
        list += strspn(list, ", ");
    }
    return words;
}

/* Every window, written as in the status: "kaiser(8.6)". */
static json_t *windows_to_json(void)
{
    json_t *names = json_array();
    for (int kind = 0; kind < FFT_WINDOW_KINDS; kind++) {
        struct fft_window window;
        char name[32];
        /* Without a parameter in its text a window gets the default one. */
        if (fft_window_parse(fft_window_name((enum fft_window_kind)kind), &window) == 0)
            json_array_append_new(names,
                                  json_string(fft_window_format(&window, name, sizeof name)));
    }
    return names;
}

static json_t *sizes_to_json(void)
{
    json_t *sizes = json_array();
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= FFT_SPECTRUM_MAX_N; n *= 2)
        json_array_append_new(sizes, json_integer(n));
    return sizes;
}

/* The unit of a number, as people write it. */
static const char *unit_name(enum si_unit unit)
{
    static const char *const names[] = {
        [SI_HZ] = "Hz",   [SI_RATE] = "S/s", [SI_LINES] = "lines/s", [SI_DB] = "dB",
        [SI_DBM] = "dBm", [SI_PPM] = "ppm",  [SI_PERCENT] = "%",     [SI_SECONDS] = "s",
        [SI_PLAIN] = "",  [SI_BINARY] = "",
    };
    return names[unit];
}

json_t *choice_to_json(const struct config_option *o, const char *label)
{
    char expected[256];
    json_t *object =
        label ? json_pack("{ss ss ss}", "label", label, "group", o->section, "help", o->help)
              : json_object();
    json_object_set_new(object, "expected",
                        json_string(option_expected(o, expected, sizeof expected)));
    if (*unit_name(o->unit))
        json_object_set_new(object, "unit", json_string(unit_name(o->unit)));
    if (o->kind == OPTION_WINDOW)
        json_object_set_new(object, "values", windows_to_json());
    else if (o->choices || o->kind == OPTION_FLAG)
        json_object_set_new(object, "values", words_to_json(o->choices ? o->choices : "no, yes"));
    else if (o->check == option_check_power_of_two)
        json_object_set_new(object, "values", sizes_to_json());
    else if (o->check == option_check_overlap)
        json_object_update_new(object, json_pack("{si si}", "min", 0, "below", 100));
    else if (o->min < o->max)
        json_object_update_new(object, json_pack("{sf sf}", "min", o->min, "max", o->max));
    return object;
}

json_t *choices_to_json(const struct radio_options *radio)
{
    json_t *choices = json_object();
    const struct config_option *o;
    for (size_t i = 0; (o = setting_at(i)); i++)
        json_object_set_new(choices, o->api, choice_to_json(o, o->label));
    radio_options_add_choices(choices, radio);
    json_object_set_new(choices, "detector",
                        choice_to_json(option_find("output", "detector"), "Detector"));
    return choices;
}
