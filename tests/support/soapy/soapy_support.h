/* soapy_support.h - opens the test radio (siggen.cpp) as a source and checks its samples. */
#ifndef FFTD_TESTS_SUPPORT_SOAPY_SOAPY_SUPPORT_H
#define FFTD_TESTS_SUPPORT_SOAPY_SOAPY_SUPPORT_H

#include "tests/support/cmocka_all.h"

#include "daemon/base/reason.h"
#include "daemon/source/source.h"

extern const struct source_ops source_soapy;

enum { BLOCK = 65536 };

struct test_radio {
    struct source_config config;
    struct source *source;
    struct reason why;
    uint8_t block[BLOCK * 8];
    uint64_t delivered, lost[LOSS_CAUSES], events[LOSS_CAUSES];
    bool counting;           /* samples must follow the counter */
    uint32_t next;           /* value of the next counter sample */
    struct source_mark mark; /* the last one, and the counter at the first sample after it */
    uint32_t mark_at;
};

/* Before the first call of SoapySDR: our module, a file for its faults, and a minute of buffer for
 * radios that name none. A cmocka setup. */
int support_begin(void **state);
int support_end(void **state);

/* Fault commands as in siggen.hpp, from now on; "" = none. */
void faults(const char *text);
const char *faults_file(void);

/* A configuration for driver=fftdtest with further arguments, at 2.4 MS/s and 100 MHz. */
void radio_init(struct test_radio *r, const char *arguments);
int radio_open(struct test_radio *r); /* as source_create; the message is in r->why */
void radio_must_open(struct test_radio *r);
void radio_close(struct test_radio *r);
/* Opens, and expects this error with these words in its message. */
void assert_refused(struct test_radio *r, int err, const char *words);

/* One read; counts, and checks the counter's continuity if r->counting. As source_ops.read. */
int64_t radio_read(struct test_radio *r, uint32_t samples, int timeout_ms);
/* Reads this many samples; fails after a generous time limit. */
void radio_read_all(struct test_radio *r, uint64_t samples);
/* Reads until an event of this cause was marked. */
void radio_read_until(struct test_radio *r, enum loss cause);

/* Level in dBFS of the component at `offset_hz` from the centre, over BLOCK samples. */
double radio_level(struct test_radio *r, double offset_hz);

/* The value of a setting in the device. Its arguments must be those of the open source. */
bool has_setting(struct test_radio *r, const char *key, const char *value);
void assert_setting(struct test_radio *r, const char *key, const char *value);

#endif
