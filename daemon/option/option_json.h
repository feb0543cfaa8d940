/* option_json.h - the values of options as JSON. Any thread. */
#ifndef FFTD_DAEMON_OPTION_OPTION_JSON_H
#define FFTD_DAEMON_OPTION_OPTION_JSON_H

#include <jansson.h>

#include "daemon/option/option.h"

/*
 * Adds the value of each row that clients know, under its name for them: numbers (null: not given),
 * "yes" and "no", and texts that option_parse() reads as the same value. rows: a table that ends
 * with {0}; fields: the struct that they are of.
 */
void option_add_json(json_t *object, const struct config_option *rows, const void *fields);

#endif
