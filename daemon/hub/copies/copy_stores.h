/*
 * copy_stores.h - the archives that a hub writes, one folder a radio: DIR/SITE.RADIO. One thread;
 * blocks on the disk.
 *
 * A store has some ten open files and a database, so at most COPY_STORES_MAX are open; the one that
 * was unused for longest is closed for another.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COPY_STORES_H
#define FFTD_DAEMON_HUB_COPIES_COPY_STORES_H

#include "daemon/archive/store/archive_copy.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/nats/message.h"

struct reason;

enum { COPY_STORES_MAX = 64, COPY_STORE_FILES = 16 };

struct copy_stores {
    uint64_t uses;
    struct {
        struct archive_store *store; /* NULL: free */
        uint32_t owner;
        uint64_t used;
    } open[COPY_STORES_MAX];
};

/* The folder of a radio, allocated; NULL: no memory. The words are those of a subject. */
char *copy_folder(const char *dir, const char *site, const char *radio);
/*
 * The store of a radio. repaired: this process has opened it before. NULL with one line in *why;
 * it is valid until the next call.
 */
struct archive_store *copy_stores_open(struct copy_stores *s, uint32_t owner, const char *folder,
                                       bool repaired, struct reason *why);
void copy_stores_finish(struct copy_stores *s); /* closes all */

#endif
