/*
 * resource.h - a subject that clients may read and change: one file in api/ each.
 *
 * A resource does not know who carries a call: HTTP, websockets and the broker all arrive here as
 * the same api_call, checked against the same rows, and leave as the same api_reply. The rows also
 * make docs/openapi.json, the tables of docs/protocol.md and docs/api.md, and the messages of
 * refusals. Loop thread
 * only.
 */
#ifndef FFTD_DAEMON_API_RESOURCE_H
#define FFTD_DAEMON_API_RESOURCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/api/services.h"
#include "daemon/base/reason.h"
#include "daemon/option/option.h"

enum api_verb { API_GET, API_PUT, API_PATCH, API_POST, API_DELETE, API_VERBS };
extern const char *const api_verb_names[API_VERBS]; /* "GET" ... */

enum api_right {
    API_WATCH,   /* anyone who may connect */
    API_OPERATE, /* who has the control token */
    API_TUNE,    /* likewise, and nobody else has the lease of the radio */
    API_RIGHTS
};
struct api_right_row {
    const char *name, *about;
};
extern const struct api_right_row api_rights[API_RIGHTS]; /* "watch" ... */

struct api_connection;

struct api_call {
    const struct services *on;
    const struct lease_user *by; /* who asks; gets the lease with a change of the radio */
    bool control;                /* they have control: the carrier has checked that */
    const char *at;              /* what is in front of "lease" where they ask; NULL: "/api/v1/" */
    const char *name;            /* after the path: "voice" of /api/v1/measurements/voice; or "" */
    const json_t *values;        /* an object: of the query and the body */
    const struct api_connection *connection; /* the websocket that it comes by; NULL: another way */
};

struct api_reply {
    json_t *json;  /* owned; NULL: {} */
    char *bytes;   /* allocated, in place of json; NULL: none */
    size_t size;   /* of these */
    bool later;    /* the change is made with the lines that come */
    char made[48]; /* the name of what is new under the path of the resource; "": nothing */
};

/* A key of the values in addition to the rows of options. For the document. */
struct api_key {
    const char *name, *about;
    const char *choices; /* "a, b"; NULL: other texts; "": another value of JSON, as `about` says */
};

struct api_method {
    enum api_verb verb;
    enum api_right right;
    /*
     * 0, or -errno with a sentence in `why`, and the key of the value that is wrong, if it is one.
     * -ENOENT: there is nothing of this name.
     */
    int (*run)(const struct api_call *call, struct api_reply *reply, struct reason *why);
    const char *about;
    const struct config_option *keys; /* end with a row without a key; NULL: none */
    const struct api_key *more;       /* the same */
    bool any_key;                     /* others are checked by the resource */
    const char *example;              /* a body; NULL: without one */
};

/* What those get at once and after each change who subscribe to the resource. */
struct api_state {
    const char *about;                              /* when it changes; for the document */
    uint64_t (*version)(const struct services *on); /* another one after each change; not 0 */
    json_t *(*state)(const struct services *on);    /* a new reference; NULL: no memory */
};

struct api_resource {
    const char *path;                 /* with a final "/" a name follows */
    const char *tag;                  /* the chapter of the document */
    const struct api_method *methods; /* end with run == NULL */
    const struct api_state *topic;    /* (optional) its name is what follows "/api/v1/" */
};

/* resource_list.c: ends with NULL */
extern const struct api_resource *const api_resources[];
/* Of a single websocket, which alone has them: the same. Their calls have a connection. */
extern const struct api_resource *const api_connection_resources[];
/* The resource of a path and, in *name, what follows its path; NULL: none. */
const struct api_resource *api_find(const char *path, const char **name);
const struct api_resource *api_connection_find(const char *path, const char **name);
const struct api_method *api_method_of(const struct api_resource *r,
                                       enum api_verb verb); /* or NULL */
/* "GET, HEAD, PUT": the methods, for people and for the header Allow. Returns `into`. */
enum { API_METHODS_TEXT = 48 };
const char *api_methods_text(const struct api_resource *r, char into[API_METHODS_TEXT]);
/* The current path of an old one: "/api/status" is "/api/v1/status". NULL: it is no old one. */
const char *api_moved(const char *path, char *into, size_t size);
/*
 * Whether a call of the method needs control, whatever its verb. A carrier asks before it reads
 * what the call has to say, and refuses in its own words.
 */
bool api_needs_control(const struct api_method *method);
/* Checks right, keys and lease, and runs the method. */
int api_run(const struct api_method *method, const struct api_call *call, struct api_reply *reply,
            struct reason *why);
void api_reply_finish(struct api_reply *reply);
/* For methods: replies with JSON, which it takes over. 0, or -ENOMEM without it. */
int api_answer(struct api_reply *reply, json_t *json);

/* api_document.c: docs/openapi.json of all resources, streams and topics. NULL: no memory. */
json_t *api_document(void);
json_t *api_hub_document(void); /* the same of a hub */

#endif
