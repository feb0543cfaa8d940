/* api_document.c - docs/openapi.json, made of the rows of resources, streams and topics. */
#include <stdio.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/streams.h"
#include "daemon/api/topics.h"
#include "daemon/base/si.h"
#include "daemon/control/setting_change.h"
#include "daemon/option/option.h"

enum { PATH_TEXT = 80 };

/* ---- keys ------------------------------------------------------------------------------- */

static json_t *words(const char *list)
{
    json_t *out = json_array();
    while (*list) {
        const size_t length = strcspn(list, ",");
        json_array_append_new(out, json_stringn(list, length));
        list += length;
        list += strspn(list, ", ");
    }
    return out;
}

/*
 * A value may be a text with a unit where a number is meant. others: also other texts than the
 * choices.
 */
static json_t *schema(bool is_number, bool is_flag, const char *choices, bool others)
{
    if (choices && !choices[0])
        return json_object();
    if (choices && !others)
        return json_pack("{ss so}", "type", "string", "enum", words(choices));
    if (is_flag)
        return json_pack("{s[{ss}{ss}]}", "oneOf", "type", "boolean", "type", "string");
    if (is_number)
        return json_pack("{s[{ss}{ss}]}", "oneOf", "type", "number", "type", "string");
    return json_pack("{ss}", "type", "string");
}

static json_t *option_schema(const struct config_option *o)
{
    const bool is_number = o->kind == OPTION_NUMBER || o->kind == OPTION_COUNT ||
                           o->kind == OPTION_BYTES || o->kind == OPTION_LABEL;
    return schema(is_number, o->kind == OPTION_FLAG, o->choices, o->expected);
}

static json_t *option_about(const struct config_option *o)
{
    char expected[256];
    return json_sprintf("%s; %s", o->help, option_expected(o, expected, sizeof expected));
}

static void add_parameter(json_t *list, const char *name, json_t *about, json_t *of)
{
    json_array_append_new(list, json_pack("{ss ss so sb so}", "name", name, "in", "query",
                                          "description", about, "required", 0, "schema", of));
}

static void add_keys(json_t *list, const struct api_key *keys)
{
    for (const struct api_key *k = keys; k && k->name; k++)
        add_parameter(list, k->name, json_string(k->about),
                      schema(false, false, k->choices, false));
}

/* needs: as of a stream. */
static void require(json_t *parameters, const char *needs)
{
    json_t *each;
    size_t i;
    json_array_foreach(parameters, i, each)
    {
        const char *name = json_string_value(json_object_get(each, "name"));
        const size_t length = strlen(name);
        const char *at = needs;
        while (at && !(strncmp(at, name, length) == 0 && at[length] == '='))
            at = strchr(at, '&') ? strchr(at, '&') + 1 : NULL;
        if (!at)
            continue;
        at += length + 1;
        json_object_set_new(each, "required", json_true());
        json_object_set_new(each, "example", json_stringn(at, strcspn(at, "&")));
    }
}

static void add_options(json_t *list, const struct config_option *keys)
{
    for (const struct config_option *o = keys; o && o->key; o++)
        add_parameter(list, o->key, option_about(o), option_schema(o));
}

static void add_settings(json_t *list)
{
    const struct config_option *o;
    for (size_t i = 0; (o = setting_at(i)); i++)
        add_parameter(list, o->api, option_about(o), option_schema(o));
}

/* The properties of a body are the parameters of the query. */
static json_t *body_of(const json_t *parameters, bool any_key, const char *example)
{
    json_t *properties = json_object(), *each;
    size_t i;
    json_array_foreach(parameters, i, each)
    {
        json_t *property = json_copy(json_object_get(each, "schema"));
        json_object_set(property, "description", json_object_get(each, "description"));
        if (strcmp(json_string_value(json_object_get(each, "in")), "query") == 0)
            json_object_set_new(properties, json_string_value(json_object_get(each, "name")),
                                property);
        else
            json_decref(property);
    }
    json_t *type = json_pack("{ss so sb}", "type", "object", "properties", properties,
                             "additionalProperties", any_key);
    json_t *content = json_pack("{so}", "schema", type);
    if (example)
        json_object_set_new(content, "example", json_loads(example, 0, NULL));
    return json_pack("{sb s{so}}", "required", 0, "content", "application/json", content);
}

/* ---- answers ---------------------------------------------------------------------------- */

static json_t *types_to_json(const char *types)
{
    json_t *content = json_object();
    while (*types) {
        char type[64];
        const size_t length = strcspn(types, ",");
        snprintf(type, sizeof type, "%.*s", (int)length, types);
        json_object_set_new(content, type, json_object());
        types += length;
        types += strspn(types, ", ");
    }
    return content;
}

static void add_result(json_t *responses, const char *status, const char *about, const char *types)
{
    json_t *result = json_pack("{ss}", "description", about);
    if (types[0])
        json_object_set_new(result, "content", types_to_json(types));
    json_object_set_new(responses, status, result);
}

static void add_fault(json_t *responses, unsigned status, const char *about)
{
    char text[12];
    snprintf(text, sizeof text, "%u", status);
    add_result(responses, text, about, "application/problem+json");
}

static json_t *responses_of(const struct api_resource *r, const struct api_method *m)
{
    const bool named = r->path[strlen(r->path) - 1] == '/';
    json_t *responses = json_object();
    add_result(responses, "200", "done; the resource as it is now", "application/json");
    if (strcmp(r->path, "/api/v1/references/") == 0 && m->verb == API_GET)
        add_result(responses, "200", "the file", "application/octet-stream");
    add_fault(responses, 400, "a key is unknown or given twice, or a value is wrong");
    if (api_needs_control(m)) {
        add_fault(responses, 401, "the control token is missing or wrong");
        add_fault(responses, 403, "this page, or this address without a token, changes nothing");
    }
    if (m->verb != API_GET) {
        add_fault(responses, 413, "the body has more than 65536 bytes");
        add_fault(responses, 415, "the body is no application/json");
        add_fault(responses, 503, "there are too many, or the disk is full: try again later");
    }
    if (m->verb == API_PUT || m->verb == API_POST) {
        add_result(responses, "201", "made; Location has its path", "application/json");
        add_result(responses, "202", "it will be made with the lines that come",
                   "application/json");
    }
    if (m->right == API_TUNE)
        add_fault(responses, 409, "somebody else has the lease of the radio");
    if (named || m->verb == API_POST)
        add_fault(responses, 404, "there is nothing of this name");
    return responses;
}

/* ---- paths ------------------------------------------------------------------------------ */

/* Of a document: the paths, and what stands in front of those of resources. */
struct writer {
    json_t *paths;
    const char *prefix; /* in place of "/api/v1/"; NULL: the path as it is */
};

static const char below[] = "/api/v1/", below_radio[] = "/api/v1/radios/{radio}/";

static void add_path_parameter(json_t *parameters, const char *name)
{
    json_array_append_new(parameters, json_pack("{ss ss sb s{ss}}", "name", name, "in", "path",
                                                "required", 1, "schema", "type", "string"));
}

/* A final "/" is followed by a name. Adds the parameters of the path. */
static void write_path(const struct writer *w, const char *path, char text[PATH_TEXT],
                       json_t *parameters)
{
    const bool named = path[strlen(path) - 1] == '/' && strcmp(path, "/") != 0;
    snprintf(text, PATH_TEXT, "%s%s%s", w->prefix ? w->prefix : "",
             w->prefix ? path + sizeof below - 1 : path, named ? "{name}" : "");
    if (w->prefix)
        add_path_parameter(parameters, "radio");
    if (named)
        add_path_parameter(parameters, "name");
}

static const char *verb_key(enum api_verb verb)
{
    static const char *const keys[API_VERBS] = {"get", "put", "patch", "post", "delete"};
    return keys[verb];
}

static json_t *method_to_json(const struct writer *w, const struct api_resource *r,
                              const struct api_method *m)
{
    char path[PATH_TEXT];
    json_t *parameters = json_array();
    write_path(w, r->path, path, parameters);
    add_options(parameters, m->keys);
    add_keys(parameters, m->more);
    if (m->right == API_TUNE && strcmp(r->path, "/api/v1/settings") == 0)
        add_settings(parameters);
    json_t *operation = json_pack("{ss s[s] ss sO so}", "summary", m->about, "tags", r->tag,
                                  "x-right", api_rights[m->right].name, "parameters", parameters,
                                  "responses", responses_of(r, m));
    if (api_needs_control(m))
        json_object_set_new(operation, "security", json_pack("[{s[]}{}]", "token"));
    if (m->verb != API_GET && m->verb != API_DELETE)
        json_object_set_new(operation, "requestBody", body_of(parameters, m->any_key, m->example));
    json_decref(parameters);
    return operation;
}

static void add_resources(const struct writer *w, const struct api_resource *const *all)
{
    for (const struct api_resource *const *r = all; *r; r++) {
        char path[PATH_TEXT];
        json_t *unused = json_array(), *operations = json_object();
        write_path(w, (*r)->path, path, unused);
        json_decref(unused);
        for (const struct api_method *m = (*r)->methods; m->run; m++)
            json_object_set_new(operations, verb_key(m->verb), method_to_json(w, *r, m));
        json_object_set_new(w->paths, path, operations);
    }
}

static void add_stream(const struct writer *w, const struct api_stream *s)
{
    char path[PATH_TEXT];
    json_t *parameters = json_array(), *responses = json_object();
    write_path(w, s->path, path, parameters);
    add_keys(parameters, s->keys);
    require(parameters, s->needs);
    add_result(responses, s->types[0] ? "200" : "101", s->result, s->types);
    for (const struct api_outcome *o = s->faults; o && o->status; o++)
        add_fault(responses, o->status, o->about);
    json_object_set_new(w->paths, path,
                        json_pack("{s{ss s[s] so so}}", "get", "summary", s->about, "tags", s->tag,
                                  "parameters", parameters, "responses", responses));
}

static void add_streams(const struct writer *w, const struct api_stream *streams)
{
    for (const struct api_stream *s = streams; s->path; s++)
        add_stream(w, s);
}

/* ---- rights and topics ------------------------------------------------------------------ */

static json_t *rights_to_json(void)
{
    json_t *rights = json_object();
    for (size_t i = 0; i < API_RIGHTS; i++)
        json_object_set_new(rights, api_rights[i].name, json_string(api_rights[i].about));
    return rights;
}

static json_t *topic_to_json(const struct api_topic *t)
{
    json_t *keys = json_object();
    for (const struct api_key *k = t->keys; k && k->name; k++) {
        json_t *key = schema(false, false, k->choices, false);
        json_object_set_new(key, "description", json_string(k->about));
        json_object_set_new(keys, k->name, key);
    }
    return json_pack("{ss ss so}", "summary", t->about, "message", t->message, "keys", keys);
}

static json_t *topics_to_json(void)
{
    json_t *topics = json_object();
    for (unsigned i = 0; i < api_topic_count(); i++) {
        const struct api_resource *r = api_topic_resource(i);
        const struct api_topic state = {.about = r ? r->topic->about : "", .message = "state"};
        json_object_set_new(topics, api_topic_name(i), topic_to_json(r ? &state : &api_topics[i]));
    }
    return topics;
}

/* Calls of websockets alone: the answers of HTTP are not theirs. */
static json_t *connection_to_json(void)
{
    const struct writer w = {.paths = json_object()};
    const char *path, *method;
    json_t *operations, *operation;
    add_resources(&w, api_connection_resources);
    json_object_foreach(w.paths, path, operations)
        json_object_foreach(operations, method, operation) json_object_del(operation, "responses");
    return w.paths;
}

/* ---- documents -------------------------------------------------------------------------- */

static json_t *document(const char *about, json_t *paths)
{
    return json_pack("{ss s{ss ss ss} s{s{s{ss ss ss}}} so so}", "openapi", "3.0.3", "info",
                     "title", "fftd", "version", FFTD_VERSION, "description", about, "components",
                     "securitySchemes", "token", "type", "http", "scheme", "bearer", "description",
                     "the control token", "paths", paths, "x-rights", rights_to_json());
}

json_t *api_document(void)
{
    const struct writer w = {.paths = json_object()};
    add_resources(&w, api_resources);
    add_streams(&w, api_streams);
    json_t *made = document(
        "The HTTP paths of a running fftd. Changes take their values from the query, or from a "
        "JSON object as the body; a value is a text as on the command line (\"433.92M\"), a "
        "number, or true and false. docs/api.md explains the contents, docs/protocol.md the "
        "websocket.",
        w.paths);
    if (made) {
        json_object_set_new(made, "x-topics", topics_to_json());
        json_object_set_new(made, "x-connection", connection_to_json());
    }
    return made;
}

json_t *api_hub_document(void)
{
    const struct writer w = {.paths = json_object()}, of_radio = {w.paths, below_radio};
    add_streams(&w, api_hub_streams);
    add_stream(&of_radio, api_stream_find(api_streams, "/api/v1/archive"));
    add_stream(&of_radio, api_stream_find(api_streams, "/api/v1/survey"));
    add_resources(&of_radio, api_resources);
    return document("The HTTP paths of a running hub. docs/hub-api.md explains them. A radio "
                    "is named SITE.RADIO; what is below it are the paths of that radio's fftd.",
                    w.paths);
}
