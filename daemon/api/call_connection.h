/*
 * call_connection.h - what a websocket does for the calls that it carries: for its own
 * measurements, markers and name, for rows of the history, and for the traces of its views. Loop
 * thread only.
 */
#ifndef FFTD_DAEMON_API_CALL_CONNECTION_H
#define FFTD_DAEMON_API_CALL_CONNECTION_H

#include <jansson.h>

struct option_text;
struct reason;

enum { CONNECTION_VIEWS = 7 }; /* slots for the views of a websocket, from 0 */

/* Each function returns 0, or -errno with a sentence in *why. */
struct api_connection {
    void *user;
    int (*rename)(void *user, const char *name, struct reason *why);
    int (*set_measurement)(void *user, const struct option_text *text, struct reason *why);
    /* -ENOENT: there is none of this name */
    int (*remove_measurement)(void *user, const char *name, struct reason *why);
    /* values: those of the call; NULL: no more readings */
    int (*set_markers)(void *user, const json_t *values, struct reason *why);
    /* The rows come later. -ENOENT: no history is kept */
    int (*ask_history)(void *user, const json_t *values, struct reason *why);
    /* Stores the trace of the view in this slot, below CONNECTION_VIEWS, as a reference. */
    int (*store_view)(void *user, unsigned slot, const char *name, struct reason *why);
};

#endif
