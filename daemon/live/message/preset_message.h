/* preset_message.h - the message "presets": the names of all. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_PRESET_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_PRESET_MESSAGE_H

struct ws_message;
struct subscriber;

struct ws_message *preset_message_next(struct subscriber *u); /* NULL: no memory */

#endif
