/*
 * channel_squelch.h - decides from the powers of a channel's blocks whether somebody transmits.
 *
 * It opens when two consecutive means reach the threshold, and closes when the level has stayed
 * below the threshold minus the hysteresis for the hang time. The threshold is relative to the
 * noise, or an absolute level.
 *
 * A mean covers one block, or in a narrow channel several, so that it contains SQUELCH_VALUES
 * independent values. The mean of noise alone exceeds its expectation by 3 dB with a probability
 * below 1e-9, and in practice never in two consecutive means.
 *
 * A pure state machine, plain values. One thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_SQUELCH_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_SQUELCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SQUELCH_VALUES = 70, /* exp(-70 (1 - ln 2)) = 5e-10: of a gamma distribution beyond twice its
                            mean (H. Chernoff, 1952) */
    SQUELCH_BLOCKS = 32, /* that a mean has at most */
};

enum squelch_by {
    SQUELCH_OFF,   /* it is always open */
    SQUELCH_SNR,   /* decibels above the noise */
    SQUELCH_LEVEL, /* dBFS */
};

struct squelch_rule {
    enum squelch_by by;
    double open_db;       /* above the noise, or dBFS */
    double hysteresis_db; /* it closes this far below; 0 or more */
    double hang_s;        /* and so much later */
};
/* What a rule has besides its threshold. */
#define SQUELCH_HYSTERESIS_DB 2.0
#define SQUELCH_HANG_S        0.2

/* "off", "6" or "6dB" above the noise, "level -60". Sets what it names alone. 0
 * or -EINVAL. */
int squelch_parse(const char *text, struct squelch_rule *out);
/* The text that parse reads as this. Returns `into`. */
const char *squelch_format(const struct squelch_rule *s, char *into, size_t size);
extern const char squelch_expected[]; /* for messages and manuals */

struct channel_squelch {
    struct squelch_rule rule;
    double open_factor, shut_factor; /* of the noise, or powers */
    uint32_t blocks;                 /* of a mean */
    double level[SQUELCH_BLOCKS];    /* newest blocks, a ring */
    uint32_t count;                  /* of these so far */
    uint32_t at;
    uint32_t above; /* blocks in a row in which the mean has reached the threshold */
    bool open;
    double below_s; /* time for which it has been below, while open */
};

/* independent: values in the level of a block. */
void channel_squelch_init(struct channel_squelch *s, const struct squelch_rule *rule,
                          double independent);
/*
 * The next block, of this length: its level, and the noise (powers; NAN: not known). Returns
 * whether it is open then. When it opens, the transmission includes the last channel_squelch_reach
 * blocks.
 */
bool channel_squelch_add(struct channel_squelch *s, double level, double noise, double block_s);
/* Blocks before the one in which it opened that were part of the decision. */
uint32_t channel_squelch_reach(const struct channel_squelch *s);

#endif
