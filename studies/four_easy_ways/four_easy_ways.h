/*
 * four_easy_ways.h - the tables of "Four Easy Ways to a Faster FFT", and the library's general
 * radix as these tables measure it.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_FOUR_EASY_WAYS_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_FOUR_EASY_WAYS_H

#include "fft/general.h"
#include "studies/four_easy_ways/tlb.h"
#include "studies/study.h"

int study_ladder(struct study *s);
int study_share(struct study *s);
int study_radix(struct study *s);
int study_curves(struct study *s);
int study_streams(struct study *s);
int study_tlb(struct study *s);
int study_model(struct study *s);
int study_faults(struct study *s);
int study_doubling(struct study *s);
int study_plan(struct study *s);
int study_table_1(struct study *s);
int study_table_2(struct study *s);
int study_table_3(struct study *s);
int study_largest_sizes(struct study *s);
int study_libraries(struct study *s);
int study_size(struct study *s);
int study_padding(struct study *s);

/* --n and --radix: 0, or -EINVAL with one line on standard error. */
int study_check_sizes(struct study *s);

/* The sizes of --n, else those of the table: least, least * factor, ... to most (or --quick's). */
struct counts study_sizes(const struct study *s, uint32_t least, uint32_t factor, uint32_t most);

/* "2^12", or "1000"; returns text. */
const char *study_size_text(uint32_t n, char text[12]);

bool study_is_power(uint32_t n, uint32_t base);                          /* base^k, k > 0 */
bool study_wants_base(const struct study *s, uint32_t n, uint32_t base); /* --radix; makes n */

struct counts study_bases(const struct study *s, uint32_t n); /* --radix's, or powers of two */

/* This machine as the model describes it, by measurement. */
struct cost_machine study_machine(const struct study *s);

struct study_general {
    struct general general;
    struct fft_iq *from, *to; /* [n], noise and its transform */
    struct pages memory[2];
};

/* Plans n as passes of this base alone, with arrays on small or on huge pages. -EINVAL: n is no
 * power of it; -ENOMEM. Call finish also after a failure. */
int study_general_init(struct study_general *g, uint32_t n, uint32_t base, bool huge);
void study_general_finish(struct study_general *g);
void study_general_run(void *study_general);

/* Measures one transform. error (or NULL): against double precision. NaN: n is no power of base. */
double study_general_seconds(const struct study *s, uint32_t n, uint32_t base, double *error);

#endif
