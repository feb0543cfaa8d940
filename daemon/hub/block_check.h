/*
 * block_check.h - whether a block from a broker may enter an archive: everything that its readers
 * rely on. Pure; it decodes the block, within 64 MiB.
 */
#ifndef FFTD_DAEMON_HUB_BLOCK_CHECK_H
#define FFTD_DAEMON_HUB_BLOCK_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/archive/store/archive_copy.h"

/* Why a sensor's reply about its archive was dropped. */
enum copy_fault {
    COPY_FAULT_REPLY,   /* no part of a block, or not the part that was asked for */
    COPY_FAULT_UNASKED, /* nobody waits for it: it is late, or a forgery */
    COPY_FAULT_BLOCK,   /* damaged: head, checksum, payload or levels; or too large */
    COPY_FAULT_TIER,    /* of another tier than was asked for */
    COPY_FAULT_TIME,    /* rows in disorder, longer than their tier allows, or in the future */
    COPY_FAULT_FACTS,   /* what describes the block is no JSON object */
    COPY_FAULT_MEMORY,
    COPY_FAULTS
};
const char *copy_fault_name(enum copy_fault fault);

/* -1: it may; or the enum copy_fault. Its identity must be `id`, its tier period_ns. */
int block_check_foreign(const uint8_t *bytes, size_t size, uint64_t period_ns, struct block_id id,
                        int64_t now_ns);

#endif
