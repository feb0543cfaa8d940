/* archive_cells.h - folds rows of blocks into the cells of a picture. For archive_read.c. */
#ifndef FFTD_DAEMON_ARCHIVE_ARCHIVE_CELLS_H
#define FFTD_DAEMON_ARCHIVE_ARCHIVE_CELLS_H

#include "daemon/archive/archive_read.h"
#include "daemon/archive/store/block.h"

struct archive_cells {
    struct archive_picture out; /* its size is set, its arrays are not */
    float *weight;              /* [rows][columns] frames of a mean so far */
    float *stored;              /* [ARCHIVE_COLUMNS] of a block's row */
    float *fold, *row; /* [ARCHIVE_COLUMNS] of its rows in one cell, [columns] the same, reduced */
    float frames;      /* of `fold`; 0: nothing */
    uint32_t (*range)[2]; /* [columns] from the first to after the last stored column */
};

int archive_cells_init(struct archive_cells *p);    /* -ENOMEM: finish it all the same */
void archive_cells_finish(struct archive_cells *p); /* leaves `out` alone */
/* Adds the rows of a block, as far as they are in [from_ns, to_ns). 0, also of a damaged block. */
int archive_cells_add(struct archive_cells *p, struct block_reader *block, int64_t from_ns,
                      int64_t to_ns);
/* Moves the picture into *out, with levels in dB. */
void archive_cells_complete(struct archive_cells *p, struct archive_picture *out);

#endif
