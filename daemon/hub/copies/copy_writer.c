/* copy_writer.c - checks, writes and bounds the archives of radios. */
#include "daemon/hub/copies/copy_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/database/database.h"

static const uint64_t limits_ns = 10000000000;

void copy_files_finish(struct copy_files *f)
{
    archive_limits_finish(&f->limits, f->folder);
    free(f->folder);
    f->folder = NULL;
}

static void set_totals(struct copy_state *out, sqlite3 *db)
{
    struct archive_store_totals t;
    archive_index_totals(db, &t);
    out->bytes = t.bytes;
    out->oldest_ns = t.oldest_ns;
    out->newest_ns = t.newest_ns;
}

void copy_files_totals(const struct copy_files *f, struct copy_state *out)
{
    sqlite3 *db;
    if (!f->folder || archive_index_open_read(&db, f->folder) < 0)
        return;
    set_totals(out, db);
    database_close(db);
}

/* NULL: it cannot be opened. */
static struct archive_store *open_store(struct copy_writer *w, struct copy_files *f)
{
    struct reason why = {.sentence = "no memory"};
    struct archive_store *store = NULL;
    if (f->folder)
        store = copy_stores_open(&w->stores, f->owner, f->folder, f->repaired, &why);
    if (!store)
        snprintf(w->failure, sizeof w->failure, "%.199s", why.sentence);
    f->repaired = f->repaired || store;
    return store;
}

bool copy_writer_find_last(struct copy_writer *w, struct copy_files *f, uint64_t period_ns,
                           struct copy_tier *out)
{
    struct archive_store *store = open_store(w, f);
    if (!store)
        return false;
    const int err =
        archive_copy_newest(archive_store_database(store), f->folder, period_ns, &out->last);
    if (err < 0 && err != -ENODATA) {
        snprintf(w->failure, sizeof w->failure, "%s: %s", f->folder, strerror(-err));
        return false;
    }
    out->has_last = err == 0;
    out->place = (struct block_place){0};
    out->known = true;
    return true;
}

/* After the first block of a run at once, so that its times are published. */
static void keep_limits(const struct copy_writer *w, struct copy_files *f,
                        struct archive_store *store, const struct archive_tiers *tiers,
                        struct copy_state *state)
{
    const uint64_t now = clock_now_ns();
    if (now < f->limits_at_ns)
        return;
    f->limits_at_ns = now + limits_ns;
    archive_limits_apply(&f->limits, store, tiers, w->options->max_bytes,
                         age_clock_now_ns(w->clock));
    set_totals(state, archive_store_database(store));
}

/* What the next totals will say, too. */
static void add_block(struct copy_state *state, const struct text *block)
{
    struct block_head head;
    if (block_read_head((const uint8_t *)block->data, &head) < 0)
        return;
    state->bytes += head.size;
    state->newest_ns = head.end_ns > state->newest_ns ? head.end_ns : state->newest_ns;
    if (state->oldest_ns == 0 || head.start_ns < state->oldest_ns)
        state->oldest_ns = head.start_ns;
}

static enum copy_written write_block(struct copy_writer *w, struct copy_files *f,
                                     const struct copy *c, struct copy_state *state)
{
    struct archive_store *store = open_store(w, f);
    const int tier = copy_find_tier(c, c->asked_ns);
    if (!store || tier < 0)
        return COPY_FAILED;
    const int has =
        archive_copy_has(archive_store_database(store), f->folder, c->asked_ns, c->part.id);
    const int err = has != 0 ? (has < 0 ? has : 0)
                             : archive_store_append(store, &c->kept.tier[tier], &c->bytes,
                                                    w->options->min_free);
    if (has == 0 && err == 0)
        add_block(state, &c->bytes);
    keep_limits(w, f, store, &c->kept, state);
    if (err < 0) {
        snprintf(w->failure, sizeof w->failure, "%s: %s", f->folder,
                 err == -ENOSPC ? "the disk is full, or has less than archive-min-free left"
                                : strerror(-err));
        return COPY_FAILED;
    }
    w->failure[0] = '\0';
    return has > 0 ? COPY_DUPLICATE : COPY_WRITTEN;
}

enum copy_written copy_writer_add(struct copy_writer *w, struct copy_files *f, const struct copy *c,
                                  struct copy_state *state, int *fault)
{
    const int64_t unix_ns = clock_unix_ns(), age_ns = age_clock_now_ns(w->clock);
    *fault = block_check_foreign((const uint8_t *)c->bytes.data, c->bytes.length, c->asked_ns,
                                 c->part.id, unix_ns > age_ns ? unix_ns : age_ns);
    return *fault < 0 ? write_block(w, f, c, state) : COPY_REFUSED;
}

void copy_writer_finish(struct copy_writer *w)
{
    copy_stores_finish(&w->stores);
}
