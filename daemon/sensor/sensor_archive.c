/* sensor_archive.c - the thread that reads blocks of the archive for hubs. */
#include "daemon/sensor/sensor_archive.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/archive/store/archive_find.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/clock.h"
#include "daemon/database/database.h"

static const uint64_t second_ns = 1000000000, offer_ns = 2000000000;

/* The block that was read last, and for which request: its parts are asked for one by one. */
struct cached {
    bool valid;
    struct archive_ask ask;
    struct archive_copy_block block;
};

struct sensor_archive {
    const char *folder;
    uint64_t bytes_per_s; /* of all replies; not 0 */
    struct outbox *outbox;
    struct inbox *requests, *replies;
    uv_thread_t thread;
    bool running;

    /* used by the thread only */
    sqlite3 *db; /* NULL: there is no index yet */
    struct cached cached;
    uint64_t next_ns; /* of the next reply */

    uv_mutex_t lock;
    uv_cond_t changed;
    bool has_lock, arrived, stop; /* the last two and the offer: under lock */
    struct archive_offer offer;
};

/* ---- replies ----------------------------------------------------------------------------- */

static bool is_cached(const struct cached *c, const struct archive_ask *a)
{
    const struct archive_ask *had = &c->ask;
    return c->valid && had->period_ns == a->period_ns && had->from_ns == a->from_ns &&
           had->has_after == a->has_after && had->after.start_ns == a->after.start_ns &&
           had->after.checksum == a->after.checksum &&
           had->after_place.segment == a->after_place.segment &&
           had->after_place.offset == a->after_place.offset;
}

/* The block that is asked for; NULL: there is none yet. */
static const struct archive_copy_block *find_block(struct sensor_archive *s,
                                                   const struct archive_ask *a)
{
    const struct archive_copy_query query = {.db = s->db,
                                             .folder = s->folder,
                                             .period_ns = a->period_ns,
                                             .has_after = a->has_after,
                                             .after = a->after,
                                             .after_place = a->after_place,
                                             .from_ns = a->from_ns};
    if (a->offset > 0 && is_cached(&s->cached, a))
        return &s->cached.block;
    s->cached.valid = s->db && archive_copy_next(&query, &s->cached.block) == 0;
    s->cached.ask = *a;
    return s->cached.valid ? &s->cached.block : NULL;
}

static struct archive_part make_part(const struct archive_ask *a,
                                     const struct archive_copy_block *b)
{
    struct archive_part p = {.period_ns = a->period_ns};
    if (!b)
        return p;
    p.gap = b->gap;
    p.id = (struct block_id){b->head.start_ns, b->head.checksum};
    p.place = b->place;
    p.block_size = b->head.size;
    p.offset = a->checksum == p.id.checksum && a->offset < p.block_size ? a->offset : 0;
    const uint32_t rest = p.block_size - p.offset;
    p.count = rest < ARCHIVE_PART ? rest : ARCHIVE_PART;
    p.bytes = b->bytes + p.offset;
    return p;
}

/* False: it stops. */
static bool wait_for_turn(struct sensor_archive *s)
{
    uv_mutex_lock(&s->lock);
    while (!s->stop && clock_now_ns() < s->next_ns)
        clock_wait(&s->changed, &s->lock, s->next_ns);
    const bool stop = s->stop;
    uv_mutex_unlock(&s->lock);
    return !stop;
}

static void reply(struct sensor_archive *s, const struct inbox_message *m)
{
    uint8_t message[ARCHIVE_PART_HEAD + ARCHIVE_PART];
    struct archive_ask ask;
    if (!m->subject[0] || archive_ask_read(&ask, m->data, m->size) < 0 || !wait_for_turn(s))
        return;
    const struct archive_part part = make_part(&ask, find_block(s, &ask));
    const size_t size = archive_part_write(&part, message);
    inbox_put(s->replies, m->subject, message, size);
    outbox_wake(s->outbox); /* replies go at once */
    const uint64_t now = clock_now_ns();
    s->next_ns = (s->next_ns > now ? s->next_ns : now) + size * second_ns / s->bytes_per_s;
}

/* ---- the offer --------------------------------------------------------------------------- */

static void renew_offer(struct sensor_archive *s)
{
    uint64_t period_ns[ARCHIVE_TIERS];
    struct archive_offer offer = {0};
    if (!s->db)
        archive_index_open_read(&s->db, s->folder);
    const int tiers = s->db ? archive_find_periods(s->db, period_ns) : 0;
    for (int i = 0; i < tiers; i++) {
        struct archive_last last;
        if (archive_find_last(s->db, period_ns[i], &last) < 0 || last.end_ns == INT64_MIN)
            continue;
        offer.tier[offer.count].period_ns = period_ns[i];
        offer.tier[offer.count++].newest_ns = last.end_ns;
    }
    uv_mutex_lock(&s->lock);
    s->offer = offer;
    uv_mutex_unlock(&s->lock);
}

void sensor_archive_offer(struct sensor_archive *s, struct archive_offer *out)
{
    *out = (struct archive_offer){0};
    if (!s)
        return;
    uv_mutex_lock(&s->lock);
    *out = s->offer;
    uv_mutex_unlock(&s->lock);
}

/* ---- the thread -------------------------------------------------------------------------- */

/* Waits for a request. False: it stops. */
static bool wait_for_requests(struct sensor_archive *s, uint64_t until_ns)
{
    uv_mutex_lock(&s->lock);
    while (!s->stop && !s->arrived && clock_now_ns() < until_ns)
        clock_wait(&s->changed, &s->lock, until_ns);
    s->arrived = false;
    const bool stop = s->stop;
    uv_mutex_unlock(&s->lock);
    return !stop;
}

static void run(void *user)
{
    struct sensor_archive *s = user;
    uint64_t offer_at_ns = 0;
    pthread_setname_np(pthread_self(), "archive-hubs");
    do {
        if (clock_now_ns() >= offer_at_ns) {
            renew_offer(s);
            offer_at_ns = clock_now_ns() + offer_ns;
        }
        for (struct inbox_message *m = inbox_take(s->requests); m;) {
            struct inbox_message *next = m->next;
            reply(s, m);
            free(m);
            m = next;
        }
    } while (wait_for_requests(s, offer_at_ns));
    database_close(s->db);
    archive_copy_finish(&s->cached.block);
}

/* On the link's thread. */
static void on_arrived(void *user)
{
    struct sensor_archive *s = user;
    uv_mutex_lock(&s->lock);
    s->arrived = true;
    uv_cond_signal(&s->changed);
    uv_mutex_unlock(&s->lock);
}

/* ---- start and end ----------------------------------------------------------------------- */

static int init(struct sensor_archive *s)
{
    int err = uv_mutex_init(&s->lock);
    if (err < 0)
        return err;
    err = uv_cond_init(&s->changed);
    if (err < 0) {
        uv_mutex_destroy(&s->lock);
        return err;
    }
    s->has_lock = true;
    err = inbox_create(&s->requests, INBOX_CONTROL_BYTES);
    return err < 0 ? err : inbox_create(&s->replies, INBOX_CONTROL_BYTES);
}

int sensor_archive_start(struct sensor_archive **out, const struct config *config,
                         struct outbox *outbox)
{
    *out = NULL;
    if (!config->archive.folder || config->nats.archive_rate == 0)
        return 0;
    struct sensor_archive *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->folder = config->archive.folder;
    s->bytes_per_s = config->nats.archive_rate;
    s->outbox = outbox;
    int err = init(s);
    if (err == 0)
        err = uv_thread_create(&s->thread, run, s);
    s->running = err == 0;
    if (err < 0) {
        sensor_archive_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

struct sensor_service sensor_archive_service(struct sensor_archive *s)
{
    return (struct sensor_service){.name = "archive",
                                   .requests = s->requests,
                                   .replies = s->replies,
                                   .arrived = on_arrived,
                                   .user = s};
}

void sensor_archive_stop(struct sensor_archive *s)
{
    if (!s || !s->running)
        return;
    uv_mutex_lock(&s->lock);
    s->stop = true;
    uv_cond_signal(&s->changed);
    uv_mutex_unlock(&s->lock);
    uv_thread_join(&s->thread);
    s->running = false;
}

void sensor_archive_destroy(struct sensor_archive *s)
{
    if (!s)
        return;
    sensor_archive_stop(s);
    inbox_destroy(s->requests);
    inbox_destroy(s->replies);
    if (s->has_lock) {
        uv_cond_destroy(&s->changed);
        uv_mutex_destroy(&s->lock);
    }
    free(s);
}
