/*
 * radio_control.h - the one authority over the radio: who may change it, and what becomes of a
 * change.
 *
 * Everybody who changes settings, the position of a replay, or presets comes here: HTTP,
 * websockets, the broker, a reload, a trigger. A change is merged with the settings in force,
 * checked against the options of the open radio, and refused while somebody else has the lease.
 * Below here nothing knows who asked. Loop thread only.
 */
#ifndef FFTD_DAEMON_CONTROL_RADIO_CONTROL_H
#define FFTD_DAEMON_CONTROL_RADIO_CONTROL_H

#include "daemon/control/lease.h"
#include "daemon/control/presets.h"
#include "daemon/control/replay_change.h"
#include "daemon/control/setting_change.h"
#include "daemon/status/status.h"

struct reason;

/* The radio of this process. */
struct radio_hooks {
    void *user;
    void (*status)(void *user, struct status *out); /* everything is filled in */
    /* What the open radio can be set to, as a reference; NULL: no radio is open. */
    struct radio_options *(*options)(void *user);
    /* Gets all settings, each with a valid form. 0, or -errno with a line in *why. */
    int (*apply)(void *user, const struct settings *settings, struct reason *why);
    /* The same for the replay of a recording. */
    int (*replay)(void *user, const struct replay_request *want, struct reason *why);
};

/* The receiver of changes: the server. A function may be NULL. */
struct radio_watcher {
    void *user;
    void (*settings)(void *user); /* settings, or the replay, were changed */
    void (*presets)(void *user);
    void (*lease)(void *user);
    void (*taken)(void *user, const void *client); /* this one lost the lease to another */
};

struct radio_control {
    struct radio_hooks hooks;
    struct radio_watcher watcher; /* zeroed: nobody */
    struct lease lease;
    bool lease_renewed; /* since the watcher was called */
    uint64_t changes;   /* of the radio, so far */
    struct presets presets;
};

/*
 * lease_s: how long a lease lasts; 0: there are none. folder: of the file of the presets; NULL:
 * they end with the process. -ENOMEM. Finish it after a failure, too; zeroed is fine.
 */
int radio_control_init(struct radio_control *c, const struct radio_hooks *hooks, double lease_s,
                       const char *folder);
void radio_control_finish(struct radio_control *c);
void radio_control_tick(struct radio_control *c); /* once a second: ends leases */

void radio_control_status(const struct radio_control *c, struct status *out);
struct radio_options *
radio_control_options(const struct radio_control *c); /* a reference; or NULL */

/* -EBUSY with a line in *why: somebody else has the lease. by: NULL is the broker. */
int radio_control_check_lease(const struct radio_control *c, const struct lease_user *by,
                              struct reason *why);
/*
 * by: who asks, and has the lease afterwards; NULL: the broker, which gets none. 0, or -errno with
 * a line in *why; -EBUSY: somebody else has the lease.
 */
int radio_control_change(struct radio_control *c, const struct setting_change *change,
                         const struct lease_user *by, struct reason *why);
int radio_control_replay(struct radio_control *c, const struct replay_change *change,
                         const struct lease_user *by, struct reason *why);
int radio_control_recall_preset(struct radio_control *c, const char *name,
                                const struct lease_user *by, struct reason *why);
/* Presets change without the lease: the radio stays as it is. */
int radio_control_store_preset(struct radio_control *c, const char *name, struct reason *why);
int radio_control_remove_preset(struct radio_control *c, const char *name, struct reason *why);
/* All settings of the file that was read again. Its owner needs no lease, and takes none. */
int radio_control_reload(struct radio_control *c, const struct settings *settings,
                         struct reason *why);
/* A trigger pauses the replay, likewise. */
int radio_control_pause(struct radio_control *c, struct reason *why);
/* What the readers of spectra need in addition to what people set. */
int radio_control_make(struct radio_control *c, bool density, unsigned detectors_unread,
                       struct reason *why);

/* -ENOTSUP with one line in *why: there are no leases. A release by others does nothing. */
int radio_control_take_lease(struct radio_control *c, const struct lease_user *by,
                             struct reason *why);
int radio_control_release_lease(struct radio_control *c, const struct lease_user *by,
                                struct reason *why);

#endif
