/* presets.c - the store of presets and its file. */
#include "daemon/control/presets.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/control/fields.h"
#include "daemon/files/text_file.h"

enum { FILE_MAX = 1 << 20 };

/* ---- the file --------------------------------------------------------------------------- */

json_t *presets_parse(const char *text, size_t size)
{
    json_t *all = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL), *fields;
    const char *name;
    bool good = json_is_object(all) && json_object_size(all) <= PRESETS_MAX;
    json_object_foreach(all, name, fields)
    {
        good = good && fields_is_name(name) && json_is_object(fields);
    }
    if (good)
        return all;
    json_decref(all);
    return NULL;
}

static void read_file(struct presets *p)
{
    struct reason why = {0};
    struct text text = {0};
    const int err = text_file_read_own(&text, p->path, FILE_MAX, &why);
    json_t *all = err == 0 ? presets_parse(text.data ? text.data : "", text.length) : NULL;
    if (all) {
        json_decref(p->all);
        p->all = all;
    } else if (err != -ENOENT) {
        log_warn("%s%s; presets end with this fftd", err < 0 ? why.sentence : p->path,
                 err < 0 ? "" : ": this is not a list of presets");
        free(p->path);
        p->path = NULL;
    }
    text_finish(&text);
}

static int write_file(const struct presets *p, struct reason *why)
{
    if (!p->path)
        return 0;
    char *json = json_text(p->all, JSON_INDENT(1));
    struct text text = {0};
    if (json)
        text_add(&text, "%s\n", json);
    free(json);
    const int err = !json || text.failed ? -ENOMEM : text_file_replace_own(p->path, &text, why);
    text_finish(&text);
    return err;
}

int presets_init(struct presets *p, const char *folder)
{
    *p = (struct presets){.all = json_object()};
    if (folder && asprintf(&p->path, "%s/presets.json", folder) < 0)
        p->path = NULL;
    if (!p->all || (folder && !p->path))
        return -ENOMEM;
    if (p->path)
        read_file(p);
    return 0;
}

void presets_finish(struct presets *p)
{
    json_decref(p->all);
    free(p->path);
    *p = (struct presets){0};
}

/* ---- changes ---------------------------------------------------------------------------- */

/* A part of a path that no program takes for another one. */
static bool is_name(const char *name)
{
    return *name && fields_is_name(name) && !strchr(name, '/') && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* Without the file, the old presets stay. */
static int replace(struct presets *p, json_t *all, struct reason *why)
{
    struct presets next = {.all = all, .path = p->path};
    const int err = write_file(&next, why);
    json_decref(err < 0 ? all : p->all);
    if (err == 0)
        p->all = all;
    return err;
}

int presets_store(struct presets *p, const char *name, json_t *fields, struct reason *why)
{
    int err = 0;
    if (!is_name(name))
        err = reason_set(why, -EINVAL,
                         "the name of a preset has 1 to 32 bytes, no slash, and is not . or ..");
    else if (!json_object_get(p->all, name) && json_object_size(p->all) >= PRESETS_MAX)
        err = reason_set(why, -EMFILE, "there are %d presets: remove one first", PRESETS_MAX);
    if (err < 0) {
        json_decref(fields);
        return err;
    }
    json_t *all = json_copy(p->all);
    if (json_object_set_new(all, name, fields) < 0) {
        json_decref(all);
        return reason_set(why, -EINVAL, "the name of a preset is not UTF-8");
    }
    return replace(p, all, why);
}

static int refuse_unknown(const char *name, struct reason *why)
{
    return reason_set(why, -ENOENT, "there is no preset %.40s", name);
}

int presets_remove(struct presets *p, const char *name, struct reason *why)
{
    json_t *all = json_copy(p->all);
    if (json_object_del(all, name) < 0) {
        json_decref(all);
        return refuse_unknown(name, why);
    }
    return replace(p, all, why);
}

int presets_read(const struct presets *p, const char *name, struct setting_change *out,
                 struct reason *why)
{
    const json_t *fields = json_object_get(p->all, name);
    return fields ? setting_change_read(fields, out, why) : refuse_unknown(name, why);
}

/* ---- what it has ------------------------------------------------------------------------ */

/* The text of `gain` has its elements. In a sweep there is no centre. */
static bool is_kept(const char *name, const json_t *value, bool sweeps)
{
    if (json_is_null(value) || strcmp(name, "ppm") == 0 || strncmp(name, "gain.", 5) == 0)
        return false;
    if (strcmp(name, "rate_hz") == 0)
        return json_number_value(value) > 0;
    return !(sweeps && strcmp(name, "center_hz") == 0);
}

json_t *preset_fields(const json_t *settings, double center_hz)
{
    json_t *fields = json_object(), *value;
    const char *name, *span = json_string_value(json_object_get(settings, "span"));
    const bool sweeps = span && *span;
    if (!sweeps && isfinite(center_hz))
        json_object_set_new(fields, "center_hz", json_real(center_hz));
    json_object_foreach((json_t *)settings, name, value)
    {
        if (is_kept(name, value, sweeps))
            json_object_set(fields, name, value);
    }
    return fields;
}
