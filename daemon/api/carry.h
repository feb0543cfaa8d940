/*
 * carry.h - what all carriers of calls have in common: the status of HTTP for what came of one, and
 * where what was made is found. Loop thread only.
 */
#ifndef FFTD_DAEMON_API_CARRY_H
#define FFTD_DAEMON_API_CARRY_H

#include "daemon/api/resource.h"

/* api_run; a refusal for the lease says how to take it over. */
int api_carry(const struct api_method *method, const struct api_call *call, struct api_reply *reply,
              struct reason *why);
/*
 * err: of the call; reply: what it made, if err is 0. The right is missing: 401 of somebody with
 * no token or a wrong one (-EKEYREJECTED), 403 where none is configured that would help (-ENOKEY).
 */
unsigned api_status_of(int err, const struct api_reply *reply);
/* The path of what was made under the path of a resource; "": nothing new. Returns `into`. */
const char *api_location(const char *path, const struct api_reply *reply, char *into, size_t size);
/*
 * Appends at into[at] what a URL may have, and the rest as %XX. Returns the new length; what does
 * not fit is left out.
 */
size_t api_encode(char *into, size_t size, size_t at, const char *text);
/*
 * Makes bytes of %XX, and spaces of "+", in place, as libwebsockets does with a path of HTTP.
 * False: malformed, or a NUL.
 */
bool api_decode(char *text);
/* In any letter case; API_VERBS: it is none. */
enum api_verb api_verb_of(const char *name);

#endif
