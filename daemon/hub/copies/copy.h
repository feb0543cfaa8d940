/*
 * copy.h - what a hub asks of one sensor's archive, and how the parts of a block come together. It
 * knows no file and no clock. One thread.
 *
 * One block of a radio is on its way at a time. Coarse tiers come first: they are small, and show
 * the whole time. Within a tier, blocks come in the order in which the sensor appended them.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COPY_H
#define FFTD_DAEMON_HUB_COPIES_COPY_H

#include "daemon/base/text.h"
#include "daemon/nats/archive_message.h"

struct copy_tier {
    int64_t newest_ns; /* as the sensor announced it */
    int64_t done_ns;   /* the same when it had no further blocks; INT64_MIN: never */
    bool known;        /* the next two are those of the files */
    bool has_last;
    struct block_id last; /* the newest block that is here, or was refused */
    struct block_place place;
};

struct copy {
    struct archive_tiers kept;            /* the copied tiers, and how long each is kept */
    struct copy_tier tier[ARCHIVE_TIERS]; /* [kept.count] */
    uint64_t asked_ns;                    /* period of the tier that was asked for; 0: none */
    int64_t asked_newest_ns;              /* its newest_ns then */
    struct archive_part part; /* the fields that all parts of the incoming block share */
    struct text bytes;
};

/*
 * The tiers that a sensor has now. A tier is kept for as long as the hub's next one that is not
 * coarser; those finer than all of the hub's are not copied.
 */
void copy_set_offer(struct copy *c, const struct archive_offer *offer,
                    const struct archive_tiers *hub);
int copy_find_tier(const struct copy *c, uint64_t period_ns); /* -1: none */
/* The tier of the block that comes, or the coarsest one with new blocks; -1: there is nothing new.
 */
int copy_wanted(const struct copy *c);
/*
 * Asks for the next part: of the block that comes, or of the next one of a tier (copy_wanted). Ages
 * count back from the tier's newest row, or from now_ns if that row is in the future.
 */
void copy_ask(struct copy *c, int tier, int64_t now_ns, struct archive_ask *out);

enum copy_step {
    COPY_MORE,    /* the next part has to be asked for */
    COPY_WHOLE,   /* the block is complete: copy_end_block */
    COPY_NOTHING, /* the tier has no further blocks now */
    COPY_WRONG    /* not the part that was asked for; the block was dropped */
};
enum copy_step copy_take_part(struct copy *c, const struct archive_part *part);
/* The block was written, was there already, or is refused: the one after it comes next. */
void copy_end_block(struct copy *c);
/* Nothing is on its way any more: the block is asked for again. */
void copy_drop_block(struct copy *c);
void copy_finish(struct copy *c); /* zeroed is fine */

#endif
