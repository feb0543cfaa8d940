/*
 * channel_check.h - what requests for channels and for their audio have in common: their centre,
 * whether the radio has them, and refusals. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_CHECK_H
#define FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_CHECK_H

#include <stdbool.h>

#include "daemon/base/si.h"
#include "daemon/channel/channel_info.h"

struct answer;
struct channel_streams;
struct reason;
struct request;

/* known: names, separated by ", ". what: is said of another one. -EINVAL with the key. */
int channel_check_keys(const struct request *r, const char *known, const char *what,
                       struct reason *why);
/* A number of the query; without one, *out stays. -EINVAL with the key. */
int channel_check_number(const struct request *r, const char *key, enum si_unit unit, bool needed,
                         double *out, struct reason *why);
/* Without it: false. */
int channel_check_switch(const struct request *r, const char *key, bool *out, struct reason *why);
/* center_hz, which a channel must have. */
int channel_check_center(const struct request *r, double *center_hz, struct reason *why);
/* The place in the set of the channel that `id` names. -ENOENT with the key: there is none. */
int channel_check_named(const struct channel_streams *s, const struct request *r, size_t *place,
                        struct reason *why);
/*
 * -EINVAL; -ERANGE: the radio is tuned elsewhere; -EBUSY: it sweeps. No stream yet: no refusal.
 * center_hz: what the client has named.
 */
int channel_check_stream(const struct channel_streams *s, const struct channel_request *q,
                         double center_hz, struct reason *why);
/* -EMFILE: the address has its share of the channels. */
int channel_check_share(const struct channel_streams *s, const struct request *r,
                        struct reason *why);
void channel_check_refuse(struct answer *a, int err, const struct reason *why);

#endif
