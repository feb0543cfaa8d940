/* json.h - C values as JSON values, and JSON values as text. Any thread. */
#ifndef FFTD_DAEMON_BASE_JSON_H
#define FFTD_DAEMON_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>

/* A new reference each; NULL: no memory. */
json_t *number_to_json(double value);  /* null if the value is not finite */
json_t *count_to_json(uint64_t value); /* exact up to 2^63 - 1 */
/* Text in any encoding: in text that is not UTF-8, '?' replaces each byte above 127. */
json_t *text_to_json(const char *value);

/*
 * JSON as text, with the numbers of number_text: the only writer of JSON. layout: JSON_COMPACT or
 * JSON_INDENT(n), and JSON_ENCODE_ANY for more than objects and arrays. Allocated; NULL: no memory,
 * or `value` is NULL.
 */
char *json_text(const json_t *value, size_t layout);

/* A value as JSON text for an error message, cut after at most 36 bytes. Returns `into`. */
enum { JSON_EXCERPT = 40 };
const char *value_excerpt(const json_t *value, char into[JSON_EXCERPT]);

/*
 * Why a text is not JSON, for people: "a key is given twice near '"a"' (line 1, column 12)".
 * Jansson's own words name its options. Returns `into`.
 */
enum { JSON_FAULT = 256 };
const char *json_fault(const json_error_t *fault, char into[JSON_FAULT]);

/*
 * What is different in the object `now`: members that are new or have another value, and of members
 * that are objects what is different in them. A new reference; NULL: a member is gone, or there is
 * no memory.
 */
json_t *json_find_changes(json_t *before, json_t *now);

#endif
