/*
 * view_message.h - the message "view": how the server renders a view, or why it cannot;
 * for views with what older clients do not ask for. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_VIEW_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_VIEW_MESSAGE_H

#include <stdbool.h>

struct ws_message;
struct subscriber;
struct view;

bool view_message_is_pending(const struct subscriber *u);
/* The slot has this view now; NULL: none. */
void view_message_expect(struct subscriber *u, unsigned slot, const struct view *view);
struct ws_message *view_message_next(struct subscriber *u); /* NULL: no memory */

#endif
