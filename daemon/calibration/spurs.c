/* spurs.c - shares a spur list between threads. */
#include "daemon/calibration/spurs.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/calibration/spur_file.h"

struct spurs {
    uv_mutex_t lock;
    struct spur_table *table; /* under lock */
};

void spur_table_unref(struct spur_table *t)
{
    if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
        return;
    spur_list_finish(&t->list);
    free(t);
}

struct spur_table *spurs_ref(struct spurs *s)
{
    if (!s)
        return NULL;
    uv_mutex_lock(&s->lock);
    struct spur_table *t = s->table;
    if (t)
        atomic_fetch_add(&t->refs, 1);
    uv_mutex_unlock(&s->lock);
    return t;
}

int spurs_create(struct spurs **out)
{
    struct spurs *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s || uv_mutex_init(&s->lock) < 0) {
        free(s);
        return -ENOMEM;
    }
    *out = s;
    return 0;
}

void spurs_destroy(struct spurs *s)
{
    if (!s)
        return;
    spur_table_unref(s->table);
    uv_mutex_destroy(&s->lock);
    free(s);
}

int spurs_load(struct spurs *s, const char *path, bool own, struct reason *why)
{
    struct spur_table *fresh = NULL;
    if (path) {
        fresh = calloc(1, sizeof *fresh);
        if (!fresh)
            return -ENOMEM;
        atomic_init(&fresh->refs, 1);
        const int err = spur_file_read(&fresh->list, path, own, why);
        if (err < 0) {
            free(fresh);
            return err;
        }
    }
    uv_mutex_lock(&s->lock);
    struct spur_table *old = s->table;
    s->table = fresh;
    uv_mutex_unlock(&s->lock);
    spur_table_unref(old);
    return 0;
}
