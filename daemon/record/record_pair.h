/*
 * record_pair.h - the files of one recording: samples, journal, and at the end metadata.
 *
 * The journal is JSON, one object a line: {"global": ...}, {"capture": ...}, {"annotation": ...}.
 * A line about samples is written before them, so that the journal of an interrupted recording has
 * every capture; record_repair completes the recording. One thread; every function waits for the
 * disk.
 */
#ifndef FFTD_DAEMON_RECORD_RECORD_PAIR_H
#define FFTD_DAEMON_RECORD_RECORD_PAIR_H

#include <jansson.h>
#include <openssl/evp.h>
#include <stdint.h>

#include "daemon/record/record_name.h"

struct reason;

struct record_pair {
    char *folder;
    char name[RECORD_NAME];
    int data, journal; /* file descriptors */
    uint32_t sample_bytes;
    uint64_t bytes;   /* of data, whole samples */
    uint64_t missing; /* samples that are missing after the last one: set before finish */
    EVP_MD_CTX *hash; /* NULL: the metadata get none */
    json_t *meta;     /* {global, captures, annotations} */
};

/* Creates the files under a name that no recording of the folder has. -errno. */
int record_pair_create(struct record_pair *p, const char *folder, struct record_start start,
                       double center_hz, double rate_hz, uint32_t sample_bytes);
/* kind: "global", "capture" or "annotation". Takes the reference, also on a failure. */
int record_pair_describe(struct record_pair *p, const char *kind, json_t *value);
/* -errno: p->bytes counts the written bytes. */
int record_pair_write(struct record_pair *p, const void *samples, uint64_t bytes);
/* Starts the hash again with the p->bytes that the file has. -errno. */
int record_pair_hash(struct record_pair *p);
/*
 * Writes the metadata and removes the journal. On a full disk it cuts the samples until their
 * metadata fits. -errno with one line in *why: the journal stays.
 */
int record_pair_finish(struct record_pair *p, const char *end, struct reason *why);
void record_pair_remove(const struct record_pair *p); /* removes samples and journal */
void record_pair_close(
    struct record_pair *p); /* also after a failed create; a zeroed one is fine */

/* "FOLDER/NAME.suffix"; NULL: no memory. The caller frees it. */
char *record_pair_path(const struct record_pair *p, const char *suffix);
json_t *record_pair_empty_meta(void);

#endif
