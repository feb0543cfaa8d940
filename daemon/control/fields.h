/*
 * fields.h - reads the fields of a client's message. All return 0, or -EINVAL with a sentence of
 * one line and the key of the field. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONTROL_FIELDS_H
#define FFTD_DAEMON_CONTROL_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

/* Both bounds are included. */
struct field_range {
    bool whole; /* only whole numbers */
    double min, max;
};

/* "`field`: `value` is not `expected`". Always -EINVAL. */
int fields_refuse_value(struct reason *why, const char *field, const json_t *value,
                        const char *expected);

/* Reads a number within `range` into *out. Without the key *out stays as it is. */
int fields_number(const json_t *object, const char *key, const struct field_range *range,
                  double *out, struct reason *why);
/* The same for a whole number from range[0] to range[1]. */
int fields_count(const json_t *object, const char *key, const uint32_t range[2], uint32_t *out,
                 struct reason *why);

/*
 * The text of a value as on the command line: a text of one line, a number, or true and false.
 * -EINVAL: it is none of these, or too long.
 */
int fields_text(const json_t *value, char *into, size_t size);

/* What people call a client: at most 32 bytes, without control characters. */
enum { CLIENT_NAME = 33 };
bool fields_is_name(const char *text);

/* Refuses an object with a key that is not among `names`, which end with NULL. */
int fields_check_keys(const json_t *object, const char *const names[], const char *what,
                      struct reason *why);

#endif
