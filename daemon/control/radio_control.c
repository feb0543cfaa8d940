/* radio_control.c - checks, merges and applies changes of the radio (radio_control.h). */
#include "daemon/control/radio_control.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/status/status_json.h"

int radio_control_init(struct radio_control *c, const struct radio_hooks *hooks, double lease_s,
                       const char *folder)
{
    *c = (struct radio_control){.hooks = *hooks, .lease.period_s = lease_s};
    return presets_init(&c->presets, folder);
}

void radio_control_finish(struct radio_control *c)
{
    presets_finish(&c->presets);
}

void radio_control_status(const struct radio_control *c, struct status *out)
{
    *out = (struct status){0};
    c->hooks.status(c->hooks.user, out);
}

struct radio_options *radio_control_options(const struct radio_control *c)
{
    return c->hooks.options ? c->hooks.options(c->hooks.user) : NULL;
}

/* ---- the lease -------------------------------------------------------------------------- */

static void announce_lease(struct radio_control *c)
{
    c->lease_renewed = false;
    if (c->watcher.lease)
        c->watcher.lease(c->watcher.user);
}

/* A new user is announced at once, a renewal with the next tick. */
static void hold_lease(struct radio_control *c, const struct lease_user *by)
{
    struct lease *l = &c->lease;
    const uint64_t now_ns = clock_now_ns();
    const bool renewed = lease_is_of(l, by, now_ns);
    const bool same_name = !by->name[0] || strcmp(l->user.name, by->name) == 0;
    if (!renewed && lease_seconds(l, now_ns) > 0 && c->watcher.taken)
        c->watcher.taken(c->watcher.user, l->user.client);
    lease_hold(l, by, now_ns);
    c->lease_renewed = l->period_s > 0;
    if ((!renewed || !same_name) && l->period_s > 0)
        announce_lease(c);
}

int radio_control_check_lease(const struct radio_control *c, const struct lease_user *by,
                              struct reason *why)
{
    const struct lease_user nobody = {.client = c};
    return lease_check(&c->lease, by ? by : &nobody, clock_now_ns(), why);
}

void radio_control_tick(struct radio_control *c)
{
    struct lease *l = &c->lease;
    const bool ended = l->until_ns > 0 && !(lease_seconds(l, clock_now_ns()) > 0);
    if (ended)
        lease_release(l);
    if (ended || c->lease_renewed)
        announce_lease(c);
}

static int check_leases(const struct radio_control *c, struct reason *why)
{
    return c->lease.period_s > 0
               ? 0
               : reason_set(why, -ENOTSUP, "there are no leases (see control-lease)");
}

int radio_control_take_lease(struct radio_control *c, const struct lease_user *by,
                             struct reason *why)
{
    const int err = check_leases(c, why);
    if (err == 0)
        hold_lease(c, by);
    return err;
}

int radio_control_release_lease(struct radio_control *c, const struct lease_user *by,
                                struct reason *why)
{
    const int err = check_leases(c, why);
    if (err == 0 && lease_is_of(&c->lease, by, clock_now_ns())) {
        lease_release(&c->lease);
        announce_lease(c);
    }
    return err;
}

/* ---- changes ---------------------------------------------------------------------------- */

/* After a change of the radio. */
static void finish_change(struct radio_control *c, const struct lease_user *by)
{
    c->changes++;
    if (by)
        hold_lease(c, by);
    if (c->watcher.settings)
        c->watcher.settings(c->watcher.user);
}

static int apply(struct radio_control *c, const struct setting_change *change, struct reason *why)
{
    struct status now;
    radio_control_status(c, &now);
    setting_change_apply(change, &now.settings);
    struct radio_options *options = radio_control_options(c);
    const int err = radio_change_apply(&change->radio, options, &now.stream, &now.settings, why);
    radio_options_unref(options);
    return err < 0 ? err : c->hooks.apply(c->hooks.user, &now.settings, why);
}

int radio_control_change(struct radio_control *c, const struct setting_change *change,
                         const struct lease_user *by, struct reason *why)
{
    int err = radio_control_check_lease(c, by, why);
    if (err == 0)
        err = apply(c, change, why);
    if (err == 0)
        finish_change(c, by);
    return err;
}

static int apply_replay(struct radio_control *c, const struct replay_request *want,
                        const struct lease_user *by, struct reason *why)
{
    const int err = c->hooks.replay(c->hooks.user, want, why);
    if (err == 0)
        finish_change(c, by);
    return err;
}

int radio_control_replay(struct radio_control *c, const struct replay_change *change,
                         const struct lease_user *by, struct reason *why)
{
    struct status now;
    int err = radio_control_check_lease(c, by, why);
    if (err < 0)
        return err;
    radio_control_status(c, &now);
    replay_change_apply(change, &now.replay_wanted);
    return apply_replay(c, &now.replay_wanted, by, why);
}

int radio_control_reload(struct radio_control *c, const struct settings *settings,
                         struct reason *why)
{
    const int err = c->hooks.apply(c->hooks.user, settings, why);
    if (err == 0)
        finish_change(c, NULL);
    return err;
}

int radio_control_pause(struct radio_control *c, struct reason *why)
{
    struct status now;
    radio_control_status(c, &now);
    now.replay_wanted.paused = true;
    return apply_replay(c, &now.replay_wanted, NULL, why);
}

int radio_control_make(struct radio_control *c, bool density, unsigned detectors_unread,
                       struct reason *why)
{
    struct status now;
    radio_control_status(c, &now);
    now.settings.density_wanted = density;
    now.settings.detectors_unread = detectors_unread;
    return c->hooks.apply(c->hooks.user, &now.settings, why);
}

/* ---- presets ---------------------------------------------------------------------------- */

int radio_control_recall_preset(struct radio_control *c, const char *name,
                                const struct lease_user *by, struct reason *why)
{
    struct setting_change change;
    const int err = presets_read(&c->presets, name, &change, why);
    return err < 0 ? err : radio_control_change(c, &change, by, why);
}

static int announce_presets(struct radio_control *c, int err)
{
    if (err == 0 && c->watcher.presets)
        c->watcher.presets(c->watcher.user);
    return err;
}

int radio_control_store_preset(struct radio_control *c, const char *name, struct reason *why)
{
    struct status now;
    radio_control_status(c, &now);
    json_t *settings = settings_to_json(&now.settings);
    json_t *fields = preset_fields(settings, now.stream.tuning.center_hz);
    json_decref(settings);
    return announce_presets(c, presets_store(&c->presets, name, fields, why));
}

int radio_control_remove_preset(struct radio_control *c, const char *name, struct reason *why)
{
    return announce_presets(c, presets_remove(&c->presets, name, why));
}
