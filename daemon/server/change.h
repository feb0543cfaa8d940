/*
 * change.h - changes over HTTP, and what clients change beside the radio's settings: the lease,
 * presets, references, recordings, triggers, spurs. Loop thread only.
 */
#ifndef FFTD_DAEMON_SERVER_CHANGE_H
#define FFTD_DAEMON_SERVER_CHANGE_H

#include <jansson.h>
#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/config/measure_text.h"
#include "daemon/measure/measure.h"
#include "daemon/record/recorder.h"

struct answer;
struct client;
struct control;
struct feed_slot;
struct frame;
struct line;
struct request;
struct server;

/* change.c */
/*
 * Calls `add` for each "KEY=VALUE" of the query; libwebsockets has decoded them. 0, or an error of
 * `add`, which may have set the reason.
 */
int change_each_parameter(struct lws *wsi,
                          int (*add)(void *user, const char *key, const char *value, char *error,
                                     size_t error_size),
                          void *user, char *error, size_t error_size);
const char *change_methods(const char *path); /* of a path that has more than GET, HEAD; or NULL */
bool change_is_one(struct lws *wsi, const char *path); /* a PUT or DELETE that the path has */
/* Makes the change if the client may. Returns the HTTP status, and the answer in `text`. */
unsigned change_make(struct server *s, struct lws *wsi, const struct request *r, char *text,
                     size_t size);

/*
 * lease_message.c: the control lease (lease.h). check: before a change of the radio; 0 or -EBUSY,
 * with one line in error. hold: after it. change: what the message or the request asks for.
 */
extern const char server_lease_path[];
void lease_on_tick(struct server *s);
bool lease_is_news(const struct client *c);
struct frame *lease_message_next(struct client *c); /* NULL: no memory */
void lease_leave(struct client *c);
void client_name(struct client *c, const char *name); /* NULL: stays as it is */
int client_check_lease(const struct client *c, char *error, size_t error_size);
void client_hold_lease(struct client *c);
int client_change_lease(struct client *c, const struct control *m, char *error, size_t error_size);
int http_check_lease(struct server *s, struct lws *wsi, char *error, size_t error_size);
void http_hold_lease(struct server *s, struct lws *wsi);
/* take: PUT; else DELETE. */
int http_change_lease(struct server *s, struct lws *wsi, bool take, char *error, size_t error_size);

/* preset_message.c: the path of one preset, up to its name. One line in error. */
extern const char server_preset_path[];
struct frame *presets_message(struct client *c); /* NULL: no memory */
int server_store_preset(struct server *s, const char *name, char *error, size_t error_size);
int server_remove_preset(struct server *s, const char *name, char *error, size_t error_size);
int server_recall_preset(struct server *s, const char *name, char *error, size_t error_size);
int http_put_preset(struct server *s, struct lws *wsi, const char *name, char *error,
                    size_t error_size);

/* references.c: the path of one reference, up to its name. */
extern const char server_reference_path[];
void references_on_line(struct server *s, const struct line *line);
bool references_want_density(const struct server *s);  /* one of a percentile is being made */
unsigned references_detectors(const struct server *s); /* FFT_DETECTOR_ bits of those being made */
void references_finish(struct server *s);
/* What a PUT asks for; "" and 0: not given. */
struct reference_request {
    char measure[MEASURE_NAME_MAX + 1], detector[16], trace[24];
    uint64_t count;
};
/* Adds "KEY=VALUE" to a struct reference_request. */
int reference_request_add(void *user, const char *key, const char *value, char *error,
                          size_t error_size);
/* 0: it is stored; 1: it will be, with the lines that come; -errno with one line in error. */
int server_put_reference(struct server *s, const char *name,
                         const struct reference_request *request, char *error, size_t error_size);
/* Stores the trace of a view as it is, before any arithmetic. */
int server_store_view(struct server *s, const struct feed_slot *view, const char *name, char *error,
                      size_t error_size);
int server_remove_reference(struct server *s, const char *name, char *error, size_t error_size);

/* recordings.c: the paths of the list and of one, up to its id; what POST may say. */
extern const char server_recordings_path[], server_recording_path[];
int record_change_add(void *user, const char *key, const char *value, char *error,
                      size_t error_size);
int server_start_recording(struct server *s, const struct record_change *change, uint64_t *id,
                           char *error, size_t error_size);
int server_stop_recording(struct server *s, uint64_t id, char *error, size_t error_size);
int server_remove_recording(struct server *s, const char *text, char *error, size_t error_size);
void answer_recordings(struct server *s, const struct request *r, struct answer *a);
void answer_recording(struct server *s, const struct request *r, struct answer *a);

/*
 * triggers.c: the path of one trigger, up to its name; changes for clients with control. One line
 * in error.
 */
extern const char server_trigger_path[];
int server_set_trigger(struct server *s, const struct measure_text *text, char *error,
                       size_t error_size);
int server_remove_trigger(struct server *s, const char *name, char *error, size_t error_size);
int server_fire_trigger(struct server *s, const char *name, char *error, size_t error_size);

/* events.c: the message "event", for clients that want it */
void events_want(struct client *c, bool want);
bool events_are_news(const struct client *c);
struct frame *events_next(struct client *c); /* NULL: no memory */

/*
 * learn.c: POST of /api/v1/spurs. 1: it begins; -EINVAL, -ENOBUFS with one line in error; -ENOMEM
 */
struct learn_request {
    double duration_s, threshold_db;
};
int learn_request_add(void *user, const char *key, const char *value, char *error,
                      size_t error_size);
int server_learn_spurs(struct server *s, const struct learn_request *w, char *error,
                       size_t error_size);
void learn_on_line(struct server *s, const struct line *line);
json_t *learn_progress_json(const struct server *s);
json_t *learn_result_json(const struct server *s);
void learn_finish(struct server *s); /* after the loop ended */

#endif
