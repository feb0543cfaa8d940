/*
 * radio_list.h - the list of radios for viewers: all rows once, then the rows that changed.
 * Loop thread.
 *
 * Lists are numbered. Who has the list before gets the changes, anybody else gets all. A row is
 * sent to everybody
 *
 *   at once                  if the radio is new, or its state changed
 *   with the next round      if its settings changed
 *   10 s after the last one  if lines were lost, if lines stopped or came again, or if its skew
 *                            moved by 500 ms
 *   60 to 90 s after it      if its lines grew by a tenth; other radios at other times
 *
 * In each round, those who want a radio get its row as it is then.
 */
#ifndef FFTD_DAEMON_HUB_RADIO_LIST_H
#define FFTD_DAEMON_HUB_RADIO_LIST_H

#include "daemon/hub/radio_report.h"

enum { RADIO_LIVE_MS = 3000 /* lines come, if the newest is not older */ };

/* A row as it was sent to everybody, and what it is compared by. */
struct sent_radio {
    json_t *row;      /* NULL: none */
    json_t *announce; /* a reference */
    uint32_t id;
    enum radio_state state;
    bool live, recalled;
    uint64_t loss, lines;
    double skew_ms;
    uint64_t sent_ns;
    char *text; /* as it is in this round, for those who want it; NULL: not made yet */
};

/* Zeroed: nothing was sent. */
struct radio_list {
    uint64_t number, round;     /* count from 1 */
    json_t *head;               /* of the newest list: all but its radios */
    struct ws_message *changes; /* since the list before; NULL: no memory */
    struct ws_message *all;     /* NULL: not made yet */
    struct sent_radio sent[RADIOS_MAX];
};

struct radio_list_time {
    uint64_t clock_ns; /* of a clock without jumps */
    int64_t unix_ns;
};

/* The next list. round: a new one begins; without it, only states are compared. */
void radio_list_update(struct radio_list *n, const struct radios *r,
                       const struct link_reader_state *broker, uint64_t dropped,
                       struct radio_list_time now, bool round);
void radio_list_finish(struct radio_list *n); /* zeroed is fine */

/* A list for who has the list `had` (0: none), as a reference; NULL: no memory. */
struct ws_message *radio_list_message(struct radio_list *n, uint64_t had);
/* The rows of these radios in this round, as a reference; NULL: no memory. */
struct ws_message *radio_list_rows(struct radio_list *n, const struct radios *r,
                                   const uint32_t *ids, uint32_t count, int64_t unix_ns);
/* Somebody who got the rows of this radio no longer gets them: its row is sent to everybody soon.
 */
void radio_list_recall(struct radio_list *n, uint32_t id);

#endif
