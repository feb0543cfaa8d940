/* option_json.c - writes the values of options as JSON. */
#include "daemon/option/option_json.h"

#include <string.h>

#include "daemon/base/json.h"
#include "fft/window.h"

/* The word at this position of "a, b, c". */
static json_t *choice_to_json(const char *choices, unsigned index)
{
    for (; index > 0; index--)
        choices += strcspn(choices, ",") + strspn(choices + strcspn(choices, ","), ", ");
    return json_stringn(choices, strcspn(choices, ","));
}

static json_t *whole_to_json(const struct config_option *o, const void *field)
{
    return count_to_json(o->size == sizeof(uint32_t) ? *(const uint32_t *)field
                                                     : *(const uint64_t *)field);
}

static json_t *form_to_json(const struct option_form *form, const void *field)
{
    char text[128];
    return form->format ? text_to_json(form->format(field, text, sizeof text)) : json_null();
}

static json_t *value_to_json(const struct config_option *o, const void *field)
{
    char text[64];
    switch (o->kind) {
    case OPTION_FLAG:
        return json_string(*(const bool *)field ? "yes" : "no");
    case OPTION_LABEL:
        return text_to_json(field);
    case OPTION_STRING:
        return text_to_json(*(const char *const *)field ? *(const char *const *)field : "");
    case OPTION_NUMBER:
        return number_to_json(o->size == sizeof(float) ? (double)*(const float *)field
                                                       : *(const double *)field);
    case OPTION_COUNT:
    case OPTION_BYTES:
        return whole_to_json(o, field);
    case OPTION_INDEX:
        return choice_to_json(o->choices, *(const unsigned *)field);
    case OPTION_WINDOW:
        return text_to_json(fft_window_format(field, text, sizeof text));
    case OPTION_OTHER:
        return form_to_json(o->form, field);
    case OPTION_ASSIGN:
    case OPTION_MEASURE:
    case OPTION_TRIGGER:
        break;
    }
    return json_null();
}

void option_add_json(json_t *object, const struct config_option *rows, const void *fields)
{
    for (const struct config_option *o = rows; o->key; o++)
        if (o->api)
            json_object_set_new(object, o->api, value_to_json(o, (const char *)fields + o->offset));
}
