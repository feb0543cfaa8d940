/* suggest.c - finds the option that a mistyped name probably stands for. */
#include "daemon/config/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/config/option_table.h"
#include "daemon/option/foreign_name.h"

/* With a section, only of its keys. */
static const char *foreign_option(const char *section, const char *typed)
{
    char key[NEAR_NAME_MAX + 1];
    const char *ours = foreign_name(NULL, typed);
    if (!ours || !section)
        return ours;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(ours, " "), ours);
    return option_find(section, key) ? ours : NULL;
}

const char *suggest_other_place(const char *name)
{
    if (strcmp(name, "density") == 0)
        return "it is counted for those who read /api/v1/density or the page; "
               "--density-columns, -levels, -top and -step set its size and range";
    return NULL;
}

const char *suggest_option(const char *section, const char *name)
{
    struct near_name near = near_name_begin(name);
    const char *foreign = near.typed_is_name ? foreign_option(section, near.typed) : NULL;
    if (foreign)
        return foreign;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (!section || (o->section && strcmp(o->section, section) == 0))
            near_name_offer(&near, o->key);
    }
    return near.name;
}

const char *suggest_section(const char *name)
{
    struct near_name near = near_name_begin(name);
    for (size_t i = 0; i < option_count(); i++) {
        if (option_at(i)->section)
            near_name_offer(&near, option_at(i)->section);
    }
    return near.name;
}

bool suggest_letter(char letter, char *into, size_t size)
{
    const char *ours = foreign_name("-", (char[]){letter, '\0'});
    if (ours) {
        snprintf(into, size, "%s", ours);
        return true;
    }
    const bool lower = islower((unsigned char)letter);
    const int other = lower ? toupper((unsigned char)letter) : tolower((unsigned char)letter);
    snprintf(into, size, "-%c", other);
    return option_find_letter((char)other) != NULL;
}

bool suggest_is_name(const char *word)
{
    char typed[NEAR_NAME_MAX + 1];
    return strlen(word) > 2 && near_name_fold(word, typed) &&
           (option_find(NULL, typed) || foreign_option(NULL, typed));
}
