/* near_name.h - decides whether a typed word is probably a known name. Pure, any thread. */
#ifndef FFTD_DAEMON_BASE_NEAR_NAME_H
#define FFTD_DAEMON_BASE_NEAR_NAME_H

#include <stdbool.h>
#include <stdint.h>

enum { NEAR_NAME_MAX = 40 };
#define NEAR_NAME_FAR UINT32_MAX

/* Copies up to '=', in lower case, with '-' for '_'. False: empty or too long for a name. */
bool near_name_fold(const char *text, char into[NEAR_NAME_MAX + 1]);
/* For a folded word. 0: the same; small: near; NEAR_NAME_FAR: something else. */
unsigned near_name_distance(const char *typed, const char *name);

#endif
