/* ddc_reader.h - samples of a down-converter that its workers read themselves. */
#ifndef FFTD_DAEMON_DDC_DDC_READER_H
#define FFTD_DAEMON_DDC_DDC_READER_H

#include <stddef.h>

struct ddc_reader {
    /*
     * Copies samples at, at + 1, ... of a pull, whose first one is 0. Returns how many it has;
     * after fewer than `count` the pull ends. Several threads at once; parts may be read twice.
     */
    size_t (*read)(void *arg, size_t at, size_t count, void *into);
    void *arg;
};

#endif
