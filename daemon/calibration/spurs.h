/*
 * spurs.h - the spur list in force, which a reload replaces while threads read it.
 */
#ifndef FFTD_DAEMON_CALIBRATION_SPURS_H
#define FFTD_DAEMON_CALIBRATION_SPURS_H

#include <stdatomic.h>

#include "daemon/format/spur_list.h"

/* Immutable while it is held. */
struct spur_table {
    atomic_uint refs;
    struct spur_list list;
};

struct reason;
struct spurs;

int spurs_create(struct spurs **out); /* -ENOMEM */
void spurs_destroy(struct spurs *s);  /* NULL is fine */
/*
 * Loop thread: reads the file (NULL: none; own: see spur_file.h) and puts it in force. On an error
 * the list in force stays; one line in *why.
 */
int spurs_load(struct spurs *s, const char *path, bool own, struct reason *why);
/* Any thread. NULL: there is none, or s is NULL. */
struct spur_table *spurs_ref(struct spurs *s);
void spur_table_unref(struct spur_table *t); /* NULL is fine */

#endif
