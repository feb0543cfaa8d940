/*
 * radio_news.h - what viewers are told of radios: all of them once, then the rows that changed.
 * Loop thread.
 *
 * Lists are numbered. Who has the list before gets the changes, anybody else gets all. A row is
 * told to everybody
 *
 *   at once                  if the radio is new, or its state changed
 *   with the next round      if its settings changed
 *   10 s after the last one  if lines were lost, if lines stopped or came again, or if its skew
 *                            moved by 500 ms
 *   60 to 90 s after it      if its lines grew by a tenth; other radios at other times
 *
 * In each round, those who want a radio get its row as it is then.
 */
#ifndef FFTD_DAEMON_HUB_RADIO_NEWS_H
#define FFTD_DAEMON_HUB_RADIO_NEWS_H

#include "daemon/hub/radio_report.h"

enum { RADIO_LIVE_MS = 3000 /* lines come, if the newest is not older */ };

/* A row as everybody was told it, and what it is compared by. */
struct told_radio {
    json_t *row;      /* NULL: none */
    json_t *announce; /* held */
    uint32_t id;
    enum radio_state state;
    bool live, recalled;
    uint64_t loss, lines;
    double skew_ms;
    uint64_t told_ns;
    char *text; /* as it is in this round, for those who want it; NULL: not made yet */
};

/* Zeroed: nothing was told. */
struct radio_news {
    uint64_t number, round; /* count from 1 */
    json_t *head;           /* of the newest list: all but its radios */
    struct frame *changes;  /* since the list before; NULL: no memory */
    struct frame *all;      /* NULL: not made yet */
    struct told_radio told[RADIOS_MAX];
};

struct radio_news_time {
    uint64_t clock_ns; /* of a clock without jumps */
    int64_t unix_ns;
};

/* The next list. round: a new one begins; without it, only states are compared. */
void radio_news_update(struct radio_news *n, const struct radios *r,
                       const struct link_reader_state *broker, uint64_t dropped,
                       struct radio_news_time now, bool round);
void radio_news_finish(struct radio_news *n); /* zeroed is fine */

/* A list for who has the list `had` (0: none), held; NULL: no memory. */
struct frame *radio_news_list(struct radio_news *n, uint64_t had);
/* The rows of these radios in this round, held; NULL: no memory. */
struct frame *radio_news_rows(struct radio_news *n, const struct radios *r, const uint32_t *ids,
                              uint32_t count, int64_t unix_ns);
/* Somebody who got the rows of this radio gets them no more: its row is told to everybody soon. */
void radio_news_recall(struct radio_news *n, uint32_t id);

#endif
