/*
 * iq_signals.h - signals of many kinds, written as radios and programs write samples.
 *
 * The formulas are independent of the simulated radio. The same seed gives the same bytes.
 */
#ifndef FFTD_TESTS_SUPPORT_SOURCE_IQ_SIGNALS_H
#define FFTD_TESTS_SUPPORT_SOURCE_IQ_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

struct block {
    uint8_t *at; /* the caller frees it */
    size_t size;
};

struct iq_random {
    uint64_t state;
};
double iq_uniform(struct iq_random *r); /* 0 .. 1 */
double iq_gauss(struct iq_random *r);   /* variance 1 */

/* A scene with an amplitude or a deviation of about 1. sample: its sample number k. */
struct iq_scene {
    const char *name;
    struct fft_iq (*sample)(struct iq_random *r, unsigned k);
};
extern const struct iq_scene iq_scenes[]; /* a NULL name ends it */

/* put writes one component, which may be beyond full scale, and returns the bytes written. */
struct iq_encoding {
    const char *name;
    enum fft_iq_format truth; /* FFT_IQ_FORMATS: fftd cannot read it */
    size_t (*put)(uint8_t *into, double v);
    size_t offset; /* bytes missing at the start */
};
extern const struct iq_encoding iq_encodings[];

enum { SCENE_SAMPLES = 12000 };
void render_scene(const struct iq_scene *scene, unsigned seed, struct fft_iq out[SCENE_SAMPLES]);
struct block encode_samples(const struct iq_encoding *e, const struct fft_iq in[SCENE_SAMPLES],
                            double level_db);

#endif
