/*
 * copy_writer.h - writes the blocks of a sensor's archive to a hub's disk: checked, once each, and
 * within the limits. One thread; blocks on the disk.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COPY_WRITER_H
#define FFTD_DAEMON_HUB_COPIES_COPY_WRITER_H

#include "daemon/archive/store/archive_limits.h"
#include "daemon/files/age_clock.h"
#include "daemon/hub/copies/copy.h"
#include "daemon/hub/copies/copy_stores.h"
#include "daemon/hub/copy_state.h"

struct copy_writer {
    const struct archive_options *options; /* folder and limits; outlives it */
    struct age_clock *clock;               /* of all copies */
    struct copy_stores stores;
    char failure[200]; /* of the newest block that could not be written; "": the newest was */
};

/* The files of one radio. */
struct copy_files {
    uint32_t owner;        /* its number */
    char *folder;          /* owned; NULL: not made yet */
    bool repaired;         /* its store was opened by this process */
    uint64_t limits_at_ns; /* when its limits are applied next, by the steady clock */
    struct archive_limits limits;
};
void copy_files_finish(struct copy_files *f);

/* Its totals, read from the index. Zeroed if there is none. */
void copy_files_totals(const struct copy_files *f, struct copy_state *out);
/* Finds the newest block of a tier in the files. False: they cannot be opened; see failure. */
bool copy_writer_find_last(struct copy_writer *w, struct copy_files *f, uint64_t period_ns,
                           struct copy_tier *out);

enum copy_written { COPY_WRITTEN, COPY_DUPLICATE, COPY_FAILED, COPY_REFUSED };
/*
 * A complete block of c; its state gets the bytes and times of the files now and then. *fault: why
 * it is refused.
 */
enum copy_written copy_writer_add(struct copy_writer *w, struct copy_files *f, const struct copy *c,
                                  struct copy_state *state, int *fault);
void copy_writer_finish(struct copy_writer *w);

#endif
