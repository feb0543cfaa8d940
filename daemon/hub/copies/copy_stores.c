/* copy_stores.c - opens and closes the archives of radios. */
#include "daemon/hub/copies/copy_stores.h"
#include "daemon/base/reason.h"

#include <stdio.h>

/* The pages of an index that stay in memory: the newest end of its tables. */
static const char small_cache[] = "PRAGMA cache_size = -128";

char *copy_folder(const char *dir, const char *site, const char *radio)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s.%s", dir, site, radio) < 0 ? NULL : path;
}

static unsigned find_place(const struct copy_stores *s)
{
    unsigned place = 0;
    for (unsigned i = 1; i < COPY_STORES_MAX; i++)
        if (s->open[place].store && (!s->open[i].store || s->open[i].used < s->open[place].used))
            place = i;
    return place;
}

struct archive_store *copy_stores_open(struct copy_stores *s, uint32_t owner, const char *folder,
                                       bool repaired, struct reason *why)
{
    for (unsigned i = 0; i < COPY_STORES_MAX; i++)
        if (s->open[i].store && s->open[i].owner == owner) {
            s->open[i].used = ++s->uses;
            return s->open[i].store;
        }
    const unsigned place = find_place(s);
    struct archive_store *store = NULL;
    archive_store_close(s->open[place].store);
    s->open[place].store = NULL;
    const int err = repaired ? archive_store_reopen(&store, folder, why)
                             : archive_store_open(&store, folder, why);
    if (err < 0)
        return NULL;
    archive_store_continue(store);
    archive_index_run(archive_store_database(store), small_cache);
    s->open[place].store = store;
    s->open[place].owner = owner;
    s->open[place].used = ++s->uses;
    return store;
}

void copy_stores_finish(struct copy_stores *s)
{
    for (unsigned i = 0; i < COPY_STORES_MAX; i++) {
        archive_store_close(s->open[i].store);
        s->open[i].store = NULL;
    }
}
