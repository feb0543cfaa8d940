/* collector.c - the thread that copies the archives of sensors. */
#include "daemon/hub/copies/collector.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/hub/copies/collector_folder.h"
#include "daemon/hub/copies/collector_link.h"
#include "daemon/hub/copies/copy_writer.h"

enum {
    WAIT_MS = 100,
    LATE_MS = 30000,  /* a reply that takes longer does not come */
    AGAIN_MS = 1000,  /* after a reply that did not come, or without memory for blocks */
    FAILED_MS = 10000 /* after a malformed reply, or a block that could not be written */
};
static const size_t replies_bytes = 16 << 20, blocks_bytes = 64 << 20;

struct entry {
    struct copy_name name;
    struct copy copy;
    struct copy_files files;
    struct copy_state state;
    bool known, asking;
    uint32_t number;            /* of the newest request */
    uint64_t asked_ns, next_ns; /* steady: it was sent; not before */
    size_t reserved;            /* bytes of the block that comes */
};

struct collector {
    struct collector_config config;
    struct archive_tiers tiers;
    struct copy_table *table;
    struct inbox *replies;
    struct collector_link *link;
    uv_thread_t thread;
    bool running;

    /* used by the thread only */
    struct entry *entry; /* [COPIES_MAX]: of the table's place i + 1 */
    uint32_t count;
    struct copy_writer writer;
    struct copy_totals totals;
    size_t reserved; /* of all entries */

    uv_mutex_t lock;
    uv_cond_t changed;
    bool has_lock, offered, stop; /* the last two: under lock */
};

/* ---- requests ---------------------------------------------------------------------------- */

static void pause_entry(struct entry *e, int ms)
{
    e->next_ns = clock_after_ms(ms);
}

static void drop_block(struct collector *c, struct entry *e)
{
    copy_drop_block(&e->copy);
    c->reserved -= e->reserved;
    e->reserved = 0;
}

static void note_failure(struct collector *c, struct entry *e)
{
    if (c->totals.failure[0] == '\0')
        log_warn("hub: archives: %s: fftd tries again", c->writer.failure);
    memcpy(c->totals.failure, c->writer.failure, sizeof c->totals.failure);
    c->totals.failed++;
    e->state.failing = true;
    copy_table_set_state(c->table, e->files.owner, &e->state);
    pause_entry(e, FAILED_MS);
}

static void ask(struct collector *c, struct entry *e, int tier)
{
    struct copy_tier *t = &e->copy.tier[tier];
    struct archive_ask message;
    if (!t->known &&
        !copy_writer_find_last(&c->writer, &e->files, e->copy.kept.tier[tier].period_ns, t)) {
        note_failure(c, e);
        return;
    }
    copy_ask(&e->copy, tier, age_clock_now_ns(c->writer.clock), &message);
    char *text = archive_ask_write(&message);
    e->asking = text && collector_link_ask(c->link, e->name.site, e->name.radio, e->files.owner,
                                           ++e->number, text);
    e->asked_ns = clock_now_ns();
    free(text);
}

static void check_entry(struct collector *c, struct entry *e)
{
    const uint64_t now = clock_now_ns();
    if (e->asking && now > e->asked_ns + LATE_MS * UINT64_C(1000000)) {
        e->asking = false;
        e->state.late++;
        c->totals.late++;
        drop_block(c, e);
        pause_entry(e, AGAIN_MS);
    }
    const int tier = e->asking || now < e->next_ns ? -1 : copy_wanted(&e->copy);
    if (tier >= 0)
        ask(c, e, tier);
}

/* Of a sensor that is gone, or a connection that ended, no reply comes. */
static void give_up(struct collector *c, struct entry *e)
{
    e->asking = false;
    drop_block(c, e);
}

static void ask_all(struct collector *c)
{
    const bool up = collector_link_is_up(c->link);
    c->totals.connected = up;
    for (uint32_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entry[i];
        if (up)
            check_entry(c, e);
        else if (e->asking)
            give_up(c, e);
    }
}

/* ---- replies ----------------------------------------------------------------------------- */

static void note_fault(struct collector *c, struct entry *e, int fault)
{
    c->totals.faults[fault]++;
    e->state.malformed++;
    pause_entry(e, FAILED_MS);
}

/* A refused block is not asked for again: what follows it may be sound. */
static void take_block(struct collector *c, struct entry *e)
{
    int fault;
    const size_t size = e->copy.bytes.length;
    const enum copy_written done =
        copy_writer_add(&c->writer, &e->files, &e->copy, &e->state, &fault);
    if (done == COPY_FAILED) {
        drop_block(c, e);
        note_failure(c, e);
        return;
    }
    copy_end_block(&e->copy);
    drop_block(c, e);
    if (done == COPY_REFUSED) {
        note_fault(c, e, fault);
        return;
    }
    const bool written = done == COPY_WRITTEN;
    c->totals.failure[0] = '\0';
    e->state.failing = false;
    e->state.blocks += written;
    e->state.duplicates += !written;
    c->totals.blocks += written;
    c->totals.duplicates += !written;
    c->totals.bytes += written ? size : 0;
}

/* False: there is no memory for the block now. */
static bool reserve(struct collector *c, struct entry *e, size_t size)
{
    c->reserved += size - e->reserved;
    e->reserved = size;
    return c->reserved <= blocks_bytes;
}

static void take_part(struct collector *c, struct entry *e, const struct archive_part *part)
{
    const enum copy_step step = copy_take_part(&e->copy, part);
    if (part->gap && part->offset == 0 && part->block_size > 0) {
        e->state.gaps++;
        c->totals.gaps++;
    }
    if (step == COPY_WRONG) {
        drop_block(c, e);
        note_fault(c, e, COPY_FAULT_REPLY);
    } else if (step == COPY_WHOLE) {
        take_block(c, e);
    } else if (step == COPY_MORE && !reserve(c, e, part->block_size)) {
        drop_block(c, e);
        pause_entry(e, AGAIN_MS);
    }
}

static struct entry *find_entry(struct collector *c, const char *subject)
{
    uint32_t owner, number;
    if (!collector_link_read_subject(subject, &owner, &number) || owner == 0 || owner > c->count)
        return NULL;
    struct entry *e = &c->entry[owner - 1];
    return e->asking && e->number == number ? e : NULL;
}

static void take_reply(struct collector *c, const struct inbox_message *m)
{
    struct entry *e = find_entry(c, m->subject);
    struct archive_part part;
    if (!e) {
        c->totals.faults[COPY_FAULT_UNASKED]++;
        return;
    }
    e->asking = false;
    if (archive_part_read(&part, m->data, m->size) < 0) {
        drop_block(c, e);
        note_fault(c, e, COPY_FAULT_REPLY);
    } else {
        take_part(c, e, &part);
    }
    copy_table_set_state(c->table, e->files.owner, &e->state);
}

static void take_replies(struct collector *c)
{
    for (struct inbox_message *m = inbox_take(c->replies); m;) {
        struct inbox_message *next = m->next;
        take_reply(c, m);
        free(m);
        m = next;
    }
}

/* ---- the thread -------------------------------------------------------------------------- */

static void enter(struct collector *c, struct entry *e, uint32_t place)
{
    copy_table_name(c->table, place, &e->name);
    e->files.owner = place;
    e->files.folder = copy_folder(c->config.options->folder, e->name.site, e->name.radio);
    e->state.on = true;
    copy_files_totals(&e->files, &e->state);
    copy_table_set_state(c->table, place, &e->state);
}

static void take_offers(struct collector *c)
{
    const uint32_t count = copy_table_count(c->table);
    for (; c->count < count; c->count++)
        enter(c, &c->entry[c->count], c->count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct archive_offer offer;
        if (!copy_table_take_offer(c->table, i + 1, &offer))
            continue;
        copy_set_offer(&c->entry[i].copy, &offer, &c->tiers);
        if (offer.count == 0)
            give_up(c, &c->entry[i]);
    }
}

/* False: it stops. */
static bool wait_for_offers(struct collector *c)
{
    const uint64_t until_ns = clock_after_ms(WAIT_MS);
    uv_mutex_lock(&c->lock);
    while (!c->stop && !c->offered && clock_now_ns() < until_ns)
        clock_wait(&c->changed, &c->lock, until_ns);
    c->offered = false;
    const bool stop = c->stop;
    uv_mutex_unlock(&c->lock);
    return !stop;
}

static void run(void *user)
{
    struct collector *c = user;
    pthread_setname_np(pthread_self(), "collector");
    collector_folder_scan(c->config.options->folder, c->table);
    for (uint64_t offers_ns = 0; wait_for_offers(c);) {
        if (clock_now_ns() >= offers_ns) {
            take_offers(c);
            offers_ns = clock_after_ms(WAIT_MS);
        }
        take_replies(c);
        ask_all(c);
        c->totals.dropped = inbox_dropped(c->replies);
        copy_table_set_totals(c->table, &c->totals);
    }
    copy_writer_finish(&c->writer);
}

/* On a thread of the link. */
static void on_changed(void *user)
{
    struct collector *c = user;
    uv_mutex_lock(&c->lock);
    c->offered = true;
    uv_cond_signal(&c->changed);
    uv_mutex_unlock(&c->lock);
}

/* ---- start and end ----------------------------------------------------------------------- */

static int init(struct collector *c)
{
    int err = uv_mutex_init(&c->lock);
    if (err < 0)
        return err;
    err = uv_cond_init(&c->changed);
    if (err < 0) {
        uv_mutex_destroy(&c->lock);
        return err;
    }
    c->has_lock = true;
    c->totals.on = true;
    c->writer.options = c->config.options;
    c->entry = calloc(COPIES_MAX, sizeof *c->entry);
    err = c->entry ? copy_table_create(&c->table) : -ENOMEM;
    if (err == 0)
        copy_table_set_totals(c->table, &c->totals);
    return err < 0 ? err : inbox_create(&c->replies, replies_bytes);
}

static int start(struct collector *c, struct reason *why)
{
    const struct collector_link_config link = {
        .options = c->config.nats, .replies = c->replies, .changed = on_changed, .user = c};
    int err = archive_tiers_parse(c->config.options->tiers, &c->tiers);
    if (err == 0)
        err = collector_folder_check(c->config.options->folder, why);
    if (err == 0)
        err = age_clock_create(&c->writer.clock, c->config.options->folder, INT64_MIN,
                               &age_clock_system);
    if (err == 0)
        err = collector_link_start(&c->link, &link, why);
    if (err == 0)
        err = uv_thread_create(&c->thread, run, c);
    c->running = err == 0;
    return err;
}

int collector_start(struct collector **out, const struct collector_config *config,
                    struct reason *why)
{
    struct collector *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return -ENOMEM;
    c->config = *config;
    int err = init(c);
    if (err == 0)
        err = start(c, why);
    if (err < 0) {
        collector_stop(c);
        collector_destroy(c);
        return err;
    }
    *out = c;
    return 0;
}

struct copy_table *collector_table(struct collector *c)
{
    return c->table;
}

void collector_stop(struct collector *c)
{
    if (!c)
        return;
    collector_link_stop(c->link);
    if (!c->running)
        return;
    uv_mutex_lock(&c->lock);
    c->stop = true;
    uv_cond_signal(&c->changed);
    uv_mutex_unlock(&c->lock);
    uv_thread_join(&c->thread);
    c->running = false;
}

void collector_destroy(struct collector *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; c->entry && i < COPIES_MAX; i++) {
        copy_finish(&c->entry[i].copy);
        copy_files_finish(&c->entry[i].files);
    }
    age_clock_destroy(c->writer.clock);
    collector_link_destroy(c->link);
    inbox_destroy(c->replies);
    copy_table_destroy(c->table);
    if (c->has_lock) {
        uv_cond_destroy(&c->changed);
        uv_mutex_destroy(&c->lock);
    }
    free(c->entry);
    free(c);
}
