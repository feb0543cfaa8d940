/*
 * presets.h - settings of the radio and the analyser that are stored by name, as the fields of a
 * "set" message. One thread. With a folder they are kept in its file presets.json.
 */
#ifndef FFTD_DAEMON_CONTROL_PRESETS_H
#define FFTD_DAEMON_CONTROL_PRESETS_H

#include <jansson.h>

#include "daemon/control/setting_change.h"

struct reason;

enum { PRESETS_MAX = 64 };

struct presets {
    json_t *all; /* {NAME: {FIELD: VALUE}}, in the order in which they were stored */
    char *path;  /* NULL: they end with the process */
};

/* {NAME: {...}} of a file, which the caller drops; NULL: the text is something else. Pure. */
json_t *presets_parse(const char *text, size_t size);
/* Reads the file. A bad one is logged, stays as it is, and no preset is kept. -ENOMEM */
int presets_init(struct presets *p, const char *folder);
void presets_finish(struct presets *p); /* zeroed is fine */

/* The errors have one line in *why. -ENOENT: no such name; -EMFILE: too many; others: the file. */
int presets_store(struct presets *p, const char *name, json_t *fields,
                  struct reason *why); /* takes over `fields` */
int presets_remove(struct presets *p, const char *name, struct reason *why);
/* What a "set" with its fields would change. */
int presets_read(const struct presets *p, const char *name, struct setting_change *out,
                 struct reason *why);

/*
 * The fields that a preset has of the settings, which are an object as in the status: without
 * absent ones, and without the correction, which belongs to the radio.
 */
json_t *preset_fields(const json_t *settings, double center_hz);

#endif
