/*
 * disk_writer.h - the thread that writes every sample into the disk ring. In real time it never
 * delays the writer of the IQ ring: samples that it cannot write in time are missing in the disk
 * ring, and counted.
 */
#ifndef FFTD_DAEMON_RECORD_DISK_DISK_WRITER_H
#define FFTD_DAEMON_RECORD_DISK_DISK_WRITER_H

#include "daemon/record/disk/disk_ring.h"
#include "daemon/stream/epoch/iq_tap.h"

/* Samples since the start. */
struct disk_writer_counts {
    uint64_t written;
    uint64_t overrun; /* the IQ ring had overwritten them: the disk is too slow */
    uint64_t failed;  /* the disk refused them */
};

struct disk_writer;

/* tap: the writer's own; it gets all epochs. Both outlive the writer. -errno. */
int disk_writer_create(struct disk_writer **out, struct disk_ring *ring, struct iq_tap *tap,
                       bool lossless);
/* Writes the samples that the IQ ring has, and ends. After the acquisition has ended, or at any
 * time. */
void disk_writer_destroy(struct disk_writer *w); /* NULL is fine */
void disk_writer_counts(struct disk_writer *w, struct disk_writer_counts *out);

#endif
