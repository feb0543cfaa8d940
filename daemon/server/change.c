/* change.c - changes over HTTP: PUT and DELETE of measurements, PUT of settings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/client/setting_change.h"
#include "daemon/server/internal.h"
#include "daemon/status/status_json.h"

static const char settings_path[] = "/api/v1/settings";

/* ---- which requests --------------------------------------------------------------------- */

static bool is_measure(const char *path)
{
    return strncmp(path, server_measure_path, strlen(server_measure_path)) == 0;
}

static bool is_put(struct lws *wsi)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) > 0;
}

const char *change_methods(const char *path)
{
    if (strcmp(path, settings_path) == 0)
        return "GET, HEAD, PUT";
    return is_measure(path) ? "GET, HEAD, PUT, DELETE" : NULL;
}

bool change_is_one(struct lws *wsi, const char *path)
{
    const bool removes = is_measure(path) && lws_hdr_total_length(wsi, WSI_TOKEN_DELETE_URI) > 0;
    return change_methods(path) && (is_put(wsi) || removes);
}

/* ---- their parameters, those of the query ----------------------------------------------- */

/*
 * Calls `add` for each "KEY=VALUE"; libwebsockets has decoded them. 0, or an error of `add`, which
 * may have set the reason.
 */
static int each_parameter(struct lws *wsi,
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

/* ---- measurements ----------------------------------------------------------------------- */

static int add_key(void *user, const char *key, const char *value, char *error, size_t error_size)
{
    const int err = measure_text_add(user, key, value, 0);
    if (err == -EEXIST)
        return reason_set(error, error_size, err, "a key is given twice");
    return err < 0 ? reason_set(error, error_size, err, "a key or value is not valid") : 0;
}

static int put_measure(struct server *s, struct lws *wsi, const char *name, char *error,
                       size_t error_size)
{
    struct measure_text text = {.name = strdup(name)};
    int err = text.name ? each_parameter(wsi, add_key, &text, error, error_size) : -ENOMEM;
    if (err == 0)
        err = server_set_measure_text(s, &text, error, error_size);
    measure_text_finish(&text);
    return err;
}

/* ---- settings --------------------------------------------------------------------------- */

static int add_field(void *user, const char *key, const char *value, char *error, size_t error_size)
{
    return setting_change_add(user, key, value, error, error_size);
}

static int put_settings(struct server *s, struct lws *wsi, char *error, size_t error_size)
{
    struct setting_change change = {0};
    const int err = each_parameter(wsi, add_field, &change, error, error_size);
    if (err < 0)
        return err;
    if (change.fields == 0)
        return reason_set(error, error_size, -EINVAL, "no setting is given");
    setting_change_complete(&change);
    return server_apply_change(s, &change, error, error_size);
}

void answer_settings(struct server *s, const struct request *r, struct answer *a)
{
    struct status now;
    (void)r;
    server_update_status(s, &now);
    answer_json(s,
                json_pack("{so so so}", "settings", settings_to_json(&now.settings), "choices",
                          choices_to_json(), "refused", text_to_json(now.dsp.refused)),
                JSON_REAL_PRECISION(12), a);
}

/* ---- changes ---------------------------------------------------------------------------- */

static unsigned status_of(int err)
{
    if (err == 0)
        return 200;
    return err == -ENOENT ? 404 : err == -ENOMEM || err == -EMFILE ? 503 : 400;
}

unsigned change_make(struct server *s, struct lws *wsi, const struct request *r, char *text,
                     size_t size)
{
    unsigned status = 403;
    if (!server_check_origin(s, wsi, r->host)) {
        reason_set(text, size, 0, "this Origin is not allowed (see allow-origin)");
        return status;
    }
    const char *refused = server_refuse_change(s, wsi, &status, text, size);
    if (refused) {
        if (refused != text)
            reason_set(text, size, 0, "%s", refused);
        return status;
    }
    const char *name = r->path + strlen(server_measure_path);
    const int err = !is_measure(r->path) ? put_settings(s, wsi, text, size)
                    : is_put(wsi)        ? put_measure(s, wsi, name, text, size)
                                         : server_remove_measure(s, name, text, size);
    if (err == 0 || !text[0])
        reason_set(text, size, 0, "%s", err == 0 ? "done" : strerror(-err));
    return status_of(err);
}
