/*
 * soapy_args.h - parses key=value lists and gains for a SoapySDR radio. Pure, any thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_ARGS_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_ARGS_H

#include <stddef.h>

struct reason;

/* "key=value,key=value", spaces around each trimmed. As in SoapySDR, there are no escapes. */
struct soapy_pair {
    char key[64], value[192];
};

enum { SOAPY_PAIRS = 24, SOAPY_GAINS = 8 };

struct soapy_pairs {
    size_t count;
    struct soapy_pair pair[SOAPY_PAIRS];
};

/*
 * NULL and "" are empty lists. -EINVAL, with a line such as "'x' is not key=value" in *why: a part
 * has no key or no '=', repeats a key, is too long, or is one too many.
 */
int soapy_pairs_parse(const char *text, struct soapy_pairs *out, struct reason *why);

/* A gain as in struct tuning. */
enum soapy_gain_kind { SOAPY_GAIN_LEAVE, SOAPY_GAIN_AUTO, SOAPY_GAIN_TOTAL, SOAPY_GAIN_ELEMENTS };

struct soapy_gain {
    enum soapy_gain_kind kind;
    double total_db;
    size_t elements;
    struct {
        char name[32];
        double db;
    } element[SOAPY_GAINS];
};

/* -EINVAL: the line in *why names the part. */
int soapy_gain_parse(const char *text, struct soapy_gain *out, struct reason *why);

#endif
