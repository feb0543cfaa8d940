/*
 * channel_setup.h - a named channel as it was written, checked: a section [channel NAME] of the
 * file, or what a client sets. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_NAMED_CHANNEL_SETUP_H
#define FFTD_DAEMON_CHANNEL_NAMED_CHANNEL_SETUP_H

#include <stdio.h>

#include "daemon/channel/channel_info.h"
#include "daemon/option/option_family.h"
#include "daemon/option/option_text.h"

enum { CHANNELS_NAMED_MAX = 4096 };

struct reason;

enum channel_record { CHANNEL_RECORD_NO, CHANNEL_RECORD_IQ };
#define CHANNEL_RECORD_NAMES "no, iq"

/* "iq", none, and the demodulators of demod/. */
#define CHANNEL_MODE_NAMES "iq, am, sam, nfm, wfm, usb, lsb, cw, mpx"

struct channel_setup {
    struct option_text text; /* as written, with its name */
    double center_hz, rate_hz, width_hz;
    struct squelch_rule squelch;
    const char *mode;   /* of CHANNEL_MODE_NAMES; part of the text */
    double passband_hz; /* of the mode; 0: its own */
    double pre_s;
    unsigned record;       /* enum channel_record: a file for each transmission */
    double max_duration_s; /* of a file; 0: no limit */
};

/*
 * Checks a text that has a name. origin: the file of texts with lines, or NULL for those of
 * clients; the error begins with it. -EINVAL, -ENOMEM with one line in *why.
 */
int channel_setup_create(struct channel_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why);
void channel_setup_destroy(struct channel_setup *s); /* NULL is fine */
/* What it asks of the channels. With a squelch it is armed. */
struct channel_request channel_setup_request(const struct channel_setup *s);
/* Its demodulator; NULL: it has none. */
const char *channel_setup_mode(const struct channel_setup *s);
/* Whether `a` becomes `b` by moving it: nothing but the centre differs. */
bool channel_setup_moves(const struct channel_setup *a, const struct channel_setup *b);
/*
 * Checks all texts of a configuration, of this file. also (optional): what other rooms say of one,
 * 0 or -EINVAL.
 */
typedef int channel_setup_check(const struct channel_setup *s, struct reason *why);
int channel_setup_check_all(const struct option_text *texts, size_t count, const char *file,
                            channel_setup_check *also, struct reason *why);

/* The keys, for lists and for the manual (scdoc). */
struct option_family channel_family(void);
struct option_type channel_type(void);
void channel_print_types(FILE *out);
void channel_print_man(FILE *out);

#endif
