/* change.c - changes over HTTP: which paths have them, their parameters, who may make them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/client/setting_change.h"
#include "daemon/server/internal.h"
#include "daemon/status/status_json.h"

/* ---- their parameters, those of the query ----------------------------------------------- */

int change_each_parameter(struct lws *wsi,
                          int (*add)(void *user, const char *key, const char *value, char *error,
                                     size_t error_size),
                          void *user, char *error, size_t error_size)
{
    char pair[HEADER_MAX];
    int err = 0;
    for (int i = 0;
         err == 0 && lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0;
         i++) {
        if (strcmp(pair, "/") == 0) /* libwebsockets makes it of an empty last one */
            continue;
        char *equals = strchr(pair, '=');
        if (!equals)
            return reason_set(error, error_size, -EINVAL, "a parameter has the form KEY=VALUE");
        *equals = '\0';
        err = add(user, pair, equals + 1, error, error_size);
    }
    return err;
}

/* ---- measurements and triggers ---------------------------------------------------------- */

static int add_key(void *user, const char *key, const char *value, char *error, size_t error_size)
{
    const int err = measure_text_add(user, key, value, 0);
    if (err == -EEXIST)
        return reason_set(error, error_size, err, "a key is given twice");
    return err < 0 ? reason_set(error, error_size, err, "a key or value is not valid") : 0;
}

static int put_text(struct server *s, struct lws *wsi, const char *name,
                    int (*set)(struct server *s, const struct measure_text *text, char *error,
                               size_t error_size),
                    char *error, size_t error_size)
{
    struct measure_text text = {.name = strdup(name)};
    int err = text.name ? change_each_parameter(wsi, add_key, &text, error, error_size) : -ENOMEM;
    if (err == 0)
        err = set(s, &text, error, error_size);
    measure_text_finish(&text);
    return err;
}

static int put_measure(struct server *s, struct lws *wsi, const char *name, char *error,
                       size_t error_size)
{
    return put_text(s, wsi, name, server_set_measure_text, error, error_size);
}

static int put_trigger(struct server *s, struct lws *wsi, const char *name, char *error,
                       size_t error_size)
{
    return put_text(s, wsi, name, server_set_trigger, error, error_size);
}

static int post_trigger(struct server *s, struct lws *wsi, const char *name, char *error,
                        size_t error_size)
{
    (void)wsi;
    return server_fire_trigger(s, name, error, error_size);
}

/* ---- references ------------------------------------------------------------------------ */

static int put_reference(struct server *s, struct lws *wsi, const char *name, char *error,
                         size_t error_size)
{
    struct reference_request request = {.count = 0};
    const int err = change_each_parameter(wsi, reference_request_add, &request, error, error_size);
    return err < 0 ? err : server_put_reference(s, name, &request, error, error_size);
}

/* ---- spurs ------------------------------------------------------------------------------ */

static int post_spurs(struct server *s, struct lws *wsi, const char *name, char *error,
                      size_t error_size)
{
    (void)name;
    struct learn_request request = {.duration_s = 1, .threshold_db = 10};
    const int err = change_each_parameter(wsi, learn_request_add, &request, error, error_size);
    return err < 0 ? err : server_learn_spurs(s, &request, error, error_size);
}

/* ---- settings --------------------------------------------------------------------------- */

static int add_field(void *user, const char *key, const char *value, char *error, size_t error_size)
{
    return setting_change_add(user, key, value, error, error_size);
}

static int put_settings(struct server *s, struct lws *wsi, const char *name, char *error,
                        size_t error_size)
{
    (void)name;
    struct setting_change change = {0};
    const int err = change_each_parameter(wsi, add_field, &change, error, error_size);
    if (err < 0)
        return err;
    if (change.fields == 0 && !change.radio.gains[0] && !change.radio.settings[0])
        return reason_set(error, error_size, -EINVAL, "no setting is given");
    setting_change_complete(&change);
    return server_apply_change(s, &change, error, error_size);
}

static int add_replay(void *user, const char *key, const char *value, char *error,
                      size_t error_size)
{
    return replay_change_add(user, key, value, error, error_size);
}

static int put_replay(struct server *s, struct lws *wsi, const char *name, char *error,
                      size_t error_size)
{
    (void)name;
    struct replay_change change = {0};
    const int err = change_each_parameter(wsi, add_replay, &change, error, error_size);
    if (err < 0)
        return err;
    if (change.fields == 0)
        return reason_set(error, error_size, -EINVAL, "nothing is given to change");
    return server_change_replay(s, &change, error, error_size);
}

/* The text names the recording, so that it can be stopped. */
static int post_recording(struct server *s, struct lws *wsi, const char *name, char *text,
                          size_t size)
{
    (void)name;
    uint64_t id = 0;
    struct record_change change = {0};
    const struct error_text error = {text, size};
    int err = change_each_parameter(wsi, record_change_add, &change, text, size);
    if (err == 0)
        err = record_change_check(&change, &error);
    if (err == 0)
        err = server_start_recording(s, &change, &id, text, size);
    return err < 0 ? err : reason_set(text, size, 0, "recording %llu", (unsigned long long)id);
}

void answer_settings(struct server *s, const struct request *r, struct answer *a)
{
    struct status now;
    (void)r;
    server_update_status(s, &now);
    answer_json(s,
                json_pack("{so so so}", "settings", settings_to_json(&now.settings), "choices",
                          choices_to_json(s->radio), "refused", text_to_json(now.dsp.refused)),
                JSON_REAL_PRECISION(12), a);
}

/* ---- the lease -------------------------------------------------------------------------- */

static int put_lease(struct server *s, struct lws *wsi, const char *name, char *text, size_t size)
{
    (void)name;
    return http_change_lease(s, wsi, true, text, size);
}

static int delete_lease(struct server *s, struct lws *wsi, const char *name, char *text,
                        size_t size)
{
    (void)name;
    return http_change_lease(s, wsi, false, text, size);
}

/* ---- paths ------------------------------------------------------------------------------ */

/* 0; > 0: accepted, done later; or -errno with one line in text. */
typedef int make_change(struct server *s, struct lws *wsi, const char *name, char *text,
                        size_t size);

struct change {
    const char *path; /* a name follows one that ends with "/" */
    make_change *put, *post, *delete;
    /* In place of delete, where the name says everything. */
    int (*remove)(struct server *s, const char *name, char *text, size_t size);
    bool tunes; /* the radio: by the one who has the lease, or gets it */
};

static const struct change changes[] = {
    {server_lease_path, .put = put_lease, .delete = delete_lease},
    {server_measure_path, .put = put_measure, .remove = server_remove_measure},
    {server_preset_path, .put = http_put_preset, .remove = server_remove_preset},
    {server_recordings_path, .post = post_recording},
    {server_recording_path, .remove = server_remove_recording},
    {server_reference_path, .put = put_reference, .remove = server_remove_reference},
    {server_replay_path, .put = put_replay, .tunes = true},
    {"/api/v1/settings", .put = put_settings, .tunes = true},
    {"/api/v1/spurs", .post = post_spurs},
    {server_trigger_path, .put = put_trigger, .post = post_trigger,
     .remove = server_remove_trigger},
};

static const struct change *find_change(const char *path)
{
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const size_t length = strlen(changes[i].path);
        const bool named = changes[i].path[length - 1] == '/';
        if (strncmp(path, changes[i].path, length) == 0 && (named || !path[length]))
            return &changes[i];
    }
    return NULL;
}

const char *change_methods(const char *path)
{
    static const char *const methods[] = {
        "GET, HEAD",
        "GET, HEAD, PUT",
        "GET, HEAD, POST",
        "GET, HEAD, PUT, POST",
        "GET, HEAD, DELETE",
        "GET, HEAD, PUT, DELETE",
        "GET, HEAD, POST, DELETE",
        "GET, HEAD, PUT, POST, DELETE",
    };
    const struct change *c = find_change(path);
    const bool removes = c && (c->delete || c->remove);
    return c ? methods[(c->put ? 1 : 0) + (c->post ? 2 : 0) + (removes ? 4 : 0)] : NULL;
}

static bool has_method(struct lws *wsi, enum lws_token_indexes method)
{
    return lws_hdr_total_length(wsi, method) > 0;
}

bool change_is_one(struct lws *wsi, const char *path)
{
    const struct change *c = find_change(path);
    return c && ((c->put && has_method(wsi, WSI_TOKEN_PUT_URI)) ||
                 (c->post && has_method(wsi, WSI_TOKEN_POST_URI)) ||
                 ((c->delete || c->remove) && has_method(wsi, WSI_TOKEN_DELETE_URI)));
}

/* ---- changes ---------------------------------------------------------------------------- */

static int make(const struct change *c, struct server *s, struct lws *wsi, const char *path,
                char *text, size_t size)
{
    const char *name = path + strlen(c->path);
    if (has_method(wsi, WSI_TOKEN_PUT_URI))
        return c->put(s, wsi, name, text, size);
    if (has_method(wsi, WSI_TOKEN_POST_URI))
        return c->post(s, wsi, name, text, size);
    return c->remove ? c->remove(s, name, text, size) : c->delete (s, wsi, name, text, size);
}

static int make_leased(const struct change *c, struct server *s, struct lws *wsi, const char *path,
                       char *text, size_t size)
{
    int err = http_check_lease(s, wsi, text, size);
    if (err == 0)
        err = make(c, s, wsi, path, text, size);
    if (err >= 0)
        http_hold_lease(s, wsi);
    return err;
}

static unsigned status_of(int err)
{
    static const struct {
        int err;
        unsigned status;
    } statuses[] = {{-ENOENT, 404}, {-EBUSY, 409},   {-EALREADY, 409}, {-ENOMEM, 503},
                    {-EMFILE, 503}, {-ENOBUFS, 503}, {-ENOSPC, 503},   {-EAGAIN, 503}};
    if (err >= 0)
        return err > 0 ? 202 : 200;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (err == statuses[i].err)
            return statuses[i].status;
    return 400;
}

unsigned change_make(struct server *s, struct lws *wsi, const struct request *r, char *text,
                     size_t size)
{
    unsigned status = 403;
    const char *refused = server_refuse_origin(s, wsi, r->host);
    if (!refused)
        refused = server_refuse_change(s, wsi, &status, text, size);
    if (refused) {
        if (refused != text)
            reason_set(text, size, 0, "%s", refused);
        return status;
    }
    const struct change *c = find_change(r->path);
    text[0] = '\0';
    const int err = (c->tunes ? make_leased : make)(c, s, wsi, r->path, text, size);
    if (!text[0] || (err >= 0 && c->post != post_recording))
        reason_set(text, size, 0, "%s",
                   err > 0    ? "accepted: it is stored with the lines that come"
                   : err == 0 ? "done"
                              : strerror(-err));
    return status_of(err);
}
