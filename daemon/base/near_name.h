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

/* The nearest of the names that were offered; the first one if several are equally near. */
struct near_name {
    char typed[NEAR_NAME_MAX + 1];
    bool typed_is_name;
    unsigned distance; /* a name has to be nearer */
    const char *name;  /* as it was offered; NULL: none is near */
};
struct near_name near_name_begin(const char *typed);
void near_name_offer(struct near_name *n, const char *name);

#endif
