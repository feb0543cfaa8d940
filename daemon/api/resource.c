/* resource.c - how a resource is found by its path, and how its methods are called. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"

const char *const api_verb_names[API_VERBS] = {"GET", "PUT", "PATCH", "POST", "DELETE"};

const struct api_right_row api_rights[API_RIGHTS] = {
    [API_WATCH] = {"watch", "whoever may connect"},
    [API_OPERATE] = {"operate", "whoever has control"},
    [API_TUNE] = {"tune", "whoever has control, while nobody else has the lease of the radio; gets "
                          "the lease with the change"},
};

/* ---- paths ------------------------------------------------------------------------------ */

static const struct api_resource *find(const struct api_resource *const *all, const char *path,
                                       const char **name)
{
    for (const struct api_resource *const *r = all; *r; r++) {
        const size_t length = strlen((*r)->path);
        const bool named = (*r)->path[length - 1] == '/';
        if (strncmp(path, (*r)->path, length) != 0 || (!named && path[length]))
            continue;
        *name = path + length;
        return *r;
    }
    return NULL;
}

const struct api_resource *api_find(const char *path, const char **name)
{
    return find(api_resources, path, name);
}

const struct api_resource *api_connection_find(const char *path, const char **name)
{
    return find(api_connection_resources, path, name);
}

/* The first part of a path that has another name now. */
static const struct {
    const char *old, *now;
} moved[] = {
    {"/api/spectrum", "/api/v1/spectrum"},
    {"/api/status", "/api/v1/status"},
    {"/api/v1/measure", "/api/v1/measurements"},
    {"/api/v1/measure-types", "/api/v1/measurement-types"},
};

const char *api_moved(const char *path, char *into, size_t size)
{
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++) {
        const size_t length = strlen(moved[i].old);
        if (strncmp(path, moved[i].old, length) != 0 || (path[length] && path[length] != '/'))
            continue;
        const int written = snprintf(into, size, "%s%s", moved[i].now, path + length);
        return written >= 0 && (size_t)written < size ? into : NULL;
    }
    return NULL;
}

/* ---- methods ---------------------------------------------------------------------------- */

const struct api_method *api_method_of(const struct api_resource *r, enum api_verb verb)
{
    for (const struct api_method *m = r->methods; m->run; m++)
        if (m->verb == verb)
            return m;
    return NULL;
}

const char *api_methods_text(const struct api_resource *r, char into[API_METHODS_TEXT])
{
    size_t length = 0;
    for (const struct api_method *m = r->methods; m->run; m++)
        length +=
            (size_t)snprintf(into + length, API_METHODS_TEXT - length, "%s%s%s", length ? ", " : "",
                             api_verb_names[m->verb], m->verb == API_GET ? ", HEAD" : "");
    return into;
}

/* Writes the names into `names`, at most `size`. Returns how many there are. */
static size_t key_names(const struct api_method *m, const char *names[], size_t size)
{
    size_t count = 0;
    for (const struct config_option *o = m->keys; o && o->key && count < size; o++)
        names[count++] = o->key;
    for (const struct api_key *k = m->more; k && k->name && count < size; k++)
        names[count++] = k->name;
    return count;
}

static int check_keys(const struct api_method *m, const json_t *values, struct reason *why)
{
    enum { NAMES = 64 };
    const char *names[NAMES];
    const size_t count = key_names(m, names, NAMES);
    const char *key;
    json_t *value;
    int err = 0;
    json_object_foreach((json_t *)values, key, value)
    {
        if (err == 0 && !m->any_key)
            err = api_check_key(key, names, count, why);
    }
    return err;
}

bool api_needs_control(const struct api_method *method)
{
    return method->right != API_WATCH;
}

static int check_call(const struct api_method *m, const struct api_call *call, struct reason *why)
{
    if (api_needs_control(m) && !call->control)
        return reason_set(why, -EKEYREJECTED, "this needs control");
    const int err = check_keys(m, call->values, why);
    return err < 0 || m->right != API_TUNE
               ? err
               : radio_control_check_lease(call->on->radio, call->by, why);
}

int api_run(const struct api_method *method, const struct api_call *call, struct api_reply *reply,
            struct reason *why)
{
    int err = check_call(method, call, why);
    if (err == 0)
        err = method->run(call, reply, why);
    if (err < 0 && !why->sentence[0])
        reason_set(why, err, "%s", strerror(-err));
    if (err < 0)
        api_reply_finish(reply);
    return err;
}

int api_answer(struct api_reply *reply, json_t *json)
{
    reply->json = json;
    return json ? 0 : -ENOMEM;
}

void api_reply_finish(struct api_reply *reply)
{
    json_decref(reply->json);
    free(reply->bytes);
    *reply = (struct api_reply){0};
}
