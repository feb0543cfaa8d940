/* option_find.c - finds rows of the option table. */
#include <string.h>

#include "daemon/config/options.h"

static bool has_name(const struct config_option *o, const char *key)
{
    return strcmp(o->key, key) == 0 || (o->alias && strcmp(o->alias, key) == 0);
}

const struct config_option *option_find(const char *section, const char *key)
{
    for (size_t i = 0; i < config_option_count; i++) {
        const struct config_option *o = &config_options[i];
        const bool here = !section || (o->section && strcmp(o->section, section) == 0);
        if (here && has_name(o, key))
            return o;
    }
    return NULL;
}

const struct config_option *option_find_letter(char letter)
{
    for (size_t i = 0; i < config_option_count; i++)
        if (config_options[i].letter && config_options[i].letter == letter)
            return &config_options[i];
    return NULL;
}

bool option_is_section(const char *name)
{
    for (size_t i = 0; i < config_option_count; i++)
        if (config_options[i].section && strcmp(config_options[i].section, name) == 0)
            return true;
    return false;
}

size_t option_index(const struct config_option *o)
{
    return (size_t)(o - config_options);
}

bool option_is_flag(const struct config_option *o)
{
    return o->kind == OPTION_FLAG;
}
