/*
 * fft.h - the public header of the fft library: power spectra of raw IQ samples, and transforms.
 *
 * An engine computes FFTs on one kind of hardware: "cpu", "cuda", "opencl", "qpu". A transform is
 * one planned FFT; a spectrum is a planned sequence of power spectra. A config describes either,
 * and create plans it. A spectrum cuts a span of raw samples into overlapped frames. It unpacks,
 * windows, transforms and squares each frame, and folds the frames of one batch into one partial:
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
 * The same span, config, engine and instruction set give the same bytes every time. On the cpu
 * engine this applies to every number of threads, however busy the machine is: the config and the
 * number of frames alone decide how a batch is cut into chunks, and the sums of chunks are added in
 * order. A fold of the same partials gives the same bytes, too. Batches of other sizes round sums
 * differently.
 *
 * Threads: one thread at a time uses an engine, its spectra, its transforms and its buffers.
 * fft_engine_plans_concurrently names an exception; functions for any thread say so.
 *
 * Errors: functions that return int return a negative errno value on failure. Memory: create and
 * open allocate; submit, poll, release, the fold and execute do not.
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
    uint32_t threads; /* cpu engine: number of threads, fewer if the system starts no more; 0: one
                         for each core */
    const char *isa;  /* cpu engine: the instruction set; NULL or "auto": the best */
    const char *options; /* opencl engine: for example "plan=local,measure"; NULL: none */
};

/*
 * Opens an engine and runs its self-test. "auto" tries the engines of this build, best first, and
 * opens the first one that works. config and its strings are read during the call only.
 *
 * -ENOENT: no such engine; -ENODEV: not on this machine; -EINVAL: no such device or instruction
 * set; -EIO: the self-test failed; -ENOMEM. On failure *out is NULL and `why` (may be NULL) has
 * the name of the engine and the reason, as one line. On success `why` names the engines and
 * devices that were skipped; "" if none.
 */
int fft_engine_open(struct fft_engine **out, const struct fft_engine_config *config, char *why,
                    size_t why_size);
/* Destroy the engine's spectra, transforms and buffers first. NULL is fine. */
void fft_engine_close(struct fft_engine *e);

/* These strings live as long as the engine. */
const char *fft_engine_name(const struct fft_engine *e);     /* "cpu" */
const char *fft_engine_describe(const struct fft_engine *e); /* "cpu: AVX-512, 2 threads" */
/*
 * True: one more thread may create and destroy spectra of this engine, while the engine's own
 * thread creates, uses and destroys others. Any thread.
 */
bool fft_engine_plans_concurrently(const struct fft_engine *e);
/* True: the device reads samples directly from the block that a config names as `memory`. Any
 * thread. */
bool fft_engine_pins_memory(const struct fft_engine *e);
/* Why the last call for a buffer or a transform failed, as one line; "" if none failed. Valid until
 * the next such call. */
const char *fft_engine_last_error(const struct fft_engine *e);

/*
 * Opens and closes every engine of this build, best first, and calls `visit` for each. err 0: the
 * engine opened, and `text` describes it and names the devices that were skipped. Otherwise err is
 * -errno and `text` the reason.
 */
void fft_engine_each(void (*visit)(void *user, const char *name, int err, const char *text),
                     void *user);

/* ---- buffers ---------------------------------------------------------------------------- */

/*
 * Memory of an engine, on its device if it has one, for data that stays there from one transform to
 * the next. The caller may access the bytes between map and unmap only, and no transform may use
 * the buffer then. An engine without a device uses plain memory, and huge pages for large buffers,
 * where long transforms are faster; then map costs nothing.
 */
struct fft_buffer;

enum {
    FFT_BUFFER_READ = 1U << 0,  /* map provides the contents at *at */
    FFT_BUFFER_WRITE = 1U << 1, /* unmap stores the contents. Without READ, *at begins undefined:
                                   write every byte that matters */
};

/* bytes > 0. -EINVAL, -ENOMEM, or the engine's error. The contents are undefined. */
int fft_buffer_create(struct fft_buffer **out, struct fft_engine *e, size_t bytes);
/* Also of a buffer that is mapped or in use. NULL is fine. */
void fft_buffer_destroy(struct fft_buffer *b);

/*
 * Waits for the transforms started on the buffer, and returns the error of one that failed. *at:
 * its bytes, aligned to 64, the caller's until unmap. access: FFT_BUFFER_ bits. -EINVAL: access is
 * 0; -EBUSY: the buffer is mapped already.
 */
int fft_buffer_map(struct fft_buffer *b, unsigned access, void **at);
/* *at is invalid afterwards, also on error. -EINVAL: the buffer is not mapped. */
int fft_buffer_unmap(struct fft_buffer *b);

/* Waits for every transform started on this engine, and returns the error of one that failed. */
int fft_engine_wait(struct fft_engine *e);

/* ---- transforms ------------------------------------------------------------------------- */

/*
 * The discrete Fourier transform of rank 1 to 3, single precision, natural order:
 *
 *     forward, r2c   X[k] = s * sum over j of x[j] exp(-2 pi i (j0 k0 / n0 + j1 k1 / n1 + ...))
 *     inverse, c2r   x[j] = s * sum over k of X[k] exp(+2 pi i (j0 k0 / n0 + j1 k1 / n1 + ...))
 *
 * Bin 0 is zero frequency. The config's scale is s: 1, 1/N or 1/sqrt(N), with N = n0 n1 n2.
 * Unscaled, inverse(forward(x)) = N x. (Formulas: C. Van Loan, "Computational Frameworks for the
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
 * Rank 2 has no n2, rank 1 neither n1 nor n2: the last axis is the one that is halved. The spectrum
 * of real data is Hermitian, X[-k] = conj(X[k]), so r2c writes half of it and c2r reads that half.
 * c2r ignores the imaginary parts that the spectrum of real data cannot have along the last axis
 * (rank 1: of bins 0 and n/2).
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
    FFT_TRANSFORM_MAX_POINTS = 1 << 24,   /* N of rank 1 and 2 */
    FFT_TRANSFORM_MAX_POINTS_3D = 1 << 27 /* N of rank 3 */
};

/*
 * The factor s. The last pass over the data applies it, so values between passes are as large as in
 * an unscaled transform. BY_N on one of two opposite transforms, or BY_ROOT_N on both, gives
 * inverse(forward(x)) = x.
 */
enum fft_transform_scale {
    FFT_TRANSFORM_UNSCALED,  /* 1 */
    FFT_TRANSFORM_BY_N,      /* 1/N */
    FFT_TRANSFORM_BY_ROOT_N, /* 1/sqrt(N): the transform is unitary */
};
enum { FFT_TRANSFORM_SCALES = 3 };

/*
 * The offset of element (b, j0, j1, j2) is b*batch + j0*stride[0] + j1*stride[1] + ..., counted in
 * floats on the real side and in struct fft_iq on the complex side. All 0: packed. Elements of an
 * input may overlap; those of an output must not.
 */
struct fft_transform_layout {
    size_t stride[FFT_TRANSFORM_MAX_RANK];
    size_t batch;
};

/*
 * Describes a transform. In place (out is in), the layouts must agree. Forward and inverse: they
 * are equal. r2c and c2r: the last stride is 1 on both sides, and every other stride of the real
 * side is twice that of the complex side; packed, a row of reals is therefore padded to
 * 2 (n/2 + 1).
 */
struct fft_transform_config {
    enum fft_transform_type type;
    enum fft_transform_scale scale;
    uint32_t rank; /* 1 .. 3 */
    uint32_t
        n[FFT_TRANSFORM_MAX_RANK]; /* points along each axis, the last one adjacent if packed */
    uint32_t batch;                /* transforms in one call, >= 1 */
    bool in_place;
    bool on_buffers; /* only fft_transform_execute_buffers is called: an engine with a device
                        allocates no memory for fft_transform_execute, which returns -EINVAL */
    struct fft_transform_layout in, out;
};

struct fft_transform;

/*
 * Plans a transform and allocates all of its memory. config is read during the call only. -EINVAL:
 * it breaks a rule above; -ENOTSUP: the engine has no transforms, or not this one; -ENOMEM. On
 * failure *out is NULL and `why` (may be NULL) has the reason, as one line.
 */
int fft_transform_create(struct fft_transform **out, struct fft_engine *e,
                         const struct fft_transform_config *config, char *why, size_t why_size);
void fft_transform_destroy(struct fft_transform *t); /* NULL is fine */

/*
 * Transforms host memory to host memory, and returns when it is done. An engine with a device
 * copies the elements of `in` to it once and those of `out` back once, whatever the rank. in and
 * out: aligned to 4 bytes (64 are faster); the same pointer in place, otherwise regions that do not
 * overlap. Out of place `in` is unchanged. Elements of out that no index reaches are unchanged. The
 * same config, input, engine and instruction set give the same bytes every time, for every number
 * of threads. -EINVAL: a pointer breaks a rule above; or the engine's error.
 */
int fft_transform_execute(struct fft_transform *t, const void *in, void *out);

/*
 * Transforms buffers of its engine, from their first byte on, without copies: the same buffer in
 * place, otherwise two. It may return before the transform is done. Transforms of an engine run in
 * the order of these calls; map and fft_engine_wait wait for them and may be the first calls to
 * return an error of the device. -EINVAL: a buffer is too small (fft_transform_bytes_in, _out) or
 * belongs to another engine; -EBUSY: one is mapped.
 */
int fft_transform_execute_buffers(struct fft_transform *t, struct fft_buffer *in,
                                  struct fft_buffer *out);

/* Bytes from the start of the first element to the end of the last element of all transforms. */
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
enum { FFT_DETECTORS = 4 }; /* number of detectors: bits 0 mean, 1 max, 2 min, 3 sample */

/*
 * Density: hits by frequency and level. Bin k belongs to column floor(k * columns / n). Each frame
 * adds one hit to each column, at the level of the column's highest bin. Level r counts
 * top_db - r*step_db >= level > top_db - (r+1)*step_db; levels outside count in the first or last
 * one, so the hits of every column sum to the number of frames.
 */
struct fft_density {
    uint32_t columns, levels; /* columns <= n, 0 columns = off; levels <= FFT_SPECTRUM_MAX_LEVELS */
    float top_db, step_db;
};

/* Describes a spectrum. */
struct fft_spectrum_config {
    uint32_t n;          /* samples of a frame: power of two, 64 .. 4194304 */
    uint32_t hop;        /* samples from one frame to the next: 1 .. n (overlap = 1 - hop/n) */
    uint32_t max_frames; /* most frames of one batch, >= 1 */
    uint32_t depth;      /* most batches in flight (submitted, not yet released), 1 .. 16 */
    enum fft_iq_format format;
    unsigned detectors;  /* FFT_DETECTOR_ bits, at least one, unless density is on */
    const float *window; /* [n]; copied by create */
    struct fft_density density;
    double
        full_scale; /* raw units: the stream's own, for counting clipped samples; 0: no counting */
    /*
     * The cpu engine's other threads sleep while the polling thread can compute a batch alone; they
     * wake up when another batch waits behind it. Results need less processor time, come later and
     * have the same bytes.
     */
    bool lazy_workers;
    bool corrected; /* fft_spectrum_correct may be called */
    /*
     * Only folds read the partials. An engine may then leave the order of the bins to the fold,
     * which puts them in order on the way into the line (fft_partial.order).
     */
    bool folded;
    /*
     * (optional) The block that contains all spans. It may be mapped a second time directly after
     * itself (a mirrored ring). An engine may pin it for its device, so the block must outlive the
     * spectrum.
     */
    const void *memory;
    size_t memory_bytes; /* of the block, mapped once */
};

struct fft_bin_order;

/* One batch, folded: linear powers by bin, [n]. NULL: the config lacks that detector. */
struct fft_partial {
    uint64_t position; /* as given to submit */
    uint32_t frames;
    const float *sum, *max, *min, *last;
    const uint32_t *hits; /* [columns][levels] */
    uint64_t clipped;     /* samples, as fft_iq_clipped counts them, from first_new on (submit) */
    const struct fft_bin_order *order; /* not NULL: only a fold may read sum, max, min and last */
};

struct fft_spectrum;

/*
 * Plans a spectrum and allocates all of its memory. config and its window are read during the call
 * only. -EINVAL: it breaks a limit above; -ENOTSUP: not on this engine; -ENOMEM. On failure *out is
 * NULL and `why` (may be NULL) has the reason, as one line.
 */
int fft_spectrum_create(struct fft_spectrum **out, struct fft_engine *e,
                        const struct fft_spectrum_config *config, char *why, size_t why_size);
/*
 * Host memory in bytes that a spectrum of this config and its fold take on the cpu engine, without
 * a density. The window is not read. 0: there is no such instruction set. Any thread.
 */
size_t fft_spectrum_bytes(const struct fft_engine_config *engine,
                          const struct fft_spectrum_config *config);
/*
 * Host memory in bytes that batches and results of this config take at most on an engine with a
 * device: pinned blocks, and the device's own memory where it is the host's. The window is not
 * read. 0: the cpu engine, or a config that the engine refuses.
 */
size_t fft_spectrum_device_bytes(const struct fft_engine *e,
                                 const struct fft_spectrum_config *config);
/* Drops batches in flight. NULL is fine. */
void fft_spectrum_destroy(struct fft_spectrum *s);

/*
 * Corrects samples on load, before the window: the offset (DC) that a receiver adds, and the gain
 * and phase errors between its I and Q:
 *
 *     I' = ii (I - dc_i)
 *     Q' = qi (I - dc_i) + qq (Q - dc_q)
 *
 * The offset is in units of the format's full scale (iq.h).
 */
struct fft_correction {
    float dc_i, dc_q, ii, qi, qq; /* no correction: 0, 0, 1, 0, 1 */
};

/*
 * Applies to batches that are submitted later. Samples are not corrected before the first call.
 * -EINVAL: the config is not `corrected`, or a number is not finite.
 */
int fft_spectrum_correct(struct fft_spectrum *s, const struct fft_correction *correction);

/* Why the last call failed, as one line; "" if none failed. Valid until the next call. */
const char *fft_spectrum_last_error(const struct fft_spectrum *s);
/* Why this spectrum is slower than others of the engine: "staging (REASON)"; "" if it is not. */
const char *fft_spectrum_note(const struct fft_spectrum *s);

/*
 * Starts a batch and never waits.
 *
 * span: the samples, aligned to fft_iq_bytes of the format (cf32: 8 bytes, which an array of struct
 * fft_iq need not have). position: of the span in the stream, in samples; an engine may reuse
 * samples that are on its device already if it is the previous position + count*hop. count: frames,
 * 1 .. max_frames. first_new: index of the span's first sample that no earlier batch contained.
 * Clipped samples are counted from there on, so that overlap counts none twice; without a
 * full_scale it is not read.
 *
 * -EAGAIN: `depth` batches are in flight; -EINVAL: bad arguments; or the engine's error.
 */
int fft_spectrum_submit(struct fft_spectrum *s, const void *span, uint64_t position, uint32_t count,
                        size_t first_new);
/*
 * Waits for the oldest batch that was not polled. 1: it is done, and *out is valid until release.
 * 0: it is not done within timeout_ms (< 0: no limit), or no batch is in flight. -errno: the engine
 * failed. On the cpu engine the caller is one of the workers: a call computes at least one chunk of
 * the batch if one is left.
 */
int fft_spectrum_poll(struct fft_spectrum *s, struct fft_partial *out, int timeout_ms);
/* Ends the use of the oldest polled batch and its partial. */
void fft_spectrum_release(struct fft_spectrum *s);

/* ---- folding partials into lines -------------------------------------------------------- */

/* The detectors of one line. Sums are added in double precision. Any one thread at a time. */
struct fft_fold;

/* -ENOMEM. config: as that of the spectrum; read during the call only. */
int fft_fold_create(struct fft_fold **out, const struct fft_spectrum_config *config);
void fft_fold_destroy(struct fft_fold *f); /* NULL is fine */
void fft_fold_reset(struct fft_fold *f);   /* begins a line */
void fft_fold_add(struct fft_fold *f, const struct fft_partial *p);
/*
 * Adds the first partial of a line without a copy: its arrays are read until the next call of add,
 * keep or reset. keep copies what is still borrowed. Neither changes a result.
 */
void fft_fold_borrow(struct fft_fold *f, const struct fft_partial *p);
void fft_fold_keep(struct fft_fold *f);
uint64_t fft_fold_frames(const struct fft_fold *f); /* since reset */
/*
 * Linear power of one detector (a FFT_DETECTOR_ bit of the config) into out[n]. fft_fold_frames
 * must be > 0.
 */
void fft_fold_detector(const struct fft_fold *f, unsigned detector, float *out);
/* [columns][levels], valid until the next call; NULL: density is off. */
const uint64_t *fft_fold_hits(const struct fft_fold *f);

FFT_API_END

#endif
