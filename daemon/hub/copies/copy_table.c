/* copy_table.c - offers and states under a lock. */
#include "daemon/hub/copies/copy_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct place {
    struct copy_name name;
    struct archive_offer offer;
    bool changed; /* the offer is new to the thread */
    struct copy_state state;
};

struct copy_table {
    uv_mutex_t lock;
    /* under lock */
    struct place place[COPIES_MAX]; /* [count] */
    uint32_t count, without_place;
    struct copy_totals totals;
};

int copy_table_create(struct copy_table **out)
{
    struct copy_table *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t || uv_mutex_init(&t->lock) < 0) {
        free(t);
        return -ENOMEM;
    }
    *out = t;
    return 0;
}

void copy_table_destroy(struct copy_table *t)
{
    if (!t)
        return;
    uv_mutex_destroy(&t->lock);
    free(t);
}

/* ---- names ------------------------------------------------------------------------------- */

static bool is_name(const struct place *p, const struct copy_name *name)
{
    return strcmp(p->name.radio, name->radio) == 0 && strcmp(p->name.site, name->site) == 0;
}

/* 0: it has none. */
static uint32_t find_place(const struct copy_table *t, const struct copy_name *name)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (is_name(&t->place[i], name))
            return i + 1;
    return 0;
}

/* 0: there is none left. */
static uint32_t add_place(struct copy_table *t, const struct copy_name *name)
{
    const uint32_t found = find_place(t, name);
    if (found > 0 || t->count == COPIES_MAX)
        return found;
    t->place[t->count] = (struct place){.name = *name, .state.on = true};
    return ++t->count;
}

bool copy_table_find(struct copy_table *t, const char *name, struct copy_name *out)
{
    const size_t site = strcspn(name, ".");
    struct copy_name wanted = {"", ""};
    if (name[site] != '.' || site >= sizeof wanted.site ||
        strlen(name + site + 1) >= sizeof wanted.radio)
        return false;
    memcpy(wanted.site, name, site);
    memcpy(wanted.radio, name + site + 1, strlen(name + site + 1));
    uv_mutex_lock(&t->lock);
    const bool found = find_place(t, &wanted) > 0;
    uv_mutex_unlock(&t->lock);
    *out = wanted;
    return found;
}

static bool is_offer(const struct archive_offer *one, const struct archive_offer *other)
{
    bool same = one->count == other->count;
    for (uint32_t i = 0; same && i < one->count; i++)
        same = one->tier[i].period_ns == other->tier[i].period_ns &&
               one->tier[i].newest_ns == other->tier[i].newest_ns;
    return same;
}

/* ---- the loop ---------------------------------------------------------------------------- */

void copy_table_exchange(struct copy_table *t, uint32_t *place, const struct copy_name *name,
                         const struct archive_offer *offer, struct copy_state *out)
{
    *out = (struct copy_state){0};
    uv_mutex_lock(&t->lock);
    if (*place == 0)
        *place = offer->count > 0 ? add_place(t, name) : find_place(t, name);
    t->without_place += *place == 0 && offer->count > 0;
    if (*place > 0) {
        struct place *p = &t->place[*place - 1];
        p->changed = p->changed || !is_offer(&p->offer, offer);
        p->offer = *offer;
        *out = p->state;
    }
    uv_mutex_unlock(&t->lock);
}

void copy_table_begin_round(struct copy_table *t)
{
    uv_mutex_lock(&t->lock);
    t->totals.without_place = t->without_place;
    t->without_place = 0;
    uv_mutex_unlock(&t->lock);
}

void copy_table_totals(struct copy_table *t, struct copy_totals *out)
{
    uv_mutex_lock(&t->lock);
    *out = t->totals;
    out->radios = t->count;
    uv_mutex_unlock(&t->lock);
}

/* ---- the collector's thread -------------------------------------------------------------- */

uint32_t copy_table_count(struct copy_table *t)
{
    uv_mutex_lock(&t->lock);
    const uint32_t count = t->count;
    uv_mutex_unlock(&t->lock);
    return count;
}

uint32_t copy_table_add(struct copy_table *t, const struct copy_name *name)
{
    uv_mutex_lock(&t->lock);
    const uint32_t place = add_place(t, name);
    uv_mutex_unlock(&t->lock);
    return place;
}

void copy_table_name(struct copy_table *t, uint32_t place, struct copy_name *out)
{
    uv_mutex_lock(&t->lock);
    *out = t->place[place - 1].name;
    uv_mutex_unlock(&t->lock);
}

bool copy_table_take_offer(struct copy_table *t, uint32_t place, struct archive_offer *out)
{
    uv_mutex_lock(&t->lock);
    struct place *p = &t->place[place - 1];
    const bool changed = p->changed;
    p->changed = false;
    *out = p->offer;
    uv_mutex_unlock(&t->lock);
    return changed;
}

void copy_table_set_state(struct copy_table *t, uint32_t place, const struct copy_state *state)
{
    uv_mutex_lock(&t->lock);
    t->place[place - 1].state = *state;
    uv_mutex_unlock(&t->lock);
}

void copy_table_set_totals(struct copy_table *t, const struct copy_totals *totals)
{
    uv_mutex_lock(&t->lock);
    const uint32_t without_place = t->totals.without_place;
    t->totals = *totals;
    t->totals.without_place = without_place;
    uv_mutex_unlock(&t->lock);
}
