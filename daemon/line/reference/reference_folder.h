/*
 * reference_folder.h - the files of references: NAME.ref in one folder. Any thread, one for each
 * folder; all functions wait for the disk.
 */
#ifndef FFTD_DAEMON_LINE_REFERENCE_REFERENCE_FOLDER_H
#define FFTD_DAEMON_LINE_REFERENCE_REFERENCE_FOLDER_H

#include "daemon/line/reference/reference.h"

/* The path of "references" in state_dir, which is made; the caller frees it. NULL: logged. */
char *reference_folder_open(const char *state_dir);
/* Calls add, which takes over the reference, for each file. What is none is logged and stays. */
void reference_folder_read(const char *folder, void (*add)(void *user, struct reference *r),
                           void *user);
/* Writes a temporary file, waits for the disk, and renames it. -errno. */
int reference_folder_write(const char *folder, const struct reference *r);
int reference_folder_remove(const char *folder, const char *name); /* -errno */

#endif
