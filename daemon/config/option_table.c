/* option_table.c - collects the options of all rooms, and finds rows. */
#include "daemon/config/option_table.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "daemon/config/config.h"

enum { ROWS_MAX = 256 };

/* A line for each table. --help and the file show the options of a section in this order. */
static const struct {
    const struct config_option *rows;
    size_t offset; /* of the struct that they are of */
} lists[] = {
    {tuning_options, offsetof(struct config, settings.tuning)},
    {source_options, offsetof(struct config, source)},
    {settings_options, offsetof(struct config, settings)},
    {output_options, offsetof(struct config, output)},
    {calibration_options, offsetof(struct config, calibration)},
    {server_options, offsetof(struct config, server)},
    {channel_options, offsetof(struct config, channels)},
    {record_options, offsetof(struct config, record)},
    {archive_options, offsetof(struct config, archive)},
    {nats_options, offsetof(struct config, nats)},
    {config_options, 0},
};

static struct config_option table[ROWS_MAX];
static size_t rows;
static pthread_once_t collected = PTHREAD_ONCE_INIT;

static void collect(void)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct config_option *o = lists[i].rows; o->key; o++) {
            assert(rows < ROWS_MAX);
            table[rows] = *o;
            table[rows++].offset += lists[i].offset;
        }
}

size_t option_count(void)
{
    pthread_once(&collected, collect);
    return rows;
}

const struct config_option *option_at(size_t i)
{
    pthread_once(&collected, collect);
    return &table[i];
}

static bool has_name(const struct config_option *o, const char *key)
{
    return strcmp(o->key, key) == 0 || (o->alias && strcmp(o->alias, key) == 0);
}

const struct config_option *option_find(const char *section, const char *key)
{
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        const bool here = !section || (o->section && strcmp(o->section, section) == 0);
        if (here && has_name(o, key))
            return o;
    }
    return NULL;
}

const struct config_option *option_find_letter(char letter)
{
    for (size_t i = 0; i < option_count(); i++)
        if (option_at(i)->letter && option_at(i)->letter == letter)
            return option_at(i);
    return NULL;
}

bool option_is_section(const char *name)
{
    for (size_t i = 0; i < option_count(); i++)
        if (option_at(i)->section && strcmp(option_at(i)->section, name) == 0)
            return true;
    return false;
}

size_t option_index(const struct config_option *o)
{
    return (size_t)(o - table);
}
