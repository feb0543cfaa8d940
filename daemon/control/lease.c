/* lease.c - gives the control of the radio to one client at a time (lease.h). */
#include "daemon/control/lease.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"

double lease_seconds(const struct lease *l, uint64_t now_ns)
{
    return l->until_ns > now_ns ? (double)(l->until_ns - now_ns) * 1e-9 : 0;
}

bool lease_is_of(const struct lease *l, const struct lease_user *user, uint64_t now_ns)
{
    return l->until_ns > now_ns && l->user.client == user->client &&
           (user->client || strcmp(l->user.address, user->address) == 0);
}

enum { USER_TEXT = CLIENT_NAME + LEASE_ADDRESS + 16 };

/* "alice (192.0.2.1)", "192.0.2.1 over HTTP". Returns `into`. */
static const char *user_text(const struct lease_user *user, char into[USER_TEXT])
{
    if (user->name[0])
        snprintf(into, USER_TEXT, "%s (%s)", user->name, user->address);
    else
        snprintf(into, USER_TEXT, "%s%s", user->address, user->client ? "" : " over HTTP");
    return into;
}

int lease_check(const struct lease *l, const struct lease_user *user, uint64_t now_ns,
                struct reason *why)
{
    const uint64_t second_ns = 1000000000;
    char who[USER_TEXT];
    if (!(lease_seconds(l, now_ns) > 0) || lease_is_of(l, user, now_ns))
        return 0;
    return reason_set(why, -EBUSY, "%s controls the radio, for %llu s more",
                      user_text(&l->user, who),
                      (unsigned long long)((l->until_ns - now_ns + second_ns - 1) / second_ns));
}

void lease_hold(struct lease *l, const struct lease_user *user, uint64_t now_ns)
{
    const bool keeps_name = !user->name[0] && lease_is_of(l, user, now_ns);
    const struct lease_user had = l->user;
    l->user = keeps_name ? had : *user;
    l->until_ns = l->period_s > 0 ? now_ns + (uint64_t)(l->period_s * 1e9) : 0;
}

void lease_release(struct lease *l)
{
    l->until_ns = 0;
}
