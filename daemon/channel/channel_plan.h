/*
 * channel_plan.h - how a stream is divided into blocks, and the rate, width and filter of a channel
 * of it. Pure, any thread.
 *
 * A block has n samples, some 8 ms of them, and begins `hop` samples after the one before. A
 * forward transform of n points gives bins of rate / n. A channel multiplies m of them by its
 * filter's response, and an inverse transform of m points gives samples at rate * m / n:
 *
 *     input    |<- reach ->|<----------- hop ----------->|<- reach ->|    n = hop + 2 reach
 *     output               m/8 .. 7m/8 - 1: one every n / m samples
 *
 * The filter is a low-pass of 2 reach + 1 taps, symmetric: output j of a block that begins at
 * sample s belongs to sample s + j n / m exactly. Its length is a time, n / 4 samples, and sets the
 * width of its slopes: with Kaiser's window,
 *
 *     slope = (A - 7.95) / (14.36 * time)       A = 88 dB; 2.8 kHz for 2 ms
 *
 * The pass band is flat within 0.001 dB, and signals outside the output rate are attenuated by at
 * least 80 dB. The same slope applies at both edges of the stream: a filter cut off there would
 * alias the opposite edge into the channel.
 *
 * Sources: A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal Processing" (overlap-save,
 * Kaiser's window); M. Renfors, J. Yli-Kaakinen, f. harris, "Analysis and Design of Efficient and
 * Flexible Fast-Convolution Based Multirate Filter Banks", IEEE Trans. Signal Processing, 2014.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_PLAN_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct reason;

enum {
    CHANNEL_BLOCK_MIN = 64,      /* samples */
    CHANNEL_BLOCK_MAX = 1 << 20, /* at higher rates a block is shorter than 8 ms */
    CHANNEL_POINTS_MAX = 1 << 20,
    CHANNEL_RATE_HZ = 4000000, /* highest output rate, unless that of the stream is higher */
    CHANNEL_SLOPE = 64         /* bins at each end of the stream that its slope changes */
};

/* The blocks of a stream. */
struct channel_grid {
    double rate_hz;
    uint32_t n; /* a multiple of 8, and a length that the library transforms */
    uint32_t hop, reach;
};

void channel_grid_init(struct channel_grid *g, double rate_hz);
double channel_grid_slope_hz(const struct channel_grid *g); /* from pass band to stop band */
/* The response of the stream's ends: out[i] is that of the bin i + 1 bins from either end. */
void channel_grid_slope(const struct channel_grid *g, float out[CHANNEL_SLOPE]);

/* What channels of the same rate and width share. */
struct channel_shape {
    double rate_hz;          /* of the samples that leave the channel */
    double pass_hz, stop_hz; /* edges of its filter, from the centre */
    uint32_t m;              /* points of the inverse transform; a multiple of 8 */
    bool resampled;          /* its rate, grid.rate_hz * m / n, is higher, and is converted */
};

/*
 * rate_hz: of the samples. width_hz: of the flat part; 0: all that the rate has room for. -EINVAL
 * with the key that is wrong ("rate_hz" or "width_hz"), and what works.
 */
int channel_shape_plan(struct channel_shape *s, const struct channel_grid *g, double rate_hz,
                       double width_hz, struct reason *why);
double channel_shape_bank_rate(const struct channel_shape *s, const struct channel_grid *g);
/* The response at bins 0 .. m/2 - 1, -m/2 .. -1, divided by n. out: [m] */
void channel_shape_response(const struct channel_shape *s, const struct channel_grid *g,
                            float *out);

#endif
