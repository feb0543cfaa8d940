/* reader_state.h - how the connection of a hub to its broker is. Plain values. */
#ifndef FFTD_DAEMON_HUB_READER_STATE_H
#define FFTD_DAEMON_HUB_READER_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct link_reader_state {
    bool connected;
    uint64_t links;   /* times that the connection came up */
    int64_t since_ns; /* Unix time of the last change; 0: there was none */
    bool no_answers;  /* the broker does not let it read answers to requests */
};

#endif
