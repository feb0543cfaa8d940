/*
 * fft.h - the public header of the fft library: power spectra of raw IQ samples, and transforms.
 *
 * An engine computes FFTs on one kind of hardware: "cpu", "cuda", "opencl", "qpu". A `transform` is
 * one planned FFT; a `spectrum` is a planned sequence of power spectra. A span of raw samples is
 * cut into overlapped frames. Each frame is unpacked, windowed, transformed and squared, and the
 * frames of one batch are folded into one partial:
 *
 *     span      (count - 1) * hop + n raw samples
 *     frame i   samples i*hop .. i*hop + n - 1 of the span
 *     power     |FFT(unpack(frame) * window)|^2, linear; with a window whose sum is 1 a full-scale
 *               tone reads 1.0
 *     bin k     (k - n/2) * rate / n Hz from the centre: bin n/2 is the centre frequency
 *     partial   per bin: sum, max, min and last of the batch's powers
 *
 * A batch has one owner at a time:
 *
 *     submit -> engine works -> poll -> caller reads the partial -> release
 *
 * Partials come back in the order of submission. The span must stay readable and unchanged from
 * submit until its partial was polled.
 *
 * The same span, plan, engine and instruction set give the same bytes every time. On the cpu engine
 * that holds for every number of threads, however busy the machine is: a batch is cut into chunks
 * that depend on the plan and the number of frames alone, and their sums are added in order. A fold
 * of the same partials gives the same bytes, too. Batches of other sizes round sums differently.
 *
 * Threads: an engine, its spectra and its transforms are used by one thread at a time. Errors are
 * negative errno values. create/open allocate; submit, poll, release, the fold and execute do not.
 */
#ifndef FFTD_FFT_FFT_H
#define FFTD_FFT_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/export.h"
#include "fft/iq.h"
#include "fft/version.h"

FFT_API_BEGIN

/* ---- engines ---------------------------------------------------------------------------- */

struct fft_engine;

struct fft_engine_config {
    const char *name; /* "auto", or an engine's name, with ":DEVICE" where it has several */
    uint32_t threads; /* of the cpu engine; 0: one a core; fewer where the system starts no more */
    const char *isa;  /* instruction set of the cpu engine, forced; NULL or "auto": the best */
    const char *options; /* of the opencl engine, as in "plan=local,measure"; NULL: none */
};

/*
 * "auto" tries the engines in the order of engine_list.c and takes the first one that opens and
 * passes its self-test. On failure *out is NULL, and `why` (may be NULL) names the engine that
 * refused and the reason: -ENOENT no such engine, -ENODEV not on this machine, -EINVAL no such
 * instruction set, -EIO self-test failed. On success `why` names the engines and devices that were
 * skipped; "" if none.
 */
int fft_engine_open(struct fft_engine **out, const struct fft_engine_config *config, char *why,
                    size_t why_size);
void fft_engine_close(
    struct fft_engine *e); /* NULL is fine; destroy its spectra and transforms first */

const char *fft_engine_name(const struct fft_engine *e);     /* "cpu" */
const char *fft_engine_describe(const struct fft_engine *e); /* "cpu: AVX-512, 2 threads" */
/*
 * True: another thread may create a spectrum, and destroy one, while the engine's own thread makes,
 * uses and destroys others: the one exception of the rule above. Any thread.
 */
bool fft_engine_plans_beside(const struct fft_engine *e);
/* True: a spectrum whose plan names the memory of its samples reads them from there. Any thread. */
bool fft_engine_pins_memory(const struct fft_engine *e);
/* Why the last call for a buffer or a transform failed, or "". */
const char *fft_engine_trouble(const struct fft_engine *e);

/*
 * Tries every engine of this build. err 0: it opened; `text` describes it and names the devices
 * that were skipped. Else -errno, and `text` is the reason.
 */
void fft_engine_each(void (*visit)(void *user, const char *name, int err, const char *text),
                     void *user);

/* ---- buffers ---------------------------------------------------------------------------- */

/*
 * Memory of an engine, on its device if it has one, for data that stays there from one transform to
 * the next. Its bytes are accessible between map and unmap only; in between no transform may use
 * it. An engine without a device uses plain memory, in huge pages where it is large (long
 * transforms are faster there); then map costs nothing. Threads: as for its engine.
 */
struct fft_buffer;

enum {
    FFT_BUFFER_READ = 1U << 0,  /* *at holds the contents */
    FFT_BUFFER_WRITE = 1U << 1, /* unmap stores the contents; without READ they are undefined at
                                   first, so write every byte that matters */
};

/* bytes > 0. -EINVAL, -ENOMEM, or the engine's error. The contents are undefined. */
int fft_buffer_create(struct fft_buffer **out, struct fft_engine *e, size_t bytes);
void fft_buffer_destroy(
    struct fft_buffer *b); /* NULL is fine; so is a buffer that is mapped or in use */

/*
 * *at: bytes of memory, aligned to 64 bytes, the caller's until unmap. Waits for the transforms
 * started on it and returns the error of one that failed. -EINVAL: access is 0; -EBUSY: it is
 * mapped already. access: FFT_BUFFER_ bits.
 */
int fft_buffer_map(struct fft_buffer *b, unsigned access, void **at);
int fft_buffer_unmap(struct fft_buffer *b); /* ends *at, also on error. -EINVAL: it is not mapped */

/* Waits for every transform started on this engine; returns the error of one that failed. */
int fft_engine_wait(struct fft_engine *e);

/* ---- transforms ------------------------------------------------------------------------- */

/*
 * The discrete Fourier transform of rank 1 to 3, single precision, natural order:
 *
 *     forward, r2c   X[k] = s * sum over j of x[j] exp(-2 pi i (j0 k0 / n0 + j1 k1 / n1 + ...))
 *     inverse, c2r   x[j] = s * sum over k of X[k] exp(+2 pi i (j0 k0 / n0 + j1 k1 / n1 + ...))
 *
 * Bin 0 is zero frequency. The plan's scale is s: 1, 1/N or 1/sqrt(N), with N = n0 n1 n2.
 * Unscaled, inverse(forward(x)) = N x. (Formula: C. Van Loan, "Computational Frameworks for the
 * FFT", 1992; a real transform as a complex one of half the length: W. H. Press et al., "Numerical
 * Recipes", section 12.3.)
 *
 * Lengths: each 2^a 3^b 5^c 7^d, N at most 2^24; of rank 3 2^27.
 *
 * Shapes, last index fastest when packed:
 *
 *     forward, inverse   in   struct fft_iq [batch][n0][n1][n2]
 *                        out  struct fft_iq [batch][n0][n1][n2]
 *     r2c                in   float [batch][n0][n1][n2]
 *                        out  struct fft_iq [batch][n0][n1][n2/2 + 1]
 *     c2r                in   struct fft_iq [batch][n0][n1][n2/2 + 1]
 *                        out  float [batch][n0][n1][n2]
 *
 * (rank 2 without n2, rank 1 without n1: the last axis is halved.) The spectrum of real data is
 * Hermitian, X[-k] = conj(X[k]), so r2c writes half of it and c2r reads that half. c2r ignores the
 * imaginary parts that real data cannot have along the last axis (rank 1: of bins 0 and n/2).
 */
enum fft_transform_type {
    FFT_TRANSFORM_FORWARD,
    FFT_TRANSFORM_INVERSE,
    FFT_TRANSFORM_R2C,
    FFT_TRANSFORM_C2R
};
enum {
    FFT_TRANSFORM_TYPES = 4,
    FFT_TRANSFORM_MAX_RANK = 3,
    FFT_TRANSFORM_MAX_POINTS = 1 << 24,
    FFT_TRANSFORM_MAX_BOX = 1 << 27 /* of rank 3 */
};

/*
 * The factor s. The last pass over the data applies it, so values between passes are as large as
 * those of an unscaled transform. BY_N on one of two opposite transforms, or BY_ROOT_N on both,
 * makes inverse(forward(x)) = x.
 */
enum fft_transform_scale {
    FFT_TRANSFORM_UNSCALED,  /* 1 */
    FFT_TRANSFORM_BY_N,      /* 1/N */
    FFT_TRANSFORM_BY_ROOT_N, /* 1/sqrt(N): the transform is unitary */
};
enum { FFT_TRANSFORM_SCALES = 3 };

/*
 * The offset of element (b, j0, j1, j2) is b*batch + j0*stride[0] + j1*stride[1] + ..., counted in
 * floats on the real side, in struct fft_iq on the complex one. All 0: packed. The elements of an
 * output must not overlap; those of an input may.
 */
struct fft_transform_layout {
    size_t stride[FFT_TRANSFORM_MAX_RANK];
    size_t batch;
};

/*
 * In place (out is in) both layouts must agree. Forward and inverse: they are equal. r2c and c2r:
 * the last stride is 1 on both sides, and every other stride of the real side is twice that of the
 * complex side; so, packed, a row of reals is padded to 2 (n/2 + 1).
 */
struct fft_transform_plan {
    enum fft_transform_type type;
    enum fft_transform_scale scale;
    uint32_t rank; /* 1 .. 3 */
    uint32_t n[FFT_TRANSFORM_MAX_RANK];
    uint32_t batch; /* transforms in one call, >= 1 */
    bool in_place;
    bool on_buffers; /* for fft_transform_execute_buffers only: an engine with a device allocates
                        no memory there for fft_transform_execute, which returns -EINVAL */
    struct fft_transform_layout in, out;
};

struct fft_transform;

/*
 * -EINVAL: the plan breaks a rule above; -ENOTSUP: the engine has no transforms, or not this one;
 * -ENOMEM. `why` as in fft_engine_open. Allocates all memory.
 */
int fft_transform_create(struct fft_transform **out, struct fft_engine *e,
                         const struct fft_transform_plan *plan, char *why, size_t why_size);
void fft_transform_destroy(struct fft_transform *t); /* NULL is fine */

/*
 * Host memory to host memory; returns when it is done. An engine with a device copies the elements
 * of `in` to it once and those of `out` back once, whatever the rank. in and out: aligned to 4
 * bytes (64 are faster); the same pointer for a plan in place, otherwise regions that do not
 * overlap, else -EINVAL; or the engine's error. Out of place `in` is unchanged. Elements of out
 * that no index reaches are unchanged. The same plan, input, engine and instruction set give the
 * same bytes every time, for every number of threads.
 */
int fft_transform_execute(struct fft_transform *t, const void *in, void *out);

/*
 * The same on buffers of its engine, from their first byte on, without copies. One buffer for a
 * plan in place, otherwise two. It may return before the transform is done. Transforms of an engine
 * run in the order in which they were started; map and fft_engine_wait wait for them and may be the
 * first calls to return an error of the device. -EINVAL: a buffer is too small
 * (fft_transform_bytes_in, _out) or another engine's; -EBUSY: one is mapped.
 */
int fft_transform_execute_buffers(struct fft_transform *t, struct fft_buffer *in,
                                  struct fft_buffer *out);

/* Bytes from the start of the first element to the end of the last one. */
size_t fft_transform_bytes_in(const struct fft_transform *t);
size_t fft_transform_bytes_out(const struct fft_transform *t);

/* ---- fused spectra ---------------------------------------------------------------------- */

#define FFT_SPECTRUM_MIN_N      64U
#define FFT_SPECTRUM_MAX_N      4194304U
#define FFT_SPECTRUM_MAX_DEPTH  16U
#define FFT_SPECTRUM_MAX_LEVELS 4096U

enum {
    FFT_DETECTOR_MEAN = 1U << 0,
    FFT_DETECTOR_MAX = 1U << 1,
    FFT_DETECTOR_MIN = 1U << 2,
    FFT_DETECTOR_SAMPLE = 1U << 3, /* the last frame of the line */
};
enum { FFT_DETECTORS = 4 }; /* detector index = bit number: 0 mean, 1 max, 2 min, 3 sample */

/*
 * Density: column of bin k = floor(k * columns / n); per frame each column counts one hit at the
 * level of its peak bin; level row r holds top_db - r*step_db >= level > top_db - (r+1)*step_db,
 * and levels outside clamp to the end rows, so every column's hits sum to the frames.
 */
struct fft_density {
    uint32_t columns, levels; /* columns <= n, 0 columns = off; levels <= FFT_SPECTRUM_MAX_LEVELS */
    float top_db, step_db;
};

struct fft_spectrum_plan {
    uint32_t n;          /* samples a frame: power of two, 64 .. 4194304 */
    uint32_t hop;        /* samples from one frame to the next: 1 .. n (overlap = 1 - hop/n) */
    uint32_t max_frames; /* frames in one batch, at most; >= 1 */
    uint32_t depth;      /* batches in flight (submitted, not yet released), 1 .. 16 */
    enum fft_iq_format format;
    unsigned detectors;  /* FFT_DETECTOR_ bits, at least one, unless density is on */
    const float *window; /* [n]; copied by create */
    struct fft_density density;
    double full_scale; /* of the stream, raw units: batches count clipped samples. 0: they do not */
    /*
     * The cpu engine leaves a batch to the thread that polls, until another one waits behind it:
     * its other threads sleep while one is enough. Less processor time, later results, the same
     * bytes.
     */
    bool frugal;
    bool corrected; /* fft_spectrum_correct may be called; else samples are used as they are */
    /*
     * Nothing but a fold reads the partials. An engine may then leave it to the fold to put their
     * arrays in the order of the bins (`order`): into a line directly, without an array between.
     */
    bool folded;
    /*
     * (optional) The block that all spans are in. It may be mapped a second time directly after
     * itself (a mirrored ring). An engine may pin it for its device; it must outlive the spectrum.
     */
    const void *memory;
    size_t memory_bytes; /* of the block, once */
};

struct fft_bin_order;

/* One batch, folded. The arrays are [n]; NULL: that detector was not planned. */
struct fft_partial {
    uint64_t position; /* as given to submit */
    uint32_t frames;
    const float *sum, *max, *min, *last;
    const uint32_t *hits; /* [columns][levels] */
    uint64_t clipped;     /* samples, as fft_iq_clipped counts; see fft_spectrum_submit_fresh */
    const struct fft_bin_order *order; /* NULL: bins; else of a plan that is `folded`: only a fold
                                          may read the first four arrays */
};

struct fft_spectrum;

/* -EINVAL: the plan breaks a limit above; -ENOTSUP: not on this engine; -ENOMEM. `why`: see open.
 */
int fft_spectrum_create(struct fft_spectrum **out, struct fft_engine *e,
                        const struct fft_spectrum_plan *plan, char *why, size_t why_size);
/*
 * Bytes of the host's memory that a spectrum and a fold of this plan take on the cpu engine with
 * this configuration. The plan has no density; its window is not read. 0:
 * there is no such instruction set. Any thread.
 */
size_t fft_spectrum_bytes(const struct fft_engine_config *config,
                          const struct fft_spectrum_plan *plan);
/*
 * Bytes of the host's memory that batches and results of this plan take at most on an engine for a
 * device: pinned blocks on both ends of its bus, and all of its memory where it shares that of the
 * host. Its window is not read. 0: the cpu engine, or no such plan. The engine's thread.
 */
size_t fft_spectrum_device_bytes(const struct fft_engine *e, const struct fft_spectrum_plan *plan);
void fft_spectrum_destroy(struct fft_spectrum *s); /* NULL is fine; drops batches in flight */

/*
 * A correction of samples on load, before the window: of the offset (DC) that a receiver adds, and
 * of the gain and phase errors between its I and Q:
 *
 *     I' = ii (I - dc_i)
 *     Q' = qi (I - dc_i) + qq (Q - dc_q)
 *
 * The offset is in units of the format's full scale (iq.h).
 */
struct fft_correction {
    float dc_i, dc_q, ii, qi, qq; /* none: 0, 0, 1, 0, 1 */
};

/*
 * Applies to the batches submitted from now on; until the first call samples are not corrected.
 * -EINVAL: the plan is not `corrected`, or a number is not finite.
 */
int fft_spectrum_correct(struct fft_spectrum *s, const struct fft_correction *correction);

/* Why the last call failed, or "". */
const char *fft_spectrum_trouble(const struct fft_spectrum *s);
/* "", or what makes this spectrum slower than others of the engine: "staging (REASON)". */
const char *fft_spectrum_note(const struct fft_spectrum *s);

/*
 * span: the samples, aligned to fft_iq_bytes of the format: for cf32 8 bytes, more than an array of
 * struct fft_iq has everywhere. count: frames, 1 .. max_frames. position: the span's 64-bit stream
 * position: if it is the previous position + count*hop, an engine may reuse the tail that is on its
 * device already. Never waits. -EAGAIN: `depth` batches are in flight. -EINVAL: bad arguments.
 */
int fft_spectrum_submit(struct fft_spectrum *s, const void *span, uint64_t position,
                        uint32_t count);
/*
 * The same, and counts the clipped samples from index `fresh` of the span on, for a plan with a
 * full scale: those that no batch before had.
 */
int fft_spectrum_submit_fresh(struct fft_spectrum *s, const void *span, uint64_t position,
                              uint32_t count, size_t fresh);
/*
 * The oldest batch that was not polled: 1 and *out (valid until release); 0: not done within
 * timeout_ms (< 0: no limit), or nothing was submitted; -errno. On the cpu engine the caller is one
 * of the workers: a call does at least one chunk of the batch if one is left.
 */
int fft_spectrum_poll(struct fft_spectrum *s, struct fft_partial *out, int timeout_ms);
void fft_spectrum_release(struct fft_spectrum *s); /* returns the oldest polled batch */

/* ---- folding partials into lines -------------------------------------------------------- */

struct fft_fold; /* sums in double, the others exactly */

int fft_fold_create(struct fft_fold **out, const struct fft_spectrum_plan *plan);
void fft_fold_destroy(struct fft_fold *f); /* NULL is fine */
void fft_fold_reset(struct fft_fold *f);
void fft_fold_add(struct fft_fold *f, const struct fft_partial *p);
/*
 * Adds the first partial of a line without a copy: its arrays are read until the next call of add,
 * keep or reset. keep copies what is still borrowed. Neither changes a result.
 */
void fft_fold_borrow(struct fft_fold *f, const struct fft_partial *p);
void fft_fold_keep(struct fft_fold *f);
uint64_t fft_fold_frames(const struct fft_fold *f);
/* Linear power of one detector (FFT_DETECTOR_ bit, planned) into out[n]; fft_fold_frames must be >
 * 0. */
void fft_fold_detector(const struct fft_fold *f, unsigned detector, float *out);
const uint64_t *
fft_fold_hits(const struct fft_fold *f); /* [columns][levels], NULL: density is off */

FFT_API_END

#endif
