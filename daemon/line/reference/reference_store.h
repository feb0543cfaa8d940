/*
 * reference_store.h - the references of this fftd: in memory, and in a folder that survives it.
 *
 * Readers keep a reference for as long as they compute with it. A thread of the store writes the
 * files, each under a temporary name that it renames when all bytes are on the disk: a file is
 * whole or it is not there. Any thread.
 */
#ifndef FFTD_DAEMON_LINE_REFERENCE_REFERENCE_STORE_H
#define FFTD_DAEMON_LINE_REFERENCE_REFERENCE_STORE_H

#include <jansson.h>

#include "daemon/line/reference/reference.h"

enum { REFERENCES_BYTES_MAX = 64 << 20 };

struct reference_store;

/*
 * Reads the references in the folder "references" of state_dir, which is made if it is not there;
 * files that are not references are logged and stay. state_dir NULL: they live as long as the
 * store. -ENOMEM; a folder that cannot be used is logged.
 */
int reference_store_create(struct reference_store **out, const char *state_dir);
void reference_store_destroy(
    struct reference_store *s); /* writes unsaved references; NULL is fine */

struct reference *reference_store_find(struct reference_store *s,
                                       const char *name); /* a reference */
/*
 * Adds it, or replaces the one of its name. Takes it over in any case. -EMFILE: there are
 * REFERENCES_MAX, -ENOBUFS: they have REFERENCES_BYTES_MAX.
 */
int reference_store_put(struct reference_store *s, struct reference *r);
int reference_store_remove(struct reference_store *s, const char *name); /* -ENOENT */
/* An array of objects, ordered by name. NULL: no memory. */
json_t *reference_store_to_json(struct reference_store *s);

#endif
