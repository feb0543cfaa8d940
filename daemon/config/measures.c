/* measures.c - collects the measurements of file and command line, and names those without a name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/config/loader.h"

enum { MEASURES_MAX = 1024 };

/* A zeroed one at the end of the list; NULL: the error is written, or no memory. */
static struct measure_text *append(struct config_loader *l, const char *location, int *err)
{
    struct config *c = l->c;
    *err = 0;
    if (c->measure_count == MEASURES_MAX) {
        *err = config_fail(l, "%s: more than %d measurements", location, MEASURES_MAX);
        return NULL;
    }
    const size_t bytes = (c->measure_count + 1) * sizeof *c->measures;
    struct measure_text *grown = realloc(c->measures, bytes);
    if (!grown) {
        *err = -ENOMEM;
        return NULL;
    }
    c->measures = grown;
    struct measure_text *added = &grown[c->measure_count++];
    *added = (struct measure_text){0};
    return added;
}

static struct measure_text *find(const struct config *c, const char *name, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (c->measures[i].name && strcmp(c->measures[i].name, name) == 0)
            return &c->measures[i];
    return NULL;
}

const char *config_measure_section(const char *section)
{
    static const char word[] = "measure";
    const size_t length = sizeof word - 1;
    if (strncmp(section, word, length) != 0 || !strchr(" \t", section[length]))
        return NULL;
    return section[length] ? section + length + strspn(section + length, " \t") : NULL;
}

int config_begin_measure(struct config_loader *l, const char *name)
{
    char location[512];
    int err;
    snprintf(location, sizeof location, "%s:%d", l->file, l->line);
    if (!measure_name_is_valid(name))
        return config_fail(l, "%s: '%s' is no name of a measurement: expected %s", location, name,
                           measure_name_expected);
    const struct measure_text *other = find(l->c, name, l->c->measure_count);
    if (other)
        return config_fail(l, "%s: [measure %s] is already in line %d", location, name,
                           other->line);
    struct measure_text *added = append(l, location, &err);
    if (!added)
        return err;
    added->line = l->line;
    added->name = strdup(name);
    return added->name ? 0 : -ENOMEM;
}

int config_set_measure_key(struct config_loader *l, const char *key, const char *value)
{
    struct measure_text *m = &l->c->measures[l->c->measure_count - 1];
    if (strcmp(key, "name") == 0)
        return config_fail(l, "%s:%d: name: the name is in the title [measure %s]", l->file,
                           l->line, m->name);
    const int err = measure_text_add(m, key, value, l->line);
    if (err == -EEXIST)
        return config_fail(l, "%s:%d: %s: is already set in line %d", l->file, l->line, key,
                           measure_text_find(m, key)->line);
    if (err == -EINVAL)
        return config_fail(l, "%s:%d: %s: control character in '%s'", l->file, l->line, key, value);
    return err == -E2BIG
               ? config_fail(l, "%s:%d: more than %d keys", l->file, l->line, MEASURE_KEYS_MAX)
               : err;
}

int config_add_measure(struct config_loader *l, const char *text)
{
    int err;
    char error[256] = "";
    struct measure_text *added = append(l, "--measure", &err);
    if (!added)
        return err;
    err = measure_text_split(added, text, error, sizeof error);
    return err == -EINVAL ? config_fail(l, "--measure %s: %s", text, error) : err;
}

static void remove_at(struct config *c, size_t i)
{
    measure_text_finish(&c->measures[i]);
    c->measure_count--;
    memmove(&c->measures[i], &c->measures[i + 1], (c->measure_count - i) * sizeof *c->measures);
    c->measures[c->measure_count] = (struct measure_text){0};
}

/* A measurement of the command line replaces that of the file with the same name. */
static int check_name(struct config_loader *l, size_t *i)
{
    struct config *c = l->c;
    const struct measure_text *m = &c->measures[*i];
    if (m->line || !m->name)
        return 0;
    if (!measure_name_is_valid(m->name))
        return config_fail(l, "--measure: name: bad value '%s': expected %s", m->name,
                           measure_name_expected);
    const struct measure_text *other = find(c, m->name, *i);
    if (other && !other->line)
        return config_fail(l, "--measure: two measurements have the name %s", m->name);
    if (other) {
        remove_at(c, (size_t)(other - c->measures));
        --*i;
    }
    return 0;
}

/* "channel-power", "channel-power-2", ... */
static int give_name(struct config *c, struct measure_text *m)
{
    char name[2 * MEASURE_NAME_MAX];
    const char *type = measure_text_value(m, "type");
    const bool fits = measure_name_is_valid(type) && strlen(type) + 5 <= MEASURE_NAME_MAX;
    for (unsigned i = 1; i <= MEASURES_MAX + 1; i++) {
        if (i == 1)
            snprintf(name, sizeof name, "%s", fits ? type : "measure");
        else
            snprintf(name, sizeof name, "%s-%u", fits ? type : "measure", i);
        if (!find(c, name, c->measure_count))
            break;
    }
    m->name = strdup(name);
    return m->name ? 0 : -ENOMEM;
}

int config_name_measures(struct config_loader *l)
{
    struct config *c = l->c;
    int err = 0;
    for (size_t i = 0; err == 0 && i < c->measure_count; i++)
        err = check_name(l, &i);
    for (size_t i = 0; err == 0 && i < c->measure_count; i++)
        err = c->measures[i].name ? 0 : give_name(c, &c->measures[i]);
    return err;
}

void config_finish_measures(struct config *c)
{
    for (size_t i = 0; i < c->measure_count; i++)
        measure_text_finish(&c->measures[i]);
    free(c->measures);
    c->measures = NULL;
    c->measure_count = 0;
}
