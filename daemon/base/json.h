/*
 * json.h - C values as JSON values, where jansson's own constructors refuse some. Any thread.
 *
 * Each function returns a new reference; NULL: no memory.
 */
#ifndef FFTD_DAEMON_BASE_JSON_H
#define FFTD_DAEMON_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>

json_t *number_to_json(double value);  /* null if the value is not finite */
json_t *count_to_json(uint64_t value); /* exact up to 2^63 - 1 */
/* Text in any encoding: in text that is not UTF-8, '?' replaces each byte above 127. */
json_t *text_to_json(const char *value);

#endif
