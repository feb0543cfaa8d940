/*
 * option_table.h - the options of all rooms as one table. Their fields are those of struct config.
 *
 * Any thread.
 */
#ifndef FFTD_DAEMON_CONFIG_OPTION_TABLE_H
#define FFTD_DAEMON_CONFIG_OPTION_TABLE_H

#include "daemon/option/option.h"

extern const struct config_option config_options[]; /* option_rows.c: those of config/ itself */

size_t option_count(void);
const struct config_option *option_at(size_t i); /* i < option_count() */
size_t option_index(const struct config_option *o);

/* NULL: no such row. With section NULL, searches by key alone. */
const struct config_option *option_find(const char *section, const char *key);
const struct config_option *option_find_letter(char letter);
bool option_is_section(const char *name);

#endif
